import { randomUUID } from 'node:crypto';
import type { BulkChangeAction, BulkChangeState, BulkTarget } from '@foyer/protocol';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeAgent } from '../../../test/accounts.ts';
import { startTestApp, type TestApp, type TestSite } from '../../../test/app.ts';
import { until } from '../../../test/harness.ts';
import { TestSocket } from '../../../test/sockets.ts';
import { openChat } from '../../../test/stand.ts';
import { holdUp } from '../../../test/waiting.ts';
import { readSite } from '../../conversations/search/index-messages.ts';
import { workOnBulkChange } from './work.ts';

let app: TestApp;
let site: TestSite;
let cookie: string;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

beforeEach(async () => {
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
});

const hireBen = async (email: string): Promise<number> =>
  (await makeAgent(site.operator, { email, name: 'Ben' })).id;

async function desk<T>(operation: string, input: object = {}, as = cookie): Promise<T> {
  const { status, body } = await app.desk(as, operation, input);
  if (status >= 300) throw new Error(`${operation}: ${JSON.stringify(body)}`);
  return body.data;
}
const makeTicket = async (fields: object = {}): Promise<number> => {
  const ticket = { subject: 'Refund', body: 'Please', requester: { name: 'Mira' }, ...fields };
  return (await desk<{ id: number }>('tickets.create', ticket)).id;
};
const ticketOf = (id: number) =>
  desk<{ status: string; tags: string[]; priority: string }>('tickets.list', { id });

/** Until it has finished. */
async function settled(id: number, as = cookie): Promise<BulkChangeState> {
  const look = () => desk<BulkChangeState>('bulk_changes.get', { id }, as);
  await until(async () => (await look()).finished_utc !== null);
  return look();
}
const changeAll = async (of: BulkTarget, change: BulkChangeAction, as = cookie): Promise<BulkChangeState> =>
  settled((await desk<BulkChangeState>('bulk_changes.start', { of, change }, as)).id, as);

test('the records of a queue are changed, chats and tickets; those that join it later are not', async () => {
  const ids = [await makeTicket(), await makeTicket()];
  const chat = await openChat({ url: app.url, publicKey: site.publicKey });
  expect(await desk('bulk_changes.count', { of: { queue: 'open' } })).toEqual({ count: 3 });
  expect(await desk('bulk_changes.count', { of: { queue: 'open' }, most: 1 })).toEqual({ count: 2 });
  const agent = await TestSocket.agent(app.url, cookie);
  const begun = await desk<BulkChangeState>('bulk_changes.start', {
    of: { queue: 'open' },
    change: { action: 'add_tags', tags: ['vip'] },
  });
  const late = await makeTicket();
  expect(begun.total).toBe(3);
  expect(await settled(begun.id)).toMatchObject({ succeeded: 3, failed: 0, undoable: 3 });
  // Other desks are asked to reload at the end, not at their next interval.
  await agent.next('lists_stale');
  agent.cut();
  for (const id of ids) expect((await ticketOf(id)).tags).toEqual(['vip']);
  expect((await ticketOf(late)).tags).toEqual([]);
  expect(await desk('sessions.get', { session_id: chat.id })).toMatchObject({ tags: ['vip'] });
  chat.socket.cut();
});

test('an agent who reloads the page sees their own bulk change, its result only for a moment, and nobody else’s', async () => {
  await hireBen('latest@example.com');
  const ben = await app.signIn('latest@example.com');
  const latest = async (as = cookie) =>
    (await desk<{ latest: BulkChangeState | null }>('bulk_changes.latest', {}, as)).latest;
  expect(await latest()).toBeNull();
  const tickets = [await makeTicket()];
  const change = { action: 'set_priority', priority: 'high' } as const;
  const { id } = await changeAll({ tickets, sessions: [] }, change);
  expect(await latest()).toMatchObject({ id, action: 'set_priority', undoable: 1 });
  expect(await latest(ben)).toBeNull();
  const undo = await settled((await desk<BulkChangeState>('bulk_changes.undo', { id })).id);
  expect(await latest()).toMatchObject({ id: undo.id, action: null, undoable: 0 });
  await sql`update bulk_changes set finished_at = finished_at - interval '3 minutes'`.execute(
    app.app.database.db,
  );
  expect(await latest()).toBeNull();
});

