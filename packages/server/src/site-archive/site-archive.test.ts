import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp, type TestSite } from '../../test/app.ts';
import { ONE_PIXEL_PNG } from '../../test/examples.ts';
import { findDue } from '../../test/find-due.ts';
import { until } from '../../test/harness.ts';
import type { SiteContext } from '../core/context.ts';
import { ARCHIVED, SITE_TABLES, SITE_WITHOUT } from '../db/site-data.ts';
import { shapeOf } from '../db/table-shapes.ts';
import { keepImage } from '../knowledge/articles/images.ts';
import { setLogo } from '../sites/agents/faces.ts';
import { openDevice } from '../visitors/identity/devices.ts';
import { archiveClock, makeArchive } from './archives.ts';
import { entriesOf } from './entries.ts';
import { importSite } from './read.ts';
import { TAR_END, tarEntry } from './tar.ts';
import { newArchive, nextStep } from './write.ts';

let app: TestApp;
let site: TestSite;
let archive: Buffer;
/** The counts in the archive. */
let rows: Record<string, number>;
beforeAll(async () => {
  app = await startTestApp();
  site = await app.makeSite();
  await furnish(site);
  archive = await archiveOf(site.operator);
});
afterAll(() => app.close());

async function archiveOf(ctx: SiteContext): Promise<Buffer> {
  const parts: Buffer[] = [];
  let state = newArchive(randomUUID());
  while (!state.done) {
    // As another process would continue it.
    const step = await nextStep(ctx, JSON.parse(JSON.stringify(state)), '1.0.0');
    state = step.state;
    parts.push(step.bytes);
  }
  rows = state.rows;
  return Buffer.concat(parts);
}

/** The names of tables and columns in archives before migration 0068. */
const NAMES_BEFORE: Readonly<Record<string, { table?: string; columns?: Readonly<Record<string, string>> }>> =
  {
    visitors: {
      columns: {
        merged_into_id: 'folded_into_id',
        verified_fields: 'vouched',
        pre_chat_completed_at: 'introduced_at',
      },
    },
    slug_redirects: { table: 'former_slugs' },
    unanswered_questions: { table: 'gaps' },
    unanswered_question_terms: { table: 'gap_terms', columns: { question_id: 'gap_id' } },
    unanswered_question_messages: { table: 'gap_questions', columns: { question_id: 'gap_id' } },
    report_contributions: { table: 'report_counted' },
  };

/** The archive as Foyer wrote it before migration 0068. */
async function withNamesBefore(bytes: Buffer): Promise<Buffer> {
  const entries: Buffer[] = [];
  for await (const { name, content } of entriesOf(Readable.from([bytes]))) {
    const [now = '', file = ''] = name.split('/');
    const { table = now, columns = {} } = NAMES_BEFORE[now] ?? {};
    let text = content.toString('latin1');
    for (const [column, before] of Object.entries(columns))
      text = text.replaceAll(`"${column}":`, `"${before}":`);
    entries.push(await tarEntry(file ? `${table}/${file}` : name, Buffer.from(text, 'latin1')));
  }
  return gzipSync(Buffer.concat([...entries, TAR_END]));
}

const SESSION = 'ses_AAAAAAAAAAAAAAAAAAAAAA';
/** A chat that its agent has snoozed. */
const SNOOZED = 'ses_BBBBBBBBBBBBBBBBBBBBBB';
const SNOOZED_UNTIL = new Date(Math.floor(Date.now() / 1000) * 1000 + 3 * 86_400_000);
const FILE = Buffer.from('the bytes of an invoice');

