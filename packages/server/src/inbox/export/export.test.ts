import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAgent, PASSWORD } from '../../../test/accounts.ts';
import { startTestApp, type TestApp, type TestSite } from '../../../test/app.ts';
import { openChat } from '../../../test/stand.ts';
import { csvRecords } from '../../base/csv.ts';

let app: TestApp;
let site: TestSite;
let cookie: string;
beforeAll(async () => {
  app = await startTestApp();
  site = await app.makeSite('growth');
  cookie = await app.signIn(site.admin.email);
});
afterAll(() => app.close());

const post = async (path: string, body: object) =>
  (await app.rest(site.write, 'POST', `/v1/${path}`, body)).body.data;

/** All parts as rows by column. */
async function exported(kind: 'tickets' | 'chats', of: object): Promise<Record<string, string>[]> {
  let text = '';
  let after: string | undefined;
  do {
    const { body } = await app.desk(cookie, 'inbox.export', { kind, of, ...(after && { after }) });
    text += body.data.text;
    after = body.data.next ?? undefined;
  } while (after);
  const [head = [], ...rows] = [...csvRecords(text)].map(({ cells }) => cells);
  return rows.map((cells) => Object.fromEntries(head.map((name, at) => [name, cells[at] ?? ''])));
}

test('the tickets of a list are exported with their fields, and no cell runs as a formula', async () => {
  await post('fields', { applies_to: 'tickets', name: 'Order', key: 'order_no', kind: 'text' });
  await post('fields', {
    ...{ applies_to: 'tickets', name: 'Parts', key: 'parts', kind: 'choices' },
    choices: ['Lamp, big', 'Shade'],
  });
  const requester = { key: 'user_1', name: 'Ann', email: 'ann@example.com' };
  const urgent = await post('tickets', {
    ...{ subject: '=1+1', body: 'Line one\nline "two"', requester, priority: 'urgent', tags: ['Refund'] },
    fields: { order_no: 'A-7', parts: ['Lamp, big', 'Shade'] },
  });
  await post('tickets', { subject: 'Other', body: 'Hello', requester });
  const rows = await exported('tickets', { list: { queue: 'open', priority: 'urgent' } });
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({
    ...{ id: String(urgent.id), subject: "'=1+1", description: 'Line one\nline "two"', priority: 'urgent' },
    ...{ requester_name: 'Ann', tags: 'Refund', order_no: 'A-7', parts: 'Lamp, big; Shade' },
  });
  expect(await exported('tickets', { search: { q: 'Hello' } })).toMatchObject([{ subject: 'Other' }]);
  expect(await exported('tickets', { queue: 'closed' })).toEqual([]);
});

test('the chats of a list are exported with their fields', async () => {
  await post('fields', { applies_to: 'chats', name: 'Topic', key: 'topic', kind: 'text' });
  const { socket, id } = await openChat({ url: app.url, publicKey: site.publicKey });
  socket.cut();
  await app.rest(site.write, 'PATCH', `/v1/conversations?session_id=${id}`, { fields: { topic: 'Bills' } });
  expect(await exported('chats', { queue: 'open' })).toMatchObject([{ session_id: id, topic: 'Bills' }]);
  expect(await exported('chats', { list: { team_id: 'none', tag: 'none such' } })).toEqual([]);
});

test('a long list comes in parts, at the desk and over REST, and each ticket once', async () => {
  const other = await app.makeSite();
  const theirs = await app.signIn(other.admin.email);
  await sql`
    with person as (insert into visitors (site_id, key) values (${other.site.id}, 'user_1') returning site_id, id)
    insert into tickets (site_id, subject, description, requester_id)
    select site_id, 'Ticket ' || n, '', id from person, generate_series(1, 2100) n`.execute(site.operator.db);
  const mine = cookie;
  cookie = theirs;
  const rows = await exported('tickets', { queue: 'open' });
  cookie = mine;
  expect(new Set(rows.map(({ subject }) => subject)).size).toBe(2_100);
  expect(rows).toHaveLength(2_100);
  let text = '';
  let next: string | null = '';
  while (next !== null) {
    const { data }: { data: { text: string; next: string | null } } = (
      await app.rest(other.read, 'GET', `/v1/exports?kind=tickets&queue=open${next && `&after=${next}`}`)
    ).body;
    text += data.text;
    next = data.next;
  }
  const [, ...lines] = [...csvRecords(text)];
  expect(new Set(lines.map(({ cells }) => cells[1])).size).toBe(2_100);
  expect(lines).toHaveLength(2_100);
});

test('programs export the same with the filter in the query, if their token allows it', async () => {
  const get = (query: string, token = site.read) => app.rest(token, 'GET', `/v1/exports?${query}`);
  const { text } = (await get('kind=tickets&priority=urgent&tag=refund&queue=open')).body.data;
  const [head, ...rows] = [...csvRecords(text)].map(({ cells }) => cells);
  expect(rows.map((cells) => [cells[1], cells[head?.indexOf('order_no') ?? -1]])).toEqual([["'=1+1", 'A-7']]);
  expect((await get('kind=tickets&q=Hello')).body.data.text).toContain('Other');
  expect([...csvRecords((await get('kind=chats&tag=refund')).body.data.text)]).toHaveLength(1);
  const [entry] = (await app.desk(cookie, 'audit.list', { limit: 1 })).body.data;
  expect(entry).toMatchObject({ action: 'exports.get', subject: 'export', actor: { kind: 'token' } });
  for (const odd of [
    'kind=notes',
    'kind=tickets&queue=open&q=Hello',
    'kind=chats&view=1',
    'kind=tickets&queue=mine',
  ])
    expect([odd, (await get(odd)).status]).toEqual([odd, 400]);
  expect((await get('kind=tickets&view=4000000')).status).toBe(404);
  const { token } = (await app.desk(cookie, 'api_tokens.create', { name: 'Only tags', scopes: 'tags:read' }))
    .body.data;
  expect((await get('kind=tickets', token)).status).toBe(403);
});

test('only agents with the permission export, and the audit log records it', async () => {
  const email = `ben-${randomUUID()}@example.com`;
  await makeAgent(site.operator, { email, name: 'Ben' });
  const ben = await app.signIn(email, PASSWORD);
  const input = { kind: 'tickets', of: { queue: 'open' } };
  expect((await app.desk(ben, 'inbox.export', input)).status).toBe(403);
  await app.desk(cookie, 'inbox.export', input);
  const [entry] = (await app.desk(cookie, 'audit.list', { limit: 1 })).body.data;
  expect(entry).toMatchObject({
    action: 'inbox.export',
    subject: 'export',
    actor: { id: site.admin.agentId },
  });
});
