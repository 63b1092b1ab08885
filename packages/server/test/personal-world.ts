import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { keepUpload } from '../src/attachments/uploads.ts';
import { groupGaps, noteUnknown } from '../src/bot/gaps/grouping.ts';
import { rate, requestPerson, sendMessage } from '../src/conversations/chat.ts';
import { readSite } from '../src/conversations/search/index-messages.ts';
import { getSession } from '../src/conversations/sessions.ts';
import type { SiteContext } from '../src/core/context.ts';
import { leaveEmail } from '../src/tickets/leave-email.ts';
import { findPortalLink } from '../src/tickets/portal/links.ts';
import { answerThroughPortal } from '../src/tickets/portal/portal.ts';
import { openDevice } from '../src/visitors/identity/devices.ts';
import { openPage } from '../src/visitors/pages/pages.ts';
import { makeAgent } from './accounts.ts';
import type { Json, TestApp, TestSite } from './app.ts';
import {
  type Column,
  type ForeignKey,
  foreignKeys,
  mentions,
  type Rows,
  readRows,
  rowsOf,
  textColumns,
} from './database-rows.ts';
import { PERSONAL } from './personal-tables.ts';

/** A visitor of this site, with words that occur nowhere else. */
export interface Person {
  visitorId: number;
  key: string;
  /** The browser's key before the visitor was identified. */
  anonymousKey: string;
  sessionId: string;
  ticketId: number;
  /** A word in all data that identifies the visitor. */
  who: string;
  /** A word in everything written by or about them, which outlives an erasure. */
  said: string;
}

/** A site on which two visitors have done everything a visitor can do. */
export interface PersonalWorld {
  app: TestApp;
  site: TestSite;
  cookie: string;
  benId: number;
  doomed: Person;
  bystander: Person;
  keys: readonly ForeignKey[];
  columns: readonly Column[];
  rows(): Promise<Rows>;
}

type Place = Pick<PersonalWorld, 'app' | 'site' | 'cookie' | 'benId'>;

/** @param app must not work on jobs, so that only the test changes the database. */
export async function makePersonalWorld(app: TestApp): Promise<PersonalWorld> {
  const site = await app.makeSite();
  const cookie = await app.signIn(site.admin.email);
  const ben = { email: `ben-${randomUUID()}@example.com`, name: 'Ben' };
  const { id: benId } = await makeAgent(site.operator, ben);
  const place = { app, site, cookie, benId };
  await receiveEverything(site.operator);
  for (const applies_to of ['tickets', 'chats'])
    await rest(place, 'POST', 'fields', { applies_to, name: 'Note', key: 'note', kind: 'text' });
  await desk(place, 'segments.create', {
    name: 'Pro',
    rule: { all: [{ attribute: 'plan', op: 'eq', value: 'pro' }] },
  });
  const doomed = await live(place, 'doomed');
  const bystander = await live(place, 'standing');
  await groupGaps(site.operator);
  await readSite(site.operator);
  const { db } = app.app.database;
  const [keys, columns] = await Promise.all([foreignKeys(db), textColumns(db)]);
  return { ...place, doomed, bystander, keys, columns, rows: () => readRows(db) };
}

/** Tables and columns of a person that are empty, in words; empty if all are filled. */
export function gapsIn({ keys, columns }: PersonalWorld, rows: Rows, person: Person): string[] {
  const own = rowsOf(rows, keys, person.visitorId, [person.who, person.said]);
  return Object.entries(PERSONAL).flatMap(([table, { plain = [] }]) => {
    const filled = [...(own.get(table) ?? [])];
    if (filled.length === 0) return [`the world lacks a row in ${table}`];
    const open = columns.filter((column) => column.table === table && !plain.includes(column.name));
    return open
      .filter(
        ({ name }) =>
          !filled.some((row) => [person.who, person.said].some((word) => mentions(row[name], word))),
      )
      .map(({ name }) => `${table}.${name} is empty or says nothing of them: fill it, or call it plain`);
  });
}

async function desk({ app, cookie }: Place, operation: string, input: object): Promise<Json> {
  const { status, body } = await app.desk(cookie, operation, input);
  if (status >= 300) throw new Error(`${operation}: ${JSON.stringify(body)}`);
  return body.data;
}