async function furnish({ site: { id }, write, operator, admin, tokenIds }: TestSite): Promise<void> {
  const post = async (resource: string, body: object) => {
    const answer = await app.rest(write, 'POST', `/v1/${resource}`, body);
    if (answer.status >= 300) throw new Error(`${resource}: ${JSON.stringify(answer.body)}`);
    return answer.body.data;
  };
  await post('tags', { name: 'Refund' });
  await post('visitors', { key: 'customer-1', email: 'maya@example.com', name: 'مايا', plan: 'pro' });
  await post('track', { key: 'customer-1', name: 'bought', properties: { amount: 12 } });
  const image = await keepImage(operator, Buffer.from(ONE_PIXEL_PNG, 'base64'));
  await setLogo(operator, ONE_PIXEL_PNG);
  await post('articles', {
    title: 'Returns',
    body: `Within 30 days.\n\n![a label](${image.path})\n\n![elsewhere](https://old.example${image.path})`,
    status: 'Published',
    category: 'Orders',
  });
  await post('macros', {
    name: 'Mine',
    actions: [
      { type: 'assign', assignee_id: admin.agentId },
      { type: 'reply', body: 'Hello' },
    ],
  });
  await post('webhook_subscriptions', { url: 'http://127.0.0.1:9/', events: ['handoff'] });
  const segment = { name: 'Buyers', rule: { all: [{ attribute: 'plan', op: 'eq', value: 'pro' }] } };
  await post('segments', segment);
  const device = await openDevice(operator.db, id, { key: 'customer-1', now: new Date() });
  await sql`
    with chat as (
      insert into conversations (site_id, session_id, visitor_id, device_id, start_client_id, status, agent_id, last_seq)
      values (${id}, ${SESSION}, ${device.visitorId}, ${device.deviceId}, gen_random_uuid(), 'active', ${admin.agentId}, 1)
      returning id
    )
    insert into messages (site_id, conversation_id, seq, client_id, sender, agent_id, author_name, text)
    select ${id}, id, 1, gen_random_uuid(), 'agent', ${admin.agentId}, 'Ada', 'Good day' from chat`.execute(
    operator.db,
  );
  const ticket = await post('tickets', {
    subject: 'Where is it?',
    body: 'My order',
    requester: { key: 'customer-1' },
    session_id: SESSION,
    tags: ['Refund'],
  });
  await sql`update conversations set ticket_id = ${ticket.id} where site_id = ${id}`.execute(operator.db);
  await post('ticket_reply', {
    ticket_id: ticket.id,
    body: 'On its way',
    type: 'public',
    attachments: [{ name: 'invoice.pdf', content_type: 'application/pdf', content: FILE.toString('base64') }],
  });
  expect(tokenIds).toHaveLength(2);
  await sql`
    with merged as (
      insert into visitors (site_id, erased_at, merged_into_id)
      select site_id, now(), id from visitors where site_id = ${id} and key = 'customer-1'
    ), introduced as (
      update visitors set pre_chat_completed_at = now() where site_id = ${id} and key = 'customer-1'
    ), redirect as (
      insert into slug_redirects (site_id, kind, slug, article_id)
      select site_id, 'article', 'old-returns', id from articles where site_id = ${id}
    ), contribution as (
      insert into report_contributions (site_id, record, counts) values (${id}, ${SESSION}, '[]')
      on conflict do nothing
    ), question as (
      insert into unanswered_questions (site_id, question, terms, last_asked_at)
      values (${id}, 'Why?', '{why}', now()) returning id
    ), term as (
      insert into unanswered_question_terms (site_id, term, question_id) select ${id}, 'why', id from question
    )
    insert into unanswered_question_messages (site_id, conversation_id, seq, question, asked_at, question_id)
    select ${id}, c.id, 1, 'Why?', now(), q.id from question q, conversations c where c.site_id = ${id}`.execute(
    operator.db,
  );
  await sql`
    insert into conversations
      (site_id, session_id, visitor_id, device_id, start_client_id, status, agent_id, snoozed_until)
    values (${id}, ${SNOOZED}, ${device.visitorId}, ${device.deviceId}, gen_random_uuid(), 'active', ${admin.agentId},
      ${SNOOZED_UNTIL})`.execute(operator.db);
}

