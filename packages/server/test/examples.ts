import { randomUUID } from 'node:crypto';
import type { InputOf, OperationName } from '@foyer/protocol';
import { sql } from 'kysely';
import { makeAgent } from './accounts.ts';
import type { Json, TestApp, TestSite } from './app.ts';
import { until } from './harness.ts';
import { TestSocket } from './sockets.ts';

/** The kinds of record that operations name in `records`. */
/** An action of two steps, whose receiver doesn't answer. */
const orderStatus = (name: string) => ({
  name,
  label: name.slice(0, 60),
  steps: [
    {
      id: 'ask',
      type: 'ask' as const,
      question: 'What is your order number?',
      input: { name: 'order', kind: 'code' as const },
    },
    { id: 'look', type: 'call' as const, method: 'GET' as const, url: 'http://127.0.0.1:9/orders/{{order}}' },
  ],
});

const RULE = () => ({
  name: `rule ${randomUUID()}`,
  trigger: { on: 'ticket_created' as const },
  conditions: { all: [{ priority: 'low' as const }] },
  actions: [{ type: 'set_priority' as const, priority: 'high' as const }],
});

export const makeRecord = {
  async session({ url }, { publicKey }) {
    const { socket } = await TestSocket.visitor(url, publicKey);
    const sent = (await socket.call('chat.send', {
      session_id: null,
      client_id: randomUUID(),
      text: 'Hello',
    })) as {
      session: { session_id: string };
    };
    socket.cut();
    return sent.session.session_id;
  },
  tag: (app, site) => make(app, site, 'tags', { name: `tag ${randomUUID()}` }),
  macro: (app, site) =>
    make(app, site, 'macros', {
      name: `macro ${randomUUID()}`,
      actions: [
        { type: 'set_priority', priority: 'high' },
        { type: 'note', body: 'Looked at' },
      ],
    }),
  saved_view: (app, site) =>
    make(app, site, 'saved_views', { name: 'Urgent', filter: { priority: 'urgent' } }),
  field: (app, site) =>
    make(app, site, 'fields', {
      applies_to: 'tickets',
      name: 'Cause',
      kind: 'text',
      key: `f_${randomUUID().replaceAll('-', '')}`,
    }),
  rule: (app, site) => make(app, site, 'rules', RULE()),
  sla_policy: (app, site) =>
    make(app, site, 'sla_policies', {
      name: `policy ${randomUUID()}`,
      targets: { first_response: { normal: 240 } },
    }),
  proactive_message: (app, site) =>
    make(app, site, 'proactive_messages', { name: `message ${randomUUID()}`, texts: { en: 'Hello' } }),
  team: (app, site) => make(app, site, 'teams', { name: `team ${randomUUID()}` }),
  role: (app, site) => makeAtDesk(app, site, 'roles.create', { name: `role ${randomUUID()}` }),
  async category(app, site) {
    return makeAtDesk(app, site, 'categories.create', { name: `category ${randomUUID()}` });
  },
  async training_row(app, site) {
    const row = { question: `Question ${randomUUID()}?`, answer: 'Yes.' };
    return makeAtDesk(app, site, 'training_rows.create', row);
  },
  /** A page that was already read: a new one changes its state while tests compare it. */
  async knowledge_source({ app }, { site }): Promise<number> {
    const { rows } = await app.database.pool.query(
      `with source as (
         insert into knowledge_sources (site_id, kind, address, host, next_read_at, created_at)
         values ($1, 'page', $2, 'shop.example', now() + interval '1 day', now()) returning site_id, id, address)
       insert into knowledge_documents (site_id, source_id, address, url, title, body, state, passages, read_at, created_at)
       select site_id, id, address, address, 'A page', 'Text of a page.', 'ready', 1, now(), now() from source
       returning source_id`,
      [site.id, `https://shop.example/${randomUUID()}`],
    );
    return rows[0].source_id;
  },
  async knowledge_document(app, site): Promise<number> {
    const id = await makeRecord.knowledge_source(app, site);
    return (await callAtDesk(app, site, 'knowledge_sources.list', { id })).document_id;
  },
  article: (app, site) => make(app, site, 'articles', { title: `Article ${randomUUID()}`, body: 'Text' }),
  conversation_starter: (app, site) =>
    make(app, site, 'conversation_starters', { label: 'Hi', prompt: 'Hi there' }),
  ticket: (app, site) =>
    make(app, site, 'tickets', { subject: 'Where is it?', body: 'My parcel.', requester: { key: 'user_1' } }),
  portal_link: async (app, site): Promise<number> =>
    make(app, site, 'portal_token', { ticket_id: await makeRecord.ticket(app, site) }),
  mailbox: (app, site) =>
    make(app, site, 'mailboxes', {
      address: `${randomUUID()}@shop.example`,
      enabled: false,
      imap: { host: 'imap.shop.example', user: 'help' },
    }),
  /** One that waits for a decision. */
  async received_mail({ app }, { site }): Promise<number> {
    const { rows } = await app.database.pool.query(
      `with box as (
         insert into mailboxes (site_id, address, incoming, created_at, updated_at)
         values ($1, $2, 'smtp', now(), now()) returning site_id, id)
       insert into received_mails (site_id, mailbox_id, route, received_at, size, raw, state, reason, from_address, subject)
       select site_id, id, 'smtp', now(), octet_length($3::bytea), $3, 'suspended', 'spam', 'ann@customer.example', 'Hi' from box
       returning id`,
      [
        site.id,
        `${randomUUID()}@shop.example`,
        Buffer.from(
          `From: ann@customer.example\r\nSubject: Hi\r\nMessage-ID: <${randomUUID()}@customer.example>\r\n\r\nHi\r\n`,
        ),
      ],
    );
    return rows[0].id;
  },
  blocked_sender: (app, site) =>
    make(app, site, 'blocked_senders', { sender: `${randomUUID()}@spam.example` }),
  block: (app, site) => make(app, site, 'blocks', { kind: 'phrase', value: `cheap ${randomUUID()}` }),
  webhook_subscription: (app, site) =>
    make(app, site, 'webhook_subscriptions', { url: 'http://127.0.0.1:9/', events: ['handoff'] }),
  async webhook_delivery(app, site) {
    const id = await makeRecord.webhook_subscription(app, site);
    const sent = await makeAtDesk(app, site, 'webhook_subscriptions.test', { id });
    // Only one that isn't being sent can be sent again.
    await until(async () =>
      (await app.rest(site.read, 'GET', '/v1/webhook_deliveries')).body.data.some(
        (d: Json) => d.id === sent && d.attempts.length > 0,
      ),
    );
    return sent;
  },
  segment: (app, site) =>
    make(app, site, 'segments', {
      name: `segment ${randomUUID()}`,
      rule: { all: [{ attribute: 'plan', op: 'eq', value: 'pro' }] },
    }),
  /** A CSV that was checked. */
  async import({ app }, { site, admin }): Promise<number> {
    const guess = [{ to: 'email' }];
    const found = { encoding: 'utf-8', columns: ['email'], rows: 1, samples: [['a@example.com']], guess };
    const { rows } = await app.database.pool.query(
      `insert into imports (site_id, kind, agent_id, file_name, bytes, found, created_at)
       values ($1, 'visitors', $2, 'people.csv', 1000, $3, now()) returning id`,
      [site.id, admin.agentId, found],
    );
    return rows[0].id;
  },
  async bulk_change(app, site): Promise<number> {
    const id = await makeAtDesk(app, site, 'bulk_changes.start', {
      of: { tickets: [await makeRecord.ticket(app, site)], sessions: [] },
      change: { action: 'add_tags', tags: ['vip'] },
    });
    // Only a finished one can be undone.
    await until(async () => (await callAtDesk(app, site, 'bulk_changes.get', { id })).finished_utc !== null);
    return id;
  },
  identity_provider: (app, site) =>
    makeAtDesk(app, site, 'identity_providers.create', examples['identity_providers.create']()),
  handoff_rule: (app, site) =>
    makeAtDesk(app, site, 'handoff_rules.create', { name: 'Money', words: ['refund'] }),
  action: (app, site) => makeAtDesk(app, site, 'actions.create', orderStatus(`Order status ${randomUUID()}`)),
  question_set: (app, site) => makeAtDesk(app, site, 'question_sets.create', { name: `set ${randomUUID()}` }),
  set_question: async (app, site): Promise<number> =>
    makeAtDesk(app, site, 'set_questions.create', {
      set_id: await makeRecord.question_set(app, site),
      question: 'Do you sell cars?',
      expects: 'unknown',
    }),
  async evaluation(app, site): Promise<number> {
    const set_id = await makeRecord.question_set(app, site);
    await makeAtDesk(app, site, 'set_questions.create', {
      set_id,
      question: 'Do you sell cars?',
      expects: 'unknown',
    });
    return makeAtDesk(app, site, 'evaluations.start', { set_id });
  },
  async gap(_app, { operator, site }) {
    const { id } = await operator.db
      .insertInto('unanswered_questions')
      .values({
        site_id: site.id,
        question: 'Do you sell cars?',
        terms: ['car', 'sell'],
        last_asked_at: new Date(),
        created_at: new Date(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  },
  async notification(app, site): Promise<number> {
    const assignee_id = site.admin.agentId;
    await make(app, site, 'tickets', {
      subject: 'Yours',
      body: 'Look',
      requester: { key: 'u' },
      assignee_id,
    });
    return (await callAtDesk(app, site, 'notifications.list', {})).notifications[0].id;
  },
  push_device: (app, site) => makeAtDesk(app, site, 'push_devices.add', examples['push_devices.add']()),
  async visitor(app, site) {
    const key = `user_${randomUUID()}`;
    await app.rest(site.write, 'POST', '/v1/visitors', { key });
    return key;
  },
  async visitor_here(app, site): Promise<string> {
    const key = `user_${randomUUID()}`;
    await TestSocket.visitor(app.url, site.publicKey, { key, page_url: 'https://shop.example/' });
    await until(async () => {
      const { rows } = await sql`
        select from visitor_pages where site_id = ${site.site.id} and guest_key = ${key}`.execute(
        site.operator.db,
      );
      return rows.length > 0;
    });
    return key;
  },
  async visitor_note(app, site): Promise<number> {
    const key = await makeRecord.visitor(app, site);
    const note = { key, client_id: randomUUID(), text: 'Calls on Mondays' };
    return makeAtDesk(app, site, 'visitor_notes.create', note);
  },
  async agent(_app, { operator }) {
    const person = { email: `${randomUUID()}@example.com`, name: 'Cleo', role: 'agent' as const };
    return (await makeAgent(operator, person)).id;
  },
  async invitation(app, site) {
    const email = `${randomUUID()}@example.com`;
    return (await callAtDesk(app, site, 'agents.invite', { email })).invitation.id;
  },
  async api_token(app, site) {
    return makeAtDesk(app, site, 'api_tokens.create', { name: 'spare', scopes: 'read' });
  },
  async browser_token(app, site) {
    return makeAtDesk(app, site, 'browser_tokens.create', { name: 'page' });
  },
} satisfies Record<string, (app: TestApp, site: TestSite) => Promise<number | string>>;

export type RecordKind = keyof typeof makeRecord;
export const isRecordKind = (kind: string): kind is RecordKind => kind in makeRecord;

async function make(app: TestApp, site: TestSite, resource: string, body: object): Promise<number> {
  const answer = await app.rest(site.write, 'POST', `/v1/${resource}`, body);
  if (answer.status !== 201) throw new Error(`${resource}: ${JSON.stringify(answer.body)}`);
  return answer.body.data.id;
}

const adminCookies = new WeakMap<TestSite, Promise<string>>();

/** The site's admin, signed in once: some tests create hundreds of records. */
function adminCookie(app: TestApp, site: TestSite): Promise<string> {
  const known = adminCookies.get(site);
  if (known) return known;
  const cookie = app.signIn(site.admin.email);
  adminCookies.set(site, cookie);
  return cookie;
}

/** @returns the `data` of the response */
async function callAtDesk(
  app: TestApp,
  site: TestSite,
  operation: OperationName,
  input: object,
): Promise<Json> {
  const answer = await app.desk(await adminCookie(app, site), operation, input);
  if (answer.status !== 200) throw new Error(`${operation}: ${JSON.stringify(answer.body)}`);
  return answer.body.data;
}

const makeAtDesk = async (...call: Parameters<typeof callAtDesk>): Promise<number> =>
  (await callAtDesk(...call)).id;

/** A placeholder for a record's id; tests replace it by a real one, of their own site or of another. */
const ID = 1;
const SESSION = 'ses_AAAAAAAAAAAAAAAAAAAAAA';

export const ONE_PIXEL_PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** From the example in RFC 8291. */
export const PUSH_KEYS = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
};

/** A valid input of every operation; a missing one fails to compile. */
export const examples: { [N in OperationName]: () => InputOf<N> } = {
  'whoami.get': () => ({}),
  'usage.get': () => ({}),
  'processing_record.get': () => ({ table: 'tickets' }),
  'processing_record.export': () => ({}),
  'usage.days': () => ({}),
  'usage.storage': () => ({}),
  'sites.create': () => ({ name: 'Bakery', time_zone: 'Europe/Vienna', languages: ['de-AT', 'en'] }),
  'site.set_plan': () => ({ plan: 'growth' }),
  'me.get': () => ({}),
  'public_address.get': () => ({}),
  'public_address.set': () => ({ url: 'http://localhost:3000' }),
  'first_steps.get': () => ({}),
  'first_steps.put_away': () => ({ put_away: true }),
  'samples.get': () => ({}),
  'samples.create': () => ({}),
  'samples.remove': () => ({}),
  'me.set_presence': () => ({ presence: 'online' }),
  'me.set_picture': () => ({ content: ONE_PIXEL_PNG }),
  'site.set_logo': () => ({ content: ONE_PIXEL_PNG }),
  'me.set_signature': () => ({ signature: '**{{agent.name}}**, {{site.name}}' }),
  'me.set_language': () => ({ language: 'de' }),
  'site.update': () => ({ greeting: 'Good day', position: 'left', launcher_text: 'Help', languages: ['de'] }),
  'agents.list': () => ({}),
  'agents.invite': () => ({ email: `${randomUUID()}@example.com` }),
  'agents.revoke_invitation': () => ({ id: ID }),
  'agents.set_role': () => ({ id: ID, role: 'agent', custom_role_id: ID }),
  'roles.list': () => ({}),
  'roles.create': () => ({ name: `role ${randomUUID()}`, permissions: ['answer'] }),
  'roles.update': () => ({ id: ID, name: `role ${randomUUID()}` }),
  'roles.delete': () => ({ id: ID }),
  'identity_providers.list': () => ({}),
  'identity_providers.create': () => ({
    name: `Login ${randomUUID()}`,
    issuer: 'https://login.example.com',
    client_id: 'foyer',
    client_secret: 'secret-of-the-example',
    domains: ['example.com'],
    groups_claim: 'groups',
    group_roles: [{ group: 'support-leads', role: 'admin' }],
  }),
  'identity_providers.update': () => ({ id: ID, enabled: false }),
  'identity_providers.delete': () => ({ id: ID }),
  'identity_providers.rotate_saml_key': () => ({}),
  'identity_providers.rotate_scim_token': () => ({ id: ID }),
  'identity_providers.remove_scim_token': () => ({ id: ID }),
  'identity_providers.test': () => ({
    issuer: 'http://127.0.0.1:9',
    client_id: 'foyer',
    client_secret: 'secret-of-the-example',
  }),
  'identity_providers.read_metadata': () => ({ xml: '<EntityDescriptor/>' }),
  'language_model.get': () => ({}),
  'language_model.set': () => ({
    provider: 'openai',
    base_url: 'http://127.0.0.1:9/v1',
    model: 'small',
    key: 'key-of-the-example',
  }),
  'language_model.clear': () => ({}),
  'language_model.switch': () => ({ enabled: false }),
  'language_model.test': () => ({}),
  'mail.get': () => ({}),
  'mail.status': () => ({}),
  'mail.set': () => ({
    host: 'mail.example.com',
    port: 587,
    security: 'starttls',
    user: 'shop',
    password: 'secret',
    from_name: null,
    from_address: 'help@example.com',
  }),
  'mail.clear': () => ({}),
  'mail.test': () => ({}),
  'site_archives.get': () => ({}),
  'site_archives.create': () => ({}),
  'imports.list': () => ({}),
  'imports.get': () => ({ id: ID }),
  'imports.create': () => ({ kind: 'archive', file_name: 'site-1.tar.gz', bytes: 1_000 }),
  'imports.start': () => ({ id: ID, columns: [{ to: 'email' }] }),
  'imports.stop': () => ({ id: ID }),
  'imports.problems': () => ({ id: ID }),
  'imports.delete': () => ({ id: ID }),
  'retention.get': () => ({}),
  'retention.preview': () => ({ kind: 'chats', keep_days: 365 }),
  'retention.set': () => ({ kind: 'tickets', keep_days: 365 }),
  'audit.list': () => ({}),
  'audit.export': () => ({}),
  'agents.reset_two_factor': () => ({ id: ID }),
  'agents.sign_out': () => ({ id: ID }),
  'agents.remove_picture': () => ({ id: ID }),
  'agents.set_chat_limit': () => ({ id: ID, chat_limit: 5 }),
  'agents.set_ticket_limit': () => ({ id: ID, ticket_limit: 15 }),
  'agents.set_skills': () => ({ id: ID, languages: ['de'], tag_ids: [] }),
  'agents.remove': () => ({ id: ID }),
  'api_tokens.list': () => ({}),
  'api_tokens.create': () => ({ name: 'CI', scopes: 'read' }),
  'api_tokens.update': () => ({ id: ID, name: 'CI' }),
  'api_tokens.revoke': () => ({ id: ID }),
  'api_tokens.rotate': () => ({ id: ID }),
  'browser_tokens.create': () => ({ name: 'Shop', allowed_origins: ['https://shop.example'] }),
  'browser_tokens.update': () => ({ id: ID, allowed_origins: ['https://shop.example'] }),
  'identity_secret.get': () => ({}),
  'identity_secret.rotate': () => ({}),
  'identity_secret.remove': () => ({}),
  'visitors.find': () => ({}),
  'visitors.upsert': () => ({ key: `user_${randomUUID()}`, email: 'a@example.com', plan: 'pro' }),
  'visitors.erase': () => ({ key: 'user_1' }),
  'visitors.list': () => ({}),
  'visitors.open': () => ({ key: 'user_1' }),
  'visitors.timeline': () => ({ key: 'user_1' }),
  'visitors.update': () => ({ key: 'user_1', name: 'Ann Lee', attributes: { seats: 3, trial: null } }),
  'visitors.merge': () => ({ key: 'user_1', into_key: 'user_2' }),
  'visitors.block': () => ({ key: 'user_1' }),
  'visitors.unblock': () => ({ key: 'user_1' }),
  'visitor_notes.create': () => ({ key: 'user_1', client_id: randomUUID(), text: 'Calls on Mondays' }),
  'visitor_notes.update': () => ({ id: ID, text: 'Calls on Tuesdays' }),
  'visitor_notes.delete': () => ({ id: ID }),
  'visitor_data.export': () => ({ key: 'user_1' }),
  'visitors.here': () => ({}),
  'visitors.count_here': () => ({}),
  'exports.get': () => ({ kind: 'tickets' }),
  'inbox.export': () => ({ kind: 'tickets', of: { queue: 'open' } }),
  'visitors.export': () => ({ columns: ['plan'] }),
  'visitor_fields.list': () => ({}),
  'track.create': () => ({ key: `user_${randomUUID()}`, name: 'signed_up', properties: { plan: 'pro' } }),
  'segments.list': () => ({}),
  'segments.create': () => ({
    name: `trial ${randomUUID()}`,
    rule: {
      all: [
        { attribute: 'plan', op: 'eq', value: 'trial' },
        { event: 'signed_up', op: 'gte', count: 1, within_days: 30 },
      ],
    },
  }),
  'segments.update': () => ({ id: ID, rule: { any: [{ attribute: 'email', op: 'set' }] } }),
  'segments.preview': () => ({ rule: { any: [{ attribute: 'email', op: 'set' }] } }),
  'segments.delete': () => ({ id: ID }),
  'articles.list': () => ({}),
  'articles.create': () => ({ title: `Returns ${randomUUID()}`, body: 'Within 30 days.' }),
  'articles.update': () => ({ id: ID, status: 'Published' }),
  'articles.delete': () => ({ id: ID }),
  'synonyms.get': () => ({}),
  'synonyms.update': () => ({ groups: [['trainers', 'sneakers', 'running shoes']] }),
  'knowledge.search': () => ({ q: 'How do I return something?' }),
  'articles.import': () => ({ text: '# Returns\n\nWithin 30 days.' }),
  'articles.preview_import': () => ({ text: '# Returns\n\nWithin 30 days.' }),
  'articles.export': () => ({}),
  'articles.open': () => ({ id: ID }),
  'articles.save': () => ({ id: ID, title: `Returns ${randomUUID()}`, body: 'Within 30 days.' }),
  'articles.count': () => ({ status: 'Published' }),
  'articles.bulk': () => ({ action: 'set_status', selection: { ids: [ID] }, status: 'Archived' }),
  'deleted_articles.list': () => ({}),
  'deleted_articles.restore': () => ({ ids: [ID] }),
  'article_drafts.get': () => ({ article_id: ID }),
  'article_drafts.save': () => ({
    article_id: ID,
    revision: null,
    base_version: 1,
    title: 'Returns',
    body: 'Within 60 days.',
  }),
  'article_drafts.discard': () => ({ article_id: ID }),
  'article_versions.list': () => ({ article_id: ID }),
  'article_versions.get': () => ({ article_id: ID, number: 1 }),
  'article_versions.restore': () => ({ article_id: ID, number: 1 }),
  'categories.list': () => ({}),
  'categories.create': () => ({ name: `Orders ${randomUUID()}` }),
  'categories.update': () => ({ id: ID, name: `Orders ${randomUUID()}` }),
  'categories.move': () => ({ id: ID, before_id: null }),
  'categories.merge': () => ({ id: ID, into_id: ID }),
  'categories.delete': () => ({ id: ID }),
  'help.home': () => ({}),
  'help.articles': () => ({ category: 'orders' }),
  'help.search': () => ({ q: 'returns' }),
  'help.article': () => ({ slug: 'returns' }),
  'help.rate': () => ({ slug: 'returns', helpful: true }),
  'help_centre.get': () => ({}),
  'help_centre.update': () => ({ intro: 'Everything about your order.' }),
  'articles.render': () => ({ body: '# Returns' }),
  'article_images.create': () => ({ content: ONE_PIXEL_PNG }),
  'knowledge_sources.list': () => ({}),
  'knowledge_sources.create': () => ({ kind: 'page', url: `http://127.0.0.1:9/${randomUUID()}` }),
  'knowledge_sources.refresh': () => ({ id: ID }),
  'knowledge_sources.delete': () => ({ id: ID }),
  'knowledge_documents.list': () => ({ source_id: ID }),
  'knowledge_documents.get': () => ({ id: ID }),
  'training_rows.list': () => ({}),
  'training_rows.create': () => ({ question: `Do you deliver? ${randomUUID()}`, answer: 'Everywhere.' }),
  'training_rows.update': () => ({ id: ID, answer: 'Nearly everywhere.' }),
  'training_rows.delete': () => ({ id: ID }),
  'training_rows.import': () => ({ text: 'question,answer\nDo you wrap gifts?,We do.' }),
  'training_moves.start': () => ({ category: 'Questions' }),
  'training_moves.get': () => ({}),
  'conversation_starters.list': () => ({}),
  'conversation_starters.create': () => ({ label: 'Returns', prompt: 'How do I return something?' }),
  'conversation_starters.update': () => ({ id: ID, label: 'Send back' }),
  'conversation_starters.delete': () => ({ id: ID }),
  'bot.get': () => ({}),
  'bot.update': () => ({ name: 'Lumi', tone: 'warm and short', model_answers_per_chat: 10 }),
  'bot.try': () => ({ question: 'Do you sell cars?' }),
  'handoff_rules.list': () => ({}),
  'handoff_rules.create': () => ({ name: 'Money', words: ['refund', 'money back'], pages: ['/checkout'] }),
  'handoff_rules.update': () => ({ id: ID, enabled: false }),
  'handoff_rules.delete': () => ({ id: ID }),
  'actions.list': () => ({}),
  'actions.create': () => orderStatus(`Order status ${randomUUID()}`),
  'actions.update': () => ({ id: ID, enabled: false }),
  'actions.delete': () => ({ id: ID }),
  'actions.test': () => ({ id: ID, step_id: 'look', values: { order: '1042' } }),
  'action_calls.list': () => ({ action_id: ID }),
  'question_sets.list': () => ({}),
  'question_sets.create': () => ({ name: `Returns ${randomUUID()}` }),
  'question_sets.update': () => ({ id: ID, name: `Returns ${randomUUID()}` }),
  'question_sets.delete': () => ({ id: ID }),
  'question_sets.import': () => ({ id: ID, text: 'question,expected\nDo you sell cars?,unknown\n' }),
  'set_questions.list': () => ({ set_id: ID }),
  'set_questions.create': () => ({ set_id: ID, question: 'Do you sell cars?', expects: 'unknown' }),
  'set_questions.update': () => ({ id: ID, question: 'Do you sell bicycles?' }),
  'set_questions.delete': () => ({ id: ID }),
  'evaluations.start': () => ({ set_id: ID }),
  'evaluations.list': () => ({ set_id: ID }),
  'evaluations.get': () => ({ id: ID }),
  'evaluations.cancel': () => ({ id: ID }),
  'evaluation_results.list': () => ({ evaluation_id: ID, only: 'wrong' }),
  'evaluations.try': () => ({ text: '{"question":"Do you sell cars?","expected":"unknown"}' }),
  'gaps.list': () => ({}),
  'gaps.get': () => ({ id: ID }),
  'gaps.dismiss': () => ({ id: ID }),
  'gaps.reopen': () => ({ id: ID }),
  'sessions.give_back': () => ({ session_id: SESSION }),
  'copilot.suggest': () => ({ session_id: SESSION }),
  'copilot.summarise': () => ({ session_id: SESSION }),
  'copilot.draft_article': () => ({ session_id: SESSION }),
  'copilot.rewrite': () => ({ session_id: SESSION, text: 'We will look in to it.', how: 'spelling' }),
  'tags.list': () => ({}),
  'tags.create': () => ({ name: `vip ${randomUUID()}`, color: '#AABBCC' }),
  'tags.update': () => ({ id: ID, color: '#001122' }),
  'tags.delete': () => ({ id: ID }),
  'tags.uses': () => ({}),
  'tags.merge': () => ({ id: ID, into_id: ID }),
  'handoffs.list': () => ({}),
  'transcripts.get': () => ({ sessionId: SESSION }),
  'feedback.list': () => ({}),
  'sessions.list': () => ({ queue: 'all' }),
  'inbox.search': () => ({ q: 'refund' }),
  'inbox.tickets': () => ({ queue: 'open' }),
  'inbox.filtered': () => ({ status: 'open' }),
  'inbox.mentions': () => ({}),
  'inbox.counts': () => ({}),
  'spam.list': () => ({}),
  'conversations.list': () => ({}),
  'conversations.create': () => ({
    key: `user_${randomUUID()}`,
    client_id: randomUUID(),
    sender: 'agent' as const,
    agent_id: ID,
    text: 'Your order is ready.',
  }),
  'conversations.update': () => ({ session_id: SESSION, status: 'waiting' as const, add_tags: ['vip'] }),
  'conversation_snoozes.set': () => ({ session_id: SESSION, until_utc: null }),
  'conversation_notes.list': () => ({ session_id: SESSION }),
  'conversation_notes.create': () => ({
    session_id: SESSION,
    agent_id: ID,
    client_id: randomUUID(),
    text: 'A regular',
  }),
  'conversation_typing.set': () => ({ session_id: SESSION, sender: 'agent' as const, agent_id: ID }),
  'conversation_reads.set': () => ({ session_id: SESSION }),
  'conversation_messages.list': () => ({ session_id: SESSION }),
  'conversation_messages.create': () => ({
    session_id: SESSION,
    sender: 'agent' as const,
    agent_id: ID,
    client_id: randomUUID(),
    text: 'We do.',
  }),
  'spam.set': () => ({ session_id: SESSION, spam: true }),
  'redactions.create': () => ({ ticket_id: ID }),
  'inbox_views.list': () => ({}),
  'inbox_views.create': () => ({
    name: 'Late',
    visibility: 'everyone',
    list: { queue: 'open', sort: 'waiting', tag: 'vip' },
  }),
  'inbox_views.update': () => ({ id: ID, name: 'Later', position: 3 }),
  'inbox_views.delete': () => ({ id: ID }),
  'tickets.merge': () => ({ into_id: ID, ids: [] }),
  'bulk_changes.count': () => ({ of: { queue: 'open' } }),
  'bulk_changes.start': () => ({ of: { queue: 'open' }, change: { action: 'add_tags', tags: ['vip'] } }),
  'bulk_changes.latest': () => ({}),
  'bulk_changes.get': () => ({ id: ID }),
  'bulk_changes.undo': () => ({ id: ID }),
  'sessions.get': () => ({ session_id: SESSION }),
  'sessions.accept': () => ({ session_id: SESSION }),
  'sessions.reply': () => ({ session_id: SESSION, client_id: randomUUID(), text: 'Hello' }),
  'sessions.start': () => ({ key: 'user_1', client_id: randomUUID(), text: 'Can I help?' }),
  'sessions.note': () => ({ session_id: SESSION, client_id: randomUUID(), text: 'A regular' }),
  'sessions.transfer': () => ({ session_id: SESSION, agent_id: null }),
  'tickets.create_from_chat': () => ({ session_id: SESSION }),
  'tickets.chat': () => ({ id: ID }),
  'sessions.close': () => ({ session_id: SESSION }),
  'sessions.keep_open': () => ({ session_id: SESSION }),
  'sessions.snooze': () => ({ session_id: SESSION, until_utc: null }),
  'sessions.set_fields': () => ({ session_id: SESSION, fields: {} }),
  'sessions.set_tags': () => ({ session_id: SESSION, tags: ['vip'] }),
  'sessions.mark_read': () => ({ session_id: SESSION, seq: 1 }),
  'sessions.mark_unread': () => ({ session_id: SESSION }),
  'chat.send': () => ({ session_id: SESSION, client_id: randomUUID(), text: 'Hello' }),
  'chat.request_person': () => ({ session_id: SESSION, client_id: randomUUID() }),
  'chat.leave_email': () => ({ session_id: SESSION, email: 'a@example.com' }),
  'chat.end': () => ({ session_id: SESSION }),
  'chat.rate': () => ({ session_id: SESSION, rating: 5 }),
  'chat.introduce': () => ({ name: 'Priya', attributes: { order: '4711' } }),
  'chat.mail_transcript': () => ({ session_id: SESSION, email: 'a@example.com' }),
  'chat.mark_read': () => ({ session_id: SESSION, seq: 1 }),
  'tickets.list': () => ({}),
  'tickets.create': () => ({
    subject: 'Where is it?',
    body: 'My parcel has not come.',
    requester: { key: `user_${randomUUID()}`, email: 'a@example.com' },
    tags: ['parcel'],
  }),
  'tickets.update': () => ({ id: ID, status: 'pending', priority: 'high' }),
  'tickets.delete': () => ({ id: ID }),
  'tickets.history': () => ({ id: ID }),
  'tickets.mark_read': () => ({ id: ID, seen: 0 }),
  'tickets.mark_unread': () => ({ id: ID }),
  'ticket_replies.create': () => ({
    ticket_id: ID,
    body: 'It is on its way.',
    type: 'public',
    attachments: [{ name: 'label.txt', content_type: 'text/plain', content: 'cGFyY2Vs' }],
  }),
  'portal_links.list': () => ({ ticket_id: ID }),
  'portal_links.create': () => ({ ticket_id: ID, expires_in_hours: 24 }),
  'portal_links.delete': () => ({ id: ID }),
  'ticket_snoozes.set': () => ({ ticket_id: ID, minutes: 60 }),
  'macros.list': () => ({}),
  'macros.create': () => ({
    name: `macro ${randomUUID()}`,
    actions: [
      { type: 'reply', body: 'Hello {{visitor.name}}, we are on it.' },
      { type: 'set_status', status: 'pending' },
      { type: 'add_tags', tags: ['vip'] },
      { type: 'snooze', minutes: 60 },
    ],
  }),
  'macros.update': () => ({ id: ID, name: `macro ${randomUUID()}` }),
  'macros.delete': () => ({ id: ID }),
  'macros.uses': () => ({}),
  'rules.uses': () => ({}),
  'macros.note_use': () => ({ id: ID }),
  'macros.apply': () => ({ macro_id: ID, ticket_id: ID }),
  'macros.apply_to_chat': () => ({ macro_id: ID, session_id: SESSION }),
  'saved_views.list': () => ({}),
  'saved_views.create': () => ({ name: 'Urgent', filter: { priority: 'urgent', assignee_id: 'none' } }),
  'saved_views.update': () => ({ id: ID, filter: { status: 'open', tag: 'vip' }, sort: '-priority' }),
  'saved_views.delete': () => ({ id: ID }),
  'fields.list': () => ({}),
  'fields.create': () => ({
    applies_to: 'tickets',
    name: 'Cause',
    key: `f_${randomUUID().replaceAll('-', '')}`,
    kind: 'choice',
    choices: ['Carrier', 'Us'],
  }),
  'fields.update': () => ({ id: ID, name: 'Order number' }),
  'fields.delete': () => ({ id: ID }),
  'rules.list': () => ({}),
  'rules.create': RULE,
  'rules.update': () => ({ id: ID, name: `rule ${randomUUID()}` }),
  'rules.delete': () => ({ id: ID }),
  'rules.try': () => ({ trigger: { on: 'ticket_created' }, conditions: { all: [{ priority: 'high' }] } }),
  'rule_runs.list': () => ({}),
  'sla_policies.list': () => ({}),
  'sla_policies.create': () => ({
    name: `policy ${randomUUID()}`,
    conditions: { priority: 'urgent', tag: 'vip' },
    targets: { first_response: { urgent: 30 }, resolution: { urgent: 480, high: null } },
    hours: 'always',
    warn_minutes: 15,
  }),
  'sla_policies.update': () => ({ id: ID, name: `policy ${randomUUID()}`, position: 2 }),
  'sla_policies.delete': () => ({ id: ID }),
  'proactive_messages.list': () => ({}),
  'proactive_messages.create': () => ({
    name: `message ${randomUUID()}`,
    texts: { en: 'Any questions about our **prices**?', de: 'Fragen zu den Preisen?' },
    pages: ['/pricing'],
    after_s: 20,
    hours: 'office',
    from_date: '2026-12-01',
  }),
  'proactive_messages.update': () => ({ id: ID, name: `message ${randomUUID()}`, enabled: true }),
  'proactive_messages.delete': () => ({ id: ID }),
  'teams.list': () => ({}),
  'teams.create': () => ({ name: `team ${randomUUID()}` }),
  'teams.update': () => ({ id: ID, name: `team ${randomUUID()}` }),
  'teams.delete': () => ({ id: ID }),
  'tickets_bulk.change': () => ({ ids: [ID], action: 'add_tags', tags: ['vip'] }),
  'notifications.list': () => ({}),
  'notifications.see': () => ({ session_id: SESSION }),
  'notifications.tell': () => ({ id: ID, happened_utc: new Date().toISOString() }),
  'notification_settings.get': () => ({}),
  'notification_settings.update': () => ({ hide_contents: true, mail_after_minutes: 30 }),
  'push_devices.add': () => ({ endpoint: `https://127.0.0.1:9/${randomUUID()}`, ...PUSH_KEYS }),
  'push_devices.remove': () => ({ id: ID }),
  'push_devices.test': () => ({ id: ID }),
  'reports.volume': () => ({ range: '7d' }),
  'reports.responses': () => ({ range: 'month' }),
  'reports.hours': () => ({ range: '90d' }),
  'reports.bot': () => ({}),
  'reports.satisfaction': () => ({ range: 'today' }),
  'reports.comments': () => ({ range: 'custom', from: '2026-01-01', to: '2026-01-31', rating: 2 }),
  'reports.conversations': () => ({ range: '7d', figure: 'bot_chats', of: 'handed_off' }),
  'reports.teams': () => ({}),
  'reports.agents': () => ({}),
  'reports.tags': () => ({}),
  'reports.slas': () => ({}),
  'reports.get': () => ({ report: 'slas' }),
  'reports.export': () => ({ report: 'volume' }),
  'mailboxes.list': () => ({}),
  'mailboxes.create': () => ({
    address: `${randomUUID()}@shop.example`,
    enabled: false,
    imap: { host: 'imap.shop.example', user: 'help' },
  }),
  'mailboxes.update': () => ({ id: ID, name: 'Help' }),
  'mailboxes.delete': () => ({ id: ID }),
  'mailboxes.test': () => ({ id: ID }),
  'mailboxes.providers': () => ({}),
  'mailboxes.begin_sign_in': () => ({ id: ID }),
  'mailboxes.finish_sign_in': () => ({ id: ID, code: 'code', state: 'state' }),
  'received_mails.list': () => ({}),
  'received_mails.count': () => ({}),
  'received_mails.decide': () => ({ id: ID, action: 'accept' }),
  'received_mails.decide_all': () => ({ ids: [ID], action: 'accept' }),
  'received_mails.source': () => ({ id: ID }),
  'blocked_senders.list': () => ({}),
  'blocked_senders.create': () => ({ sender: `${randomUUID()}@spam.example` }),
  'blocked_senders.delete': () => ({ id: ID }),
  'blocks.list': () => ({}),
  'blocks.create': () => ({ kind: 'phrase', value: `cheap ${randomUUID()}`, note: 'Spam' }),
  'blocks.update': () => ({ id: ID, note: 'Floods the chat' }),
  'blocks.delete': () => ({ id: ID }),
  'sent_mails.list': () => ({}),
  'webhook_subscriptions.list': () => ({}),
  'webhook_subscriptions.create': () => ({ url: 'http://127.0.0.1:9/', events: ['handoff'] }),
  'webhook_subscriptions.update': () => ({ id: ID, description: 'CRM' }),
  'webhook_subscriptions.delete': () => ({ id: ID }),
  'webhook_subscriptions.test': () => ({ id: ID }),
  'webhook_deliveries.list': () => ({}),
  'webhook_deliveries.resend': () => ({ id: ID }),
  'webhook_hours.list': () => ({ subscription_id: ID }),
  'tickets.reply': () => ({
    ticket_id: ID,
    client_id: randomUUID(),
    type: 'public',
    text: 'It is on its way.',
  }),
  'tickets.mail': () => ({ id: ID }),
  'tickets.retry_mail': () => ({ ticket_id: ID, reply_id: ID }),
  'tickets.mails': () => ({ id: ID }),
  'tickets.mail_html': () => ({ ticket_id: ID, mail_id: ID }),
  'tickets.undo_reply': () => ({ ticket_id: ID, reply_id: ID }),
  'tickets.split': () => ({ ticket_id: ID, reply_id: ID }),
  'tickets.mentions': () => ({ id: ID }),
  'tickets.follow_ups': () => ({ id: ID }),
  'drafts.list': () => ({}),
  'drafts.get': () => ({ session_id: SESSION }),
  'drafts.save': () => ({ session_id: SESSION, kind: 'reply', text: 'Good day', base_version: null }),
};