async function rest({ app, site }: Place, method: string, path: string, input: object): Promise<Json> {
  const { status, body } = await app.rest(site.write, method, `/v1/${path}`, input);
  if (status >= 300) throw new Error(`${path}: ${JSON.stringify(body)}`);
  return body.data;
}

async function receiveEverything({ db, site }: SiteContext): Promise<void> {
  const events = [
    ...['handoff', 'feedback', 'conversation_started', 'conversation_closed', 'message_created'],
    ...['note_created', 'conversation_assigned', 'conversation_tagged'],
    ...['ticket_created', 'ticket_updated', 'ticket_replied', 'visitor_identified', 'segment_entered'],
  ];
  await sql`
    insert into webhook_subscriptions (site_id, url, events, secret_cipher, secret_hint)
    values (${site.id}, 'https://receiver.example', ${events}, 'x', 'xxxx')`.execute(db);
}

async function live(place: Place, called: string): Promise<Person> {
  const [who, said] = [`qid${called}q`, `qsa${called}q`];
  const anonymousKey = `anon_${who}`;
  const chat = await chatAsStranger(place, { who, said, anonymousKey });
  const key = `user-${who}`;
  const known = { key, email: `${who}@secret.example`, name: `Ann ${who}`, phone: `tel ${who}` };
  await rest(place, 'POST', 'visitors', { ...known, plan: 'pro', previous_key: anonymousKey });
  await rest(place, 'POST', 'track', { key, name: `paid ${who}`, properties: { card: who } });
  await desk(place, 'visitor_notes.create', { key, text: `Calls as ${who}`, client_id: randomUUID() });
  await chatWithPerson(place, chat, { who, said });
  const ticketId = await askByTicket(place, { key, who, said });
  const { rows } = await sql<{ id: number }>`
    select id from visitors where site_id = ${place.site.site.id} and key = ${key}`.execute(
    place.site.operator.db,
  );
  const person = {
    visitorId: rows[0]?.id ?? 0,
    key,
    anonymousKey,
    sessionId: chat.sessionId,
    ticketId,
    who,
    said,
  };
  await leaveTraces(place, person);
  return person;
}

interface Words {
  who: string;
  said: string;
}

/** In an unknown browser: a page, a chat with files, one of which was sent by a browser that is gone. */
async function chatAsStranger(
  { app, site }: Place,
  { who, said, anonymousKey }: Words & { anonymousKey: string },
): Promise<{ at: SiteContext; sessionId: string }> {
  const { db } = site.operator;
  const browser = { userAgent: `Firefox ${who}`, language: 'de', timeZone: `Europe/${who}` };
  const device = await openDevice(db, site.site.id, { key: anonymousKey, now: new Date(), browser });
  const { visitorId, deviceId } = device;
  const at = app.app.contextFor(site.site, {
    kind: 'visitor',
    visitorId,
    deviceId,
    verified: false,
    language: 'de',
  });
  const pageUrl = `https://shop.example/account/${who}`;
  const shown = { url: pageUrl, title: `Cart of ${who}`, referrer: `https://mail.example/${who}` };
  await openPage(at, { ...shown, deviceId, verified: false, node: 'one' });
  const files = await Promise.all(
    ['sent', 'kept', 'unsent'].map(async (name) => {
      const id = randomUUID();
      await keepUpload(at, id, {
        name: `${name} ${who}.txt`,
        contentType: 'text/plain',
        content: Buffer.from(`A file of ${who}`),
      });
      return id;
    }),
  );
  const [sent = '', kept = ''] = files;
  const text = `Where is the ${said} parcel?`;
  const { sessionId } = await sendMessage(at, {
    ...{ sessionId: null, clientId: randomUUID(), text, pageUrl },
    uploadIds: [sent, kept],
  });
  await sql`update attachments set device_id = null where upload_id = ${kept}`.execute(db);
  const session = await getSession(at, sessionId);
  await site.operator.transaction((tx) =>
    noteUnknown(tx, { conversationId: session.id, seq: 1, question: text }),
  );
  return { at, sessionId };
}