test('it is undone, once, except for records that were changed since', async () => {
  const [mine, theirs] = [await makeTicket({ priority: 'low' }), await makeTicket()];
  const of = { tickets: [mine, theirs], sessions: [] };
  const { id } = await changeAll(of, { action: 'set_priority', priority: 'urgent' });
  await desk('tickets.update', { id: theirs, priority: 'high' });
  const undone = await settled((await desk<BulkChangeState>('bulk_changes.undo', { id })).id);
  expect(undone).toMatchObject({ succeeded: 1, undoable: 0 });
  expect(undone.failures).toMatchObject([
    { ticket_id: theirs, session_id: null, code: 'conflict', reason: 'bulk_changed_since' },
  ]);
  expect(await ticketOf(mine)).toMatchObject({ priority: 'low', status: 'new' });
  expect((await ticketOf(theirs)).priority).toBe('high');
  expect((await app.desk(cookie, 'bulk_changes.undo', { id })).status).toBe(409);
});

test('chats are finished with tickets; a change that chats don’t have fails for them, with the reason', async () => {
  const ticket = await makeTicket();
  const chat = await openChat({ url: app.url, publicKey: site.publicKey });
  const of = { tickets: [ticket], sessions: [chat.id] };
  const set = await changeAll(of, { action: 'set_priority', priority: 'high' });
  expect(set.failures).toMatchObject([
    { ticket_id: null, session_id: chat.id, code: 'conflict', reason: 'bulk_not_for_chats' },
  ]);
  expect(await changeAll(of, { action: 'finish' })).toMatchObject({ succeeded: 2, failed: 0, undoable: 1 });
  expect((await ticketOf(ticket)).status).toBe('solved');
  expect(await desk('sessions.get', { session_id: chat.id })).toMatchObject({ status: 'closed' });
  chat.socket.cut();
});

test('chats are assigned to a colleague, and an undo restores them', async () => {
  const chat = await openChat({ url: app.url, publicKey: site.publicKey });
  const ben = await hireBen('ben@handed.example');
  await desk('sessions.accept', { session_id: chat.id });
  const of = { tickets: [], sessions: [chat.id] };
  const { id } = await changeAll(of, { action: 'assign', assignee_id: ben });
  expect(await desk('sessions.get', { session_id: chat.id })).toMatchObject({ agent: { id: ben } });
  await settled((await desk<BulkChangeState>('bulk_changes.undo', { id })).id);
  expect(await desk('sessions.get', { session_id: chat.id })).toMatchObject({
    agent: { id: site.admin.agentId },
  });
  chat.socket.cut();
});

test('a search selects what it finds: by fields tickets alone, by words chats as well', async () => {
  await makeTicket({ subject: 'A lantern', priority: 'high' });
  await makeTicket({ subject: 'A lantern' });
  const chat = await openChat({ url: app.url, publicKey: site.publicKey });
  await desk('sessions.accept', { session_id: chat.id });
  const said = { session_id: chat.id, client_id: randomUUID(), text: 'Your teapot is blue' };
  await desk('sessions.reply', said);
  await readSite(site.operator);
  const count = async (search: object) =>
    (await desk<{ count: number }>('bulk_changes.count', { of: { search } })).count;
  expect(await count({ q: 'lantern', priority: 'high' })).toBe(1);
  expect(await count({ q: 'lantern' })).toBe(2);
  expect(await count({ q: 'teapot is' })).toBe(1);
  const view = await desk<{ id: number }>('saved_views.create', {
    name: 'High',
    filter: { priority: 'high' },
  });
  expect(await count({ view: view.id })).toBe(1);
  chat.socket.cut();
});