const countIn = async (ctx: SiteContext, table: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(table)} where site_id = ${ctx.site.id}`.execute(ctx.db);
  return rows[0]?.count ?? 0;
};

describe('of the schema', () => {
  test('no table of a site is forgotten: each is in the archive, or omitted for a reason', async () => {
    const { rows } = await sql<{ name: string }>`
      select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'site_id' order by 1`.execute(site.operator.db);
    expect(SITE_TABLES.map(({ name }) => name).toSorted()).toEqual(rows.map(({ name }) => name));
  });

  test('every named column exists, and every column of a secret is omitted', async () => {
    const left = new Map(ARCHIVED.map(({ name, without = [] }) => [name, without]));
    for (const { name, without = [], later = [] } of ARCHIVED) {
      const { columns } = await shapeOf(site.operator.db, name);
      expect(columns).toEqual(expect.arrayContaining([...without, ...later]));
    }
    const { rows } = await sql<{ table: string; column: string }>`
      select table_name as table, column_name as column from information_schema.columns
      where table_schema = 'public' and column_name ~ '(cipher|token_hash)'
        and table_name = any (${[...ARCHIVED.map(({ name }) => name), 'sites']}::text[])`.execute(
      site.operator.db,
    );
    expect(rows.length).toBeGreaterThan(3);
    for (const { table, column } of rows)
      expect(table === 'sites' ? SITE_WITHOUT : left.get(table)).toContain(column);
  });

  test('referenced rows come first, or the reference is filled in later', async () => {
    const place = new Map(ARCHIVED.map(({ name }, at) => [name, at]));
    const keys = await Promise.all(
      ARCHIVED.map(async ({ name, later }) =>
        (await shapeOf(site.operator.db, name)).references.map((key) => ({ ...key, table: name, later })),
      ),
    );
    for (const { table, to, columns, later } of keys.flat()) {
      const [from, target] = [place.get(table), place.get(to)];
      if (from === undefined || target === undefined) continue;
      const isLater = columns.some((column) => later?.includes(column));
      expect(isLater || target < from, `${table} → ${to}`).toBe(true);
    }
  });
});

test('an archive is a tar file of lines of JSON, without passwords, tokens or the secrets of webhooks', async () => {
  const tar = gunzipSync(archive).toString('latin1');
  for (const name of ['manifest.json', 'site.ndjson', 'visitors/000001.ndjson', 'end.json'])
    expect(tar).toContain(name);
  expect(tar).toContain('"key": "customer-1"');
  expect(tar).toContain(FILE.toString('latin1'));
  for (const secret of [site.write, 'secret_cipher', 'token_hash', 'password'])
    expect(tar).not.toContain(secret);
});

describe('imported into a new site', () => {
  let other: TestSite;
  let there: SiteContext;
  beforeAll(async () => {
    other = await app.makeSite();
    there = other.operator;
  });

  test('a truncated archive is reported and keeps its rows, and the complete one continues from there without duplicates', async () => {
    const short = gzipSync(
      gunzipSync(archive).subarray(0, Math.floor(gunzipSync(archive).length / 2 / 512) * 512),
    );
    await expect(importSite(there, () => Readable.from([short]))).rejects.toThrow(/is incomplete/);
    const report = await importSite(there, () => Readable.from([archive]));
    expect(report.not_taken).toEqual([]);
    expect(Object.values(rows).filter((count) => count > 0).length).toBeGreaterThan(15);
    const own: Record<string, number> = { agents: 1, api_tokens: 2 };
    for (const [name, count] of Object.entries(rows).filter(([table]) => table !== 'audit_entries'))
      expect([name, await countIn(there, name)]).toEqual([name, count + (own[name] ?? 0)]);
  });

  test('references are kept: a ticket has its requester, its chat, its tag, its reply and its file', async () => {
    const { body } = await app.rest(other.read, 'GET', '/v1/tickets');
    const [ticket] = body.data;
    expect(ticket).toMatchObject({
      subject: 'Where is it?',
      requester: { key: 'customer-1', name: 'مايا' },
      session_id: SESSION,
      tags: ['Refund'],
    });
    const one = (await app.rest(other.read, 'GET', `/v1/tickets?id=${ticket.id}`)).body.data;
    expect(one.replies[0]).toMatchObject({ body: 'On its way' });
    const { pathname, search } = new URL(one.replies[0].attachments[0].url);
    const file = await fetch(`${app.url}${pathname}${search}`);
    expect(Buffer.from(await file.arrayBuffer())).toEqual(FILE);
    const found = await app.rest(other.read, 'GET', '/v1/tickets?q=order');
    expect(found.body.data).toHaveLength(1);
  });

  test('the logo and the pictures of articles are this site’s own, at their addresses', async () => {
    const { body } = await app.rest(other.read, 'GET', '/v1/articles');
    const [, image = ''] = /!\[a label\]\((.*)\)/.exec(body.data[0].body) ?? [];
    expect(image).toMatch(new RegExp(`^/help/images/${other.site.id}-`));
    expect(body.data[0].body).toContain(`https://old.example/help/images/${site.site.id}-`);
    const { rows } = await sql<{ logo: string }>`select logo from sites where id = ${other.site.id}`.execute(
      other.operator.db,
    );
    expect(rows[0]?.logo).toMatch(new RegExp(`^${other.site.id}-`));
    for (const path of [image, `/pictures/${rows[0]?.logo}`])
      expect((await fetch(app.url + path)).headers.get('content-type')).toMatch(/^image\//);
  });

  test('agents are former people: they are in chats, can’t sign in, and nothing waits for them', async () => {
    const { body } = await app.rest(other.read, 'GET', `/v1/transcripts?sessionId=${SESSION}`);
    expect(body.data.status).toBe('waiting');
    expect(body.data.messages[0].author.name).toBe('Ada');
    expect(body.data.messages[0].author.id).not.toBe(site.admin.agentId);
    const cookie = await app.signIn(other.admin.email);
    const { body: chat } = await app.desk(cookie, 'sessions.get', { session_id: SESSION });
    // The reply to its ticket, which wasn't mailed, was written in the chat.
    expect(chat.data.last_message).toMatchObject({
      sender: 'agent',
      text: expect.stringContaining('On its way'),
    });
    expect(chat.data.unanswered_since_utc).not.toBeNull();
    const team = (await app.desk(cookie, 'agents.list')).body.data.agents;
    expect(team).toHaveLength(1);
    const macros = (await app.rest(other.read, 'GET', '/v1/macros')).body.data;
    expect(macros[0].actions[0].assignee_id).toBe(body.data.messages[0].author.id);
  });

  test('a snoozed chat stays out of the queues until its time, and then waits for an agent', async () => {
    const cookie = await app.signIn(other.admin.email);
    const { body } = await app.desk(cookie, 'sessions.get', { session_id: SNOOZED });
    expect(body.data).toMatchObject({
      status: 'waiting',
      agent: null,
      snoozed_until_utc: SNOOZED_UNTIL.toISOString(),
    });
    const waiting = async (): Promise<string[]> => {
      const found = await app.desk(cookie, 'sessions.list', { queue: 'waiting' });
      return found.body.data.map(({ session_id }: { session_id: string }) => session_id);
    };
    expect(await waiting()).not.toContain(SNOOZED);
    await sql`
      update conversations set snoozed_until = now() - interval '1 second'
      where site_id = ${other.site.id} and session_id = ${SNOOZED}`.execute(there.db);
    await until(async () => (await waiting()).includes(SNOOZED));
  });

  test('webhooks are off and have another secret, and new records have new ids', async () => {
    const [hook] = (await app.rest(other.read, 'GET', '/v1/webhook_subscriptions')).body.data;
    expect(hook).toMatchObject({ enabled: false, disabled_reason: expect.stringContaining('archive') });
    const made = await app.rest(other.write, 'POST', '/v1/tickets', {
      subject: 'New',
      body: 'New',
      requester: { key: 'customer-1' },
    });
    expect(made.status).toBe(201);
  });

  test('an archive with the names of before migration 0068 imports the same', async () => {
    const { operator: elsewhere } = await app.makeSite();
    const before = await withNamesBefore(archive);
    const report = await importSite(elsewhere, () => Readable.from([before]));
    expect(report.not_taken).toEqual([]);
    for (const table of Object.keys(NAMES_BEFORE))
      expect([table, await countIn(elsewhere, table)]).toEqual([table, rows[table]]);
    const { rows: people } = await sql`
      select merged_into_id is not null as merged, verified_fields as verified,
        pre_chat_completed_at is not null as completed
      from visitors where site_id = ${elsewhere.site.id} order by id`.execute(elsewhere.db);
    expect(people).toContainEqual({ merged: true, verified: [], completed: false });
    expect(people).toContainEqual({ merged: false, verified: ['email', 'name'], completed: true });
  });

  test('a second archive is refused, and so is a site in use', async () => {
    await expect(importSite(there, () => Readable.from([archive]))).rejects.toMatchObject({
      code: 'conflict',
    });
    const busy = await app.makeSite();
    await app.rest(busy.write, 'POST', '/v1/tags', { name: 'Mine' });
    await expect(importSite(busy.operator, () => Readable.from([archive]))).rejects.toMatchObject({
      code: 'conflict',
    });
  });
});