/** The chat is handed over; an agent writes, leaves a note and is rated; the visitor leaves an address. */
async function chatWithPerson(
  place: Place,
  { at, sessionId: session_id }: { at: SiteContext; sessionId: string },
  { who, said }: Words,
): Promise<void> {
  await requestPerson(at, { sessionId: session_id, clientId: randomUUID() });
  await leaveEmail(at, session_id, `left-${who}@secret.example`, `Ann ${who}`);
  await sql`
    update messages set author_name = ${`Ann ${who}`}
    where site_id = ${at.site.id} and sender = 'visitor' and text like ${`%${said}%`}`.execute(at.db);
  await sql`
    insert into routing_decisions (site_id, conversation_id, kind, reasons, created_at)
    select site_id, id, 'nobody', '{}', now() from conversations
    where site_id = ${at.site.id} and session_id = ${session_id}`.execute(at.db);
  await desk(place, 'sessions.accept', { session_id });
  const text = `Hello, it is about ${said}`;
  await desk(place, 'sessions.reply', { session_id, client_id: randomUUID(), text });
  const ben = { id: place.benId, name: 'Ben' };
  await desk(place, 'sessions.note', {
    ...{ session_id, client_id: randomUUID(), text: `@Ben knows ${said}` },
    mentions: [ben],
  });
  await desk(place, 'sessions.set_tags', { session_id, tags: ['vip'] });
  await desk(place, 'sessions.set_fields', { session_id, fields: { note: `Call ${who} about ${said}` } });
  await desk(place, 'drafts.save', {
    ...{ session_id, kind: 'reply', text: `Dear ${who}`, base_version: null },
  });
  const { id: set_id } = await desk(place, 'question_sets.create', { name: `Set ${randomUUID()}` });
  await desk(place, 'set_questions.create', {
    ...{ set_id, session_id, question: `Where is ${said}?`, expects: 'unknown' },
  });
  await desk(place, 'sessions.close', { session_id });
  await rate(at, session_id, 5, `Thanks for ${said}`);
  const again = `And where is ${said} now?`;
  await sendMessage(at, { sessionId: session_id, clientId: randomUUID(), text: again });
  await sql`
    update visitor_devices d set pre_chat_fields = ${JSON.stringify({ note: `Call ${who}` })}
    from conversations c
    where d.site_id = ${at.site.id} and c.site_id = d.site_id and c.device_id = d.id and c.session_id = ${session_id}`.execute(
    at.db,
  );
}

/** A ticket over REST with everything a ticket can have, answered through its portal link. */
async function askByTicket(place: Place, { key, who, said }: Words & { key: string }): Promise<number> {
  const { app, site } = place;
  const { id } = await rest(place, 'POST', 'tickets', {
    subject: `A lamp for Ann ${who}, ${said}`,
    body: `Write to ${who}@secret.example about ${said}.`,
    requester: { key },
    tags: ['vip'],
    external_id: said,
    assignee_id: place.benId,
    fields: { note: `Call ${who} about ${said}` },
  });
  const { id: replyId } = await rest(place, 'POST', 'ticket_reply', {
    ticket_id: id,
    type: 'public',
    body: `Dear Ann ${who}: ${said}`,
  });
  await sql`
    update ticket_replies set mail_error = ${`550 no mailbox ${who}@secret.example`}
    where site_id = ${site.site.id} and id = ${replyId}`.execute(site.operator.db);
  await mailAbout(place, { ticketId: id, replyId, who, said });
  await rest(place, 'PATCH', `tickets?id=${id}`, { subject: `Two lamps for Ann ${who}, ${said}` });
  await desk(place, 'drafts.save', {
    ...{ ticket_id: id, kind: 'note', text: `Call ${who}`, base_version: null },
  });
  const { token } = await rest(place, 'POST', 'portal_token', { ticket_id: id });
  const link = await findPortalLink(site.operator.db, token, new Date());
  if (!link) throw new Error('the link does not open');
  const actor = { kind: 'visitor', visitorId: link.requesterId, deviceId: null, verified: false } as const;
  await answerThroughPortal(app.app.contextFor(site.site, actor), link, {
    answerId: randomUUID(),
    text: `I am Ann ${who}: ${said}`,
    files: [{ name: `${who}.txt`, contentType: 'text/plain', content: Buffer.from(who) }],
  });
  return id;
}