test('agents may do to many only what they may do to one, and see only their own changes', async () => {
  await hireBen('ben@singly.example');
  const benCookie = await app.signIn('ben@singly.example');
  const id = await makeTicket();
  const of = { tickets: [id], sessions: [] };
  const start = { of, change: { action: 'delete' } };
  expect((await app.desk(benCookie, 'bulk_changes.start', start)).status).toBe(403);
  const own = await changeAll(of, { action: 'set_priority', priority: 'high' }, benCookie);
  expect((await app.desk(cookie, 'bulk_changes.get', { id: own.id })).status).toBe(404);
  expect((await app.desk(cookie, 'bulk_changes.undo', { id: own.id })).status).toBe(404);
  const history = await desk<{ author: { name: string } }[]>('tickets.history', { id });
  expect(history[0]?.author.name).toBe('Ben');
});

/** A change without a job. */
const writeDown = (agent_id: number, change: BulkChangeAction, ids: readonly number[]): Promise<number> =>
  site.operator.transaction(async (tx) => {
    const site_id = tx.site.id;
    const { id } = await tx.db
      .insertInto('bulk_changes')
      .values({ site_id, agent_id, change: JSON.stringify(change), created_at: tx.now() })
      .returning('id')
      .executeTakeFirstOrThrow();
    for (const [position, ticket_id] of ids.entries())
      await tx.db
        .insertInto('bulk_change_items')
        .values({ site_id, bulk_change_id: id, position, ticket_id })
        .execute();
    return id;
  });

test('a macro that is applied to many counts each of them once, even by several workers at once', async () => {
  const ids = [await makeTicket(), await makeTicket(), await makeTicket()];
  const actions = [{ type: 'set_priority', priority: 'high' }];
  const macro = await desk<{ id: number }>('macros.create', { name: 'Raise', actions });
  const begun = await writeDown(site.admin.agentId, { action: 'apply_macro', macro_id: macro.id }, ids);
  const job = app.app.contextFor(site.site, { kind: 'job' });
  await Promise.all([1, 2, 3].map(() => workOnBulkChange(job, begun)));
  const { macros } = await desk<{ macros: { uses: number }[] }>('macros.uses');
  expect(macros).toMatchObject([{ uses: 3 }]);
});

test('a change that adds something is made once per record, even by two workers at once', async () => {
  const ids = [await makeTicket()];
  const actions = [{ type: 'note', body: 'Checked.' }];
  const macro = await desk<{ id: number }>('macros.create', { name: 'Check', actions });
  const begun = await writeDown(site.admin.agentId, { action: 'apply_macro', macro_id: macro.id }, ids);
  const job = app.app.contextFor(site.site, { kind: 'job' });
  const holder = await holdUp(app.databaseUrl);
  await holder.query('select from bulk_change_items where bulk_change_id = $1 for update', [begun]);
  const works = [1, 2].map(() => workOnBulkChange(job, begun));
  await Promise.race([holder.awaited(works.length), Promise.allSettled(works)]);
  await holder.commit();
  await Promise.all(works);
  const { replies } = await desk<{ replies: { body: string }[] }>('tickets.list', { id: ids[0] });
  expect(replies.map(({ body }) => body)).toEqual(['Checked.']);
});

test('an undone snooze leaves a ticket as it was', async () => {
  const ids = [await makeTicket(), await makeTicket()];
  const [waits = 0, fresh = 0] = ids;
  await desk('tickets.update', { id: waits, status: 'pending' });
  const until_utc = new Date(Date.now() + 3_600_000).toISOString();
  const { id } = await changeAll({ tickets: ids, sessions: [] }, { action: 'snooze', until_utc });
  await settled((await desk<BulkChangeState>('bulk_changes.undo', { id })).id);
  expect(await ticketOf(waits)).toMatchObject({ status: 'pending', snoozed_until_utc: null });
  // It was changed.
  expect((await ticketOf(fresh)).status).toBe('open');
});