describe('requested at the desk', () => {
  const ready = async (cookie: string): Promise<{ url: string; bytes: number; records: number }> => {
    const archive = async () => (await app.desk(cookie, 'site_archives.get')).body.data.archive;
    await until(async () => (await archive())?.state === 'ready');
    return archive();
  };
  const fetchHere = (url: string) => fetch(`${app.url}${new URL(url).pathname}${new URL(url).search}`);

  test('it is created by a job, and downloaded by a link that this server has signed', async () => {
    const cookie = await app.signIn(site.admin.email);
    expect((await app.desk(cookie, 'site_archives.get')).body.data.archive).toBeNull();
    const begun = await app.desk(cookie, 'site_archives.create');
    expect(begun.body.data.archive).toMatchObject({ state: 'making', url: null, done: 0 });
    const { url, bytes, records } = await ready(cookie);
    const file = await fetchHere(url);
    expect(file.status).toBe(200);
    expect(file.headers.get('content-disposition')).toMatch(
      /^attachment; filename="site-\d+-[\d-]+\.tar\.gz"/,
    );
    const content = Buffer.from(await file.arrayBuffer());
    expect(content).toHaveLength(bytes);
    expect(records).toBeGreaterThan(15);
    const { operator } = await app.makeSite();
    expect((await importSite(operator, () => Readable.from([content]))).not_taken).toEqual([]);
    for (const altered of [
      url.replace(/.$/, 'x'),
      url.replace('expires=1', 'expires=2'),
      url.replace(/-\d+\?/, '-9?'),
    ])
      expect((await fetchHere(altered)).status).toBe(404);
  });

  test('it expires after a day, and its bytes are deleted', async () => {
    const cookie = await app.signIn(site.admin.email);
    const { url } = await ready(cookie);
    const { db } = site.operator;
    // Not now(): PostgreSQL counts microseconds, and the process may be within the same millisecond.
    await sql`
      update site_archives set expires_at = now() - interval '1 second'
      where site_id = ${site.site.id}`.execute(db);
    expect((await fetchHere(url)).status).toBe(404);
    // The app's own clock may have been faster.
    for (const { id } of await findDue(archiveClock, db, new Date(), 10))
      await archiveClock.run(site.operator, id);
    await expect.poll(() => countIn(site.operator, 'site_archive_parts')).toBe(0);
    expect((await app.desk(cookie, 'site_archives.get')).body.data.archive).toBeNull();
  });

  test('two processes at once create one archive, and a part that fails leaves no half', async () => {
    const cookie = await app.signIn((await app.makeSite()).admin.email);
    const begun = (await app.desk(cookie, 'site_archives.create')).body.data.archive;
    const { url, bytes } = await ready(cookie);
    // Again, like a job that is retried after its end: nothing is added.
    await makeArchive(site.operator, begun.id);
    expect(Buffer.from(await (await fetchHere(url)).arrayBuffer())).toHaveLength(bytes);
  });
});

test('a file that is no archive is refused, and the site stays as it was', async () => {
  const { operator } = await app.makeSite();
  for (const bytes of [Buffer.from('hello'), gzipSync('hello'), Buffer.alloc(0)])
    await expect(importSite(operator, () => Readable.from([bytes]))).rejects.toMatchObject({
      code: 'invalid_input',
    });
  expect(await countIn(operator, 'site_imports')).toBe(0);
});