/** The mails of a ticket: one sent, one received, and one that waits for the team's decision. */
async function mailAbout(
  { site }: Place,
  { ticketId, replyId, who, said }: Words & { ticketId: number; replyId: number },
): Promise<void> {
  const { db } = site.operator;
  const siteId = site.site.id;
  const address = `${who}@secret.example`;
  const people = JSON.stringify([{ name: `Ann ${who}`, address }]);
  await sql`
    with rule as (
      insert into rules (site_id, name, position, trigger, events, actions)
      values (${siteId}, ${`rule ${ticketId}`}, 1, '{"on": "ticket_created"}', '{ticket_created}', '[]')
      returning site_id, id
    )
    insert into rule_runs (site_id, rule_id, ticket_id, event, because, outcome, chain, created_at)
    select site_id, id, ${ticketId}, 'ticket_created', '[]', 'done', '{}', now() from rule`.execute(db);
  await sql`
    with box as (
      insert into mailboxes (site_id, address, incoming, created_at, updated_at)
      values (${siteId}, ${`${randomUUID()}@shop.example`}, 'smtp', now(), now()) returning id),
    came as (
      insert into received_mails (site_id, mailbox_id, route, source, received_at, envelope_from, envelope_to, remote_address,
        helo, size, raw, state, detail, message_id, from_address, from_name, subject, ticket_id)
      select ${siteId}, id, 'smtp', kind.state || ' ' || ${who}, now(), ${address}, ${address}, '203.0.113.9',
        ${`host.of.${who}`}, 1, convert_to(${said}, 'UTF8'), kind.state, ${said}, ${`${who}@of`}, ${address}, ${who}, ${said}, kind.ticket_id
      from box, (values ('reply', ${ticketId}::bigint), ('suspended', null)) as kind (state, ticket_id) returning id),
    answered as (
      update tickets set cc_list = ${people}::jsonb, mail_subject = ${`${said} ${who}`}
      where site_id = ${siteId} and id = ${ticketId}),
    elsewhere as (
      insert into ticket_replies (site_id, ticket_id, type, body, author_type, participant_name, participant_address)
      values (${siteId}, ${ticketId}, 'public', ${said}, 'participant', ${`Ann ${who}`}, ${address})),
    blocked as (
      insert into blocked_senders (site_id, sender, note, created_at) values (${siteId}, ${address}, ${said}, now())),
    mails as (insert into ticket_mails (site_id, ticket_id, reply_id, received_id, is_outgoing, message_id, subject, from_address,
      from_name, to_list, cc_list, bcc_list, html, quoted, created_at)
    select ${siteId}, ${ticketId}, kind.reply_id, kind.received_id, kind.reply_id is not null, ${`${who}.of`}, ${said}, ${address},
      ${who}, ${people}::jsonb, ${people}::jsonb, ${people}::jsonb, ${who}, ${said}, now()
    from (values (null, (select min(id) from came)), (${replyId}::bigint, null)) as kind (reply_id, received_id)
    returning id, is_outgoing)
    insert into mail_attempts (site_id, ticket_id, mail_id, outcome, answer, attempted_at)
    select ${siteId}, ${ticketId}, id, 'refused', ${`550 no mailbox ${address}`}, now() from mails where is_outgoing`.execute(
    db,
  );
}

