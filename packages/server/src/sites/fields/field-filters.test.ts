import { randomUUID } from 'node:crypto';
import type { CustomFieldCondition, Field, InboxView, Ticket } from '@foyer/protocol';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Json, startTestApp, type TestApp, type TestSite } from '../../../test/app.ts';
import { until } from '../../../test/harness.ts';
import { connectMcp } from '../../../test/mcp-client.ts';

// Custom fields as filters: of lists over REST and MCP, of the desk's inbox, and of saved views.

let app: TestApp;
let site: TestSite;
let cookie: string;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  site = await app.makeSite('growth');
  cookie = await app.signIn(site.admin.email);
});

async function ok(method: string, path: string, body?: object): Promise<Json> {
  const answer = await app.rest(site.write, method, `/v1/${path}`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.data;
}
async function desk(name: string, input: object): Promise<Json> {
  const answer = await app.desk(cookie, name, input);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.data;
}
const field = (body: object): Promise<Field> =>
  ok('POST', 'fields', { applies_to: 'tickets', kind: 'text', ...body });
const ticket = (subject: string, fields: object): Promise<Ticket> =>
  ok('POST', 'tickets', { subject, body: 'Hello', requester: { key: `user_${randomUUID()}` }, fields });
const asQuery = (fields: unknown): string => `fields=${encodeURIComponent(JSON.stringify(fields))}`;
const found = async (fields: CustomFieldCondition[], more = ''): Promise<string[]> =>
  (await ok('GET', `tickets?${asQuery(fields)}${more}`)).map(({ subject }: Ticket) => subject).toSorted();

async function someTickets(): Promise<void> {
  await field({ name: 'Cause', kind: 'choice', choices: ['Carrier', 'Us'] });
  await field({ name: 'Parts', kind: 'choices', choices: ['Shade', 'Cable', 'Bulb'] });
  await field({ name: 'Order' });
  await field({ name: 'Weight', kind: 'number' });
  await field({ name: 'Sent', kind: 'date' });
  await field({ name: 'Insured', kind: 'yes_no' });
  const a = { cause: 'Carrier', parts: ['Shade', 'Cable'], order: 'A-100', weight: 5, sent: '2026-03-01' };
  await ticket('A', { ...a, insured: true });
  await ticket('B', { cause: 'Us', parts: ['Bulb'], order: 'a-200', weight: 12, insured: false });
  await ticket('C', {});
}

test('tickets are listed by each kind of custom field, and by missing values', async () => {
  await someTickets();
  const by = (custom_field: string, op: string, value?: unknown): Promise<string[]> =>
    found([{ custom_field, op, ...(value !== undefined && { value }) } as CustomFieldCondition]);
  expect(await by('cause', 'eq', 'carrier')).toEqual(['A']);
  expect(await by('cause', 'ne', 'Carrier')).toEqual(['B', 'C']);
  expect(await by('parts', 'eq', 'Cable')).toEqual(['A']);
  expect(await by('order', 'contains', '00')).toEqual(['A', 'B']);
  expect(await by('order', 'contains', 'A-1')).toEqual(['A']);
  expect(await by('weight', 'gt', 5)).toEqual(['B']);
  expect(await by('weight', 'eq', 5)).toEqual(['A']);
  expect(await by('sent', 'lt', '2026-03-02')).toEqual(['A']);
  expect(await by('sent', 'gt', '2026-03-01')).toEqual([]);
  expect(await by('insured', 'eq', false)).toEqual(['B']);
  expect(await by('order', 'set')).toEqual(['A', 'B']);
  expect(await by('order', 'unset')).toEqual(['C']);
  expect(await by('nothing', 'ne', 'x')).toEqual([]);
  expect(await by('nothing', 'unset')).toEqual([]);
  const both: CustomFieldCondition[] = [
    { custom_field: 'order', op: 'set' },
    { custom_field: 'cause', op: 'eq', value: 'Us' },
  ];
  expect(await found(both)).toEqual(['B']);
  expect(await found([{ custom_field: 'order', op: 'set' }], '&priority=urgent')).toEqual([]);
});

test('an invalid condition is refused with its path, and so is a value that isn’t JSON', async () => {
  const refused = async (query: string): Promise<string[]> => {
    const { status, body } = await app.rest(site.read, 'GET', `/v1/tickets?${query}`);
    expect(status).toBe(400);
    return [...new Set<string>(body.error.issues.map(({ path }: Json) => path))];
  };
  expect(await refused(asQuery([{ custom_field: 'order', op: 'like', value: 'A' }]))).toEqual([
    'fields.0.op',
  ]);
  expect(await refused(asQuery([{ custom_field: 'order', op: 'gt', value: true }]))).toEqual([
    'fields.0.value',
  ]);
  expect(await refused(asQuery([]))).toEqual(['fields']);
  expect(await refused(asQuery(Array(6).fill({ custom_field: 'order', op: 'set' })))).toEqual(['fields']);
  expect(await refused('fields=order:A-100')).toEqual(['fields']);
  expect(await refused('fields={"__proto__":1}')).toEqual(['fields']);
});

test('without an index, a page ends after a number of tickets, and the next continues', async () => {
  await someTickets();
  await sql`
    insert into tickets (site_id, subject, description, requester_id, created_at, updated_at, last_activity_at)
    select site_id, 'Filler', '', requester_id, now(), now(), now()
    from (select site_id, requester_id from tickets where site_id = ${site.site.id} limit 1) t, generate_series(1, 2100)`.execute(
    site.operator.db,
  );
  const pages = async (conditions: CustomFieldCondition[]): Promise<string[][]> => {
    const read: string[][] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const query = `${asQuery(conditions)}${cursor ? `&cursor=${cursor}` : ''}`;
      const { body } = await app.rest(site.read, 'GET', `/v1/tickets?${query}`);
      read.push(body.data.map(({ subject }: Ticket) => subject));
      cursor = body.page.next_cursor;
    }
    return read;
  };
  const differs: CustomFieldCondition[] = [
    { custom_field: 'cause', op: 'ne', value: 'Carrier' },
    { custom_field: 'order', op: 'set' },
  ];
  expect(await pages(differs)).toEqual([['B']]);
  await field({ name: 'Place', key: 'place' });
  await sql`
    insert into ticket_fields (site_id, ticket_id, field_id, value)
    select t.site_id, t.id, f.id, case t.subject when 'Filler' then 'Shelf' else 'Drawer' end
    from tickets t join fields f on f.site_id = t.site_id and f.key = 'place' where t.site_id = ${site.site.id}`.execute(
    site.operator.db,
  );
  expect(await pages([{ custom_field: 'place', op: 'ne', value: 'Shelf' }])).toEqual([[], ['C', 'B', 'A']]);
  expect(await pages([{ custom_field: 'place', op: 'eq', value: 'drawer' }])).toEqual([['C', 'B', 'A']]);
});