test('chats are snoozed with tickets, except the bot’s, and are restored when it is undone', async () => {
  const until_utc = new Date(Date.now() + 3_600_000).toISOString();
  const earlier = new Date(Date.now() + 1_800_000).toISOString();
  const chats = await Promise.all([1, 2, 3].map(() => openChat({ url: app.url, publicKey: site.publicKey })));
  const [mine = '', moved = '', bots = ''] = chats.map(({ id }) => id);
  for (const session_id of [mine, moved]) await desk('sessions.accept', { session_id });
  await desk('sessions.snooze', { session_id: moved, until_utc: earlier });
  const of = { tickets: [await makeTicket()], sessions: [mine, moved, bots] };
  const done = await changeAll(of, { action: 'snooze', until_utc });
  expect(done).toMatchObject({ succeeded: 3, failed: 1, undoable: 3 });
  expect(done.failures).toMatchObject([{ session_id: bots, code: 'conflict', reason: 'chat_with_bot' }]);
  const ends = async (session_id: string) =>
    (await desk<{ snoozed_until_utc: string | null }>('sessions.get', { session_id })).snoozed_until_utc;
  for (const id of [mine, moved]) expect(await ends(id)).toBe(until_utc);
  expect(await desk('bulk_changes.count', { of: { queue: 'snoozed' } })).toEqual({ count: 3 });
  await settled((await desk<BulkChangeState>('bulk_changes.undo', { id: done.id })).id);
  expect([await ends(mine), await ends(moved)]).toEqual([null, earlier]);
  for (const { socket } of chats) socket.cut();
});

test('a snoozed chat that was assigned to a colleague is snoozed again when that is undone', async () => {
  const ben = await hireBen('ben@snoozed.example');
  const { socket, id } = await openChat({ url: app.url, publicKey: site.publicKey });
  await desk('sessions.accept', { session_id: id });
  const until_utc = new Date(Date.now() + 3_600_000).toISOString();
  await desk('sessions.snooze', { session_id: id, until_utc });
  const done = await changeAll({ tickets: [], sessions: [id] }, { action: 'assign', assignee_id: ben });
  expect(await desk('sessions.get', { session_id: id })).toMatchObject({ snoozed_until_utc: null });
  await settled((await desk<BulkChangeState>('bulk_changes.undo', { id: done.id })).id);
  expect(await desk('sessions.get', { session_id: id })).toMatchObject({
    agent: { id: site.admin.agentId },
    snoozed_until_utc: until_utc,
  });
  socket.cut();
});

test('a job that is run again, or twice at once, does nothing twice; that of a removed agent changes nothing more', async () => {
  const ids = await Promise.all(Array.from({ length: 12 }, () => makeTicket()));
  const ben = await hireBen('ben@leaves.example');
  const job = app.app.contextFor(site.site, { kind: 'job' });
  const begun = await writeDown(ben, { action: 'add_tags', tags: ['once'] }, ids);
  await Promise.all([workOnBulkChange(job, begun), workOnBulkChange(job, begun)]);
  for (const id of ids) {
    const history = await desk<unknown[]>('tickets.history', { id });
    expect(history.filter((entry) => JSON.stringify(entry).includes('once'))).toHaveLength(1);
  }
  await site.operator.db
    .updateTable('bulk_changes')
    .set({ finished_at: null })
    .where('id', '=', begun)
    .execute();
  await site.operator.db
    .updateTable('bulk_change_items')
    .set({ done_at: null })
    .where('bulk_change_id', '=', begun)
    .where('position', '=', 0)
    .execute();
  await site.operator.db
    .updateTable('agents')
    .set({ removed_at: new Date() })
    .where('id', '=', ben)
    .execute();
  await workOnBulkChange(job, begun);
  const [item] = await site.operator.db
    .selectFrom('bulk_change_items')
    .select('code')
    .where('bulk_change_id', '=', begun)
    .where('position', '=', 0)
    .execute();
  expect(item?.code).toBe('insufficient_scope');
});