/** Records that only a job or another server would write. */
async function leaveTraces({ site }: Place, { visitorId, who, sessionId }: Person): Promise<void> {
  const { db } = site.operator;
  const siteId = site.site.id;
  // A page in a browser that belongs to somebody else by now.
  const shared = await openDevice(db, siteId, { key: `anon_${randomUUID()}`, now: new Date() });
  await sql`
    insert into visitor_pages (site_id, visitor_id, device_id, verified, url, came_at, opened_at, node, alive_at)
    select site_id, visitor_id, ${shared.deviceId}, verified, url, came_at, opened_at, node, alive_at
    from visitor_pages where site_id = ${siteId} and visitor_id = ${visitorId} limit 1`.execute(db);
  // And one in a browser that has only connected under their key.
  await sql`
    insert into visitor_pages (site_id, guest_key, guest_token, guest_browser, verified, url, came_at, opened_at, node, alive_at)
    select site_id, ${`user-${who}`}, ${randomBytes(32)}, ${JSON.stringify({ userAgent: `Browser of ${who}` })}, false,
      url, came_at, opened_at, node, alive_at
    from visitor_pages where site_id = ${siteId} and visitor_id = ${visitorId} limit 1`.execute(db);
  await sql`
    insert into visitor_consents (site_id, visitor_id, wording, language, verified, agreed_at)
    values (${siteId}, ${visitorId}, ${`Agreed by ${who}`}, 'en', false, now())`.execute(db);
  await sql`
    with message as (
      insert into proactive_messages (site_id, name, texts) values (${siteId}, ${`Shown to ${visitorId}`}, '{"en": "Hello"}')
      returning id
    )
    insert into proactive_receipts (site_id, visitor_id, message_id, language, seen_at)
    select ${siteId}, ${visitorId}, id, 'en', now() from message`.execute(db);
  await sql`
    insert into transcript_mails (site_id, conversation_id, email, created_at)
    select site_id, id, ${`${who}@secret.example`}, now() from conversations where session_id = ${sessionId}`.execute(
    db,
  );
  await sql`
    insert into chat_slas (site_id, conversation_id, sla, created_at)
    select site_id, id, '{}', now() from conversations where session_id = ${sessionId}`.execute(db);
  await sql`
    insert into chat_mails (site_id, conversation_id, is_outgoing, from_seq, to_seq, message_id, subject, from_address,
      to_address, quoted, state, error, created_at)
    select site_id, id, true, 1, 2, ${`${who}.chat`}, ${who}, ${who}, ${`${who}@secret.example`}, ${who}, 'refused',
      ${`550 no mailbox ${who}`}, now() from conversations where session_id = ${sessionId}`.execute(db);
  await sql`
    with made as (
      insert into actions (site_id, name, label, steps, created_at, updated_at)
      values (${siteId}, ${`Action ${randomUUID()}`}, ${randomUUID()}, '[]', now(), now()) returning id),
    call as (
      insert into action_calls (site_id, action_id, action_name, conversation_id, begun_by, key, method, input, started_at, expires_at, response_excerpt)
      select c.site_id, made.id, 'Orders', c.id, 'button', gen_random_uuid(), 'GET', ${JSON.stringify({ email: `${who}@secret.example` })}, now(), now(), ${`no orders of ${who}`}
      from conversations c, made where c.session_id = ${sessionId})
    insert into action_runs (site_id, conversation_id, action_id, action_version, begun_by, step, given, updated_at)
    select c.site_id, c.id, made.id, 1, 'button', 'ask', ${JSON.stringify({ email: `${who}@secret.example` })}, now()
    from conversations c, made where c.session_id = ${sessionId}`.execute(db);
  await sql`
    insert into segment_members (site_id, segment_id, visitor_id, entered_at)
    select s.site_id, s.id, v.id, now() from segments s join visitors v on v.site_id = s.site_id
    where s.site_id = ${siteId} and v.email = ${`${who}@secret.example`} on conflict do nothing`.execute(db);
  await sql`
    insert into webhook_attempts (site_id, delivery_id, number, at, status_code, duration_ms, response_excerpt)
    select d.site_id, d.id, 1, now(), 500, 5, ${`no such customer: ${who}`}
    from webhook_deliveries d join webhook_events e on e.site_id = d.site_id and e.id = d.event_id
    where d.site_id = ${siteId} and position(${Buffer.from(`user-${who}`)}::bytea in e.body) > 0`.execute(db);
  await sql`
    with made as (
      insert into imports (site_id, kind, agent_id, file_name, bytes, created_at)
      values (${siteId}, 'visitors', ${site.admin.agentId}, 'people.csv', 1, now()) returning id)
    insert into import_problems (site_id, import_id, line, cells, issues)
    select ${siteId}, id, 2, ${JSON.stringify([` ${who}@Secret.example`, `Ann ${who}`])}::jsonb, '[]' from made`.execute(
    db,
  );
}