/** A chat with fields. */
async function chat(fields: object): Promise<string> {
  const { session_id } = await ok('POST', 'conversations', {
    key: `user_${randomUUID()}`,
    text: 'Hello there',
  });
  await ok('PATCH', `conversations?session_id=${session_id}`, { fields });
  return session_id;
}

const idsOf = (chats: Json[]): string[] => chats.map(({ session_id }) => session_id);

test('chats are listed and searched by their own fields, open and closed, over REST, MCP and at the desk', async () => {
  await field({ applies_to: 'chats', name: 'Topic', kind: 'choice', choices: ['Parcel', 'Refund'] });
  await field({ name: 'Topic' });
  const [parcel] = [await chat({ topic: 'Parcel' }), await chat({ topic: 'Refund' }), await chat({})];
  await ticket('Parcel', { topic: 'Parcel' });
  const fields: CustomFieldCondition[] = [{ custom_field: 'topic', op: 'eq', value: 'parcel' }];
  expect(idsOf(await ok('GET', `conversations?${asQuery(fields)}`))).toEqual([parcel]);
  // The words of chats are indexed a moment later.
  await until(async () => (await ok('GET', 'conversations?q=hello')).length === 3);
  expect(idsOf(await ok('GET', `conversations?q=hello&${asQuery(fields)}`))).toEqual([parcel]);
  const mcp = await connectMcp(app.url, site.read);
  const listed = await mcp.call('list_conversations', { fields });
  expect(idsOf(listed.data.items)).toEqual([parcel]);
  expect((await mcp.call('list_tickets', { fields })).data.items).toMatchObject([{ subject: 'Parcel' }]);
  await mcp.close();
  expect(idsOf(await desk('sessions.list', { queue: 'open', fields }))).toEqual([parcel]);
  expect(await desk('inbox.tickets', { queue: 'open', fields })).toMatchObject([{ subject: 'Parcel' }]);
  const none: CustomFieldCondition[] = [{ custom_field: 'topic', op: 'unset' }];
  expect(await desk('inbox.tickets', { queue: 'open', fields: none })).toEqual([]);
  await ok('PATCH', `conversations?session_id=${parcel}`, { status: 'closed' });
  expect(idsOf(await desk('sessions.list', { queue: 'open', fields }))).toEqual([]);
  expect(idsOf(await desk('sessions.list', { queue: 'closed', fields }))).toEqual([parcel]);
  const hits = await desk('inbox.search', { q: 'hello', fields });
  expect(hits.map(({ kind }: Json) => kind).toSorted()).toEqual(['chat', 'ticket']);
});

test('views filter by fields, with their count, and say so when the field is gone', async () => {
  await someTickets();
  const fields: CustomFieldCondition[] = [{ custom_field: 'cause', op: 'eq', value: 'Us' }];
  const saved = await ok('POST', 'saved_views', { name: 'Our fault', filter: { fields } });
  expect(saved).toMatchObject({ filter: { fields }, count: 1 });
  const some = { fields: [{ custom_field: 'order', op: 'contains', value: '00' }] };
  expect(await ok('POST', 'saved_views', { name: 'Orders', filter: some })).toMatchObject({ count: 2 });
  expect((await ok('GET', `tickets?view=${saved.id}`)).map(({ subject }: Ticket) => subject)).toEqual(['B']);
  const list = { queue: 'open', sort: 'newest', fields };
  const view = await desk('inbox_views.create', { name: 'Ours', visibility: 'private', list });
  expect(view).toMatchObject({ list, count: 1, missing: [] });
  expect(await desk('bulk_changes.count', { of: { list: { queue: 'open', fields } } })).toEqual({ count: 1 });
  expect(await desk('bulk_changes.count', { of: { search: { fields } } })).toEqual({ count: 1 });
  const [{ id }] = await ok('GET', 'fields?applies_to=tickets');
  await ok('PATCH', `fields?id=${id}`, { archived: true });
  const { views } = await desk('inbox_views.list', {});
  const ours = views.filter(({ name }: InboxView) => name !== 'Orders');
  expect(ours.map(({ missing, count }: InboxView) => [missing, count])).toEqual([
    [['field'], 0],
    [['field'], 0],
  ]);
});
