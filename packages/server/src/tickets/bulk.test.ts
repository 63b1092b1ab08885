import { randomUUID } from 'node:crypto';
import { contract, type InputOf } from '@foyer/protocol';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { addAgentNamed, type Desk, openDesk } from '../../test/fixtures/tickets.ts';
import { useGround } from '../../test/ground.ts';
import type { SiteContext } from '../core/context.ts';
import { runOnce } from '../http/rest/idempotency.ts';
import { findOperation } from '../registry.ts';
import { createToken } from '../sites/tokens/api-tokens.ts';
import { changeInBulk } from './bulk.ts';
import { createMacro } from './macros/macros.ts';

const ground = useGround();
let desk: Desk;
beforeEach(async () => {
  desk = await openDesk(ground);
});

type Input = InputOf<'tickets_bulk.change'>;
const { input: schema } = contract['tickets_bulk.change'];
const bulk = (input: Input, ctx: SiteContext = desk.ctx) => changeInBulk(ctx, schema.parse(input));
const makeMany = async (count: number): Promise<number[]> => {
  const ids: number[] = [];
  for (let made = 0; made < count; made += 1) ids.push((await desk.make()).id);
  return ids;
};
const solveAndClose = async (id: number): Promise<void> => {
  await desk.change(id, { status: 'solved' });
  await desk.ctx.db
    .updateTable('tickets')
    .set({ status: 'closed' })
    .where('site_id', '=', desk.ctx.site.id)
    .where('id', '=', id)
    .execute();
};
const macroOf = async (actions: InputOf<'macros.create'>['actions']): Promise<number> => {
  const input = contract['macros.create'].input.parse({ name: randomUUID(), actions });
  return (await createMacro(desk.ctx, input)).id;
};
const tokenContext = async (): Promise<SiteContext> => {
  const { id: tokenId } = await createToken(ground.contextOf(desk.ctx.site.id), {
    name: randomUUID(),
    scopes: 'read,write',
  });
  return desk.as({ actor: { kind: 'token', tokenId, canWrite: true, requestCount: 1 } });
};
/** Like REST with an Idempotency-Key: all in one transaction. */
const once = (ctx: SiteContext, input: Input, key: string = randomUUID()) => {
  const operation = findOperation('tickets_bulk.change');
  if (!operation) throw new Error('there is no such operation');
  return runOnce(ctx, key, operation, input);
};

test('each action changes each ticket', async () => {
  const ids = await makeMany(2);
  const done = { succeeded: ids, failed: [] };
  const macro_id = await macroOf([{ type: 'reply', body: 'Hello {{visitor.name}}' }]);
  const until = new Date(Date.now() + 3_600_000).toISOString();
  expect(await bulk({ ids, action: 'assign', assignee_id: desk.ben.id })).toEqual(done);
  expect(await bulk({ ids, action: 'set_priority', priority: 'urgent' })).toEqual(done);
  expect(await bulk({ ids, action: 'add_tags', tags: ['a', 'b'] })).toEqual(done);
  expect(await bulk({ ids, action: 'remove_tags', tags: ['A'] })).toEqual(done);
  expect(await bulk({ ids, action: 'set_status', status: 'hold' })).toEqual(done);
  expect(await bulk({ ids, action: 'apply_macro', macro_id })).toEqual(done);
  expect(await bulk({ ids, action: 'snooze', until_utc: until })).toEqual(done);
  for (const id of ids)
    expect(await desk.get(id)).toMatchObject({
      assignee: desk.ben,
      priority: 'urgent',
      tags: ['b'],
      status: 'hold',
      snoozed_until_utc: until,
      replies: [{ body: 'Hello Ann' }],
    });
  expect(await bulk({ ids, action: 'snooze', until_utc: null })).toEqual(done);
  expect(await bulk({ ids, action: 'assign', assignee_id: null })).toEqual(done);
  expect(await desk.get(ids[0] ?? 0)).toMatchObject({
    snoozed_until_utc: null,
    assignee: null,
    status: 'open',
  });
});

test('a refusal by one ticket stops no other, and the results are in the order of the call', async () => {
  const [a = 0, closed = 0, b = 0] = await makeMany(3);
  await solveAndClose(closed);
  const other = await openDesk(ground);
  const { id: theirs } = await other.make();
  const never = 2 ** 53 - 1;
  const ids = [b, never, closed, a, theirs, b, a, never];
  expect(await bulk({ ids, action: 'set_status', status: 'pending' })).toEqual({
    succeeded: [b, a],
    failed: [
      { id: never, code: 'not_found', message: 'No such ticket.' },
      { id: closed, code: 'conflict', message: 'A ticket can’t go from closed to pending.' },
      { id: theirs, code: 'not_found', message: 'No such ticket.' },
    ],
  });
  expect(await other.get(theirs)).toMatchObject({ status: 'new' });
  // Named twice, changed once.
  const events = await desk.events('ticket_updated');
  expect(events.filter((event) => event.status === 'pending')).toHaveLength(2);
});

test('a macro is applied completely to each ticket or not at all', async () => {
  const [a = 0, closed = 0] = await makeMany(2);
  await solveAndClose(closed);
  const macro_id = await macroOf([
    { type: 'note', body: 'Closing' },
    { type: 'set_priority', priority: 'low' },
    { type: 'set_status', status: 'solved' },
  ]);
  expect(await bulk({ ids: [closed, a], action: 'apply_macro', macro_id })).toMatchObject({
    succeeded: [a],
    failed: [{ id: closed, code: 'conflict' }],
  });
  expect(await desk.get(closed)).toMatchObject({ priority: 'normal', replies: [] });
  expect(await desk.get(a)).toMatchObject({
    priority: 'low',
    status: 'solved',
    replies: [{ body: 'Closing' }],
  });
});

test('errors that concern all are reported at once, and nothing is done', async () => {
  const ids = await makeMany(2);
  const other = await openDesk(ground);
  const gone = await addAgentNamed(desk.ctx, 'Gone');
  const macro_id = await macroOf([
    { type: 'note', body: 'x' },
    { type: 'assign', assignee_id: gone.id },
  ]);
  await desk.ctx.db
    .updateTable('agents')
    .set({ removed_at: new Date() })
    .where('site_id', '=', desk.ctx.site.id)
    .where('id', '=', gone.id)
    .execute();
  const calls: [Input, string][] = [
    [{ ids, action: 'apply_macro', macro_id: 2 ** 53 - 1 }, 'not_found'],
    [{ ids, action: 'apply_macro', macro_id }, 'conflict'],
    [{ ids, action: 'assign', assignee_id: other.ben.id }, 'not_found'],
    [{ ids, action: 'assign', assignee_id: gone.id }, 'not_found'],
    [{ ids, action: 'snooze', until_utc: '2020-01-01' }, 'invalid_input'],
    [{ ids, action: 'snooze', until_utc: '9000-01-01' }, 'invalid_input'],
    [{ ids, action: 'delete' }, 'insufficient_scope'],
  ];
  for (const [input, code] of calls) await expect(bulk(input), input.action).rejects.toMatchObject({ code });
  for (const id of ids) expect(await desk.audit(id)).toEqual([['created', {}]]);
});

test('tokens and admins delete many, with everything that belongs to them', async () => {
  const ids = await makeMany(3);
  const admin = desk.as({ actor: { kind: 'agent', agentId: desk.ben.id, name: 'Ben', role: 'admin' } });
  expect(await bulk({ ids: ids.slice(0, 2), action: 'delete' }, admin)).toMatchObject({ failed: [] });
  const [, again, last] = ids;
  expect(await bulk({ ids: [again ?? 0, last ?? 0], action: 'delete' }, await tokenContext())).toMatchObject({
    succeeded: [last],
    failed: [{ id: again, code: 'not_found' }],
  });
  expect(await desk.list()).toEqual([]);
});

test('under an Idempotency-Key one bad id among good ones affects nothing else, and the response is kept', async () => {
  const [a = 0, closed = 0, b = 0] = await makeMany(3);
  await solveAndClose(closed);
  const ctx = await tokenContext();
  const macro_id = await macroOf([
    { type: 'note', body: 'Answering' },
    { type: 'reply', body: 'Hello' },
    { type: 'add_tags', tags: ['seen'] },
  ]);
  const input: Input = { ids: [b, 2 ** 53 - 1, closed, a], action: 'apply_macro', macro_id };
  const answer = {
    succeeded: [b, a],
    failed: [
      { id: 2 ** 53 - 1, code: 'not_found' },
      { id: closed, code: 'conflict' },
    ],
  };
  ground.notices.length = 0;
  expect(await once(ctx, input, 'key-1')).toMatchObject(answer);
  expect(ground.notices.filter(({ kind }) => kind === 'deliveries').length).toBe(4);
  expect(await once(ctx, input, 'key-1')).toMatchObject(answer);
  expect(await desk.events('ticket_replied')).toHaveLength(2);
  for (const id of [a, b]) expect(await desk.get(id)).toMatchObject({ tags: ['seen'], reply_count: 1 });
  expect(await desk.get(closed)).toMatchObject({ tags: [], replies: [] });
});

/** The database ends a deadlock after a second, and the call is then repeated, so results alone don't show one. */
const deadlocks = async (): Promise<number> => {
  const { rows } = await sql<{ deadlocks: number }>`
    select deadlocks from pg_stat_database where datname = current_database()`.execute(ground.db);
  return rows[0]?.deadlocks ?? -1;
};

test('calls with the same tickets in opposite order do not deadlock', async () => {
  const ids = await makeMany(8);
  const back = ids.toReversed();
  for (let round = 0; round < 3; round += 1) {
    const [a, b] = [`a${round}`, `b${round}`];
    const results = await Promise.all([
      bulk({ ids, action: 'add_tags', tags: [a, b] }),
      bulk({ ids: back, action: 'add_tags', tags: [b, a] }),
      bulk({ ids: back, action: 'set_priority', priority: 'high' }),
      bulk({ ids, action: 'set_priority', priority: 'low' }),
    ]);
    for (const { failed } of results) expect(failed).toEqual([]);
  }
  expect(await deadlocks()).toBe(0);
});

test('nor do they if each is one transaction, and also creates new tags', async () => {
  const ids = await makeMany(8);
  const back = ids.toReversed();
  const ctx = await tokenContext();
  for (let round = 0; round < 3; round += 1) {
    const macros = await Promise.all([
      macroOf([
        { type: 'add_tags', tags: [`x${round}`] },
        { type: 'note', body: 'x' },
        { type: 'add_tags', tags: [`y${round}`] },
      ]),
      macroOf([
        { type: 'add_tags', tags: [`y${round}`] },
        { type: 'note', body: 'y' },
        { type: 'add_tags', tags: [`x${round}`] },
      ]),
    ]);
    const [one = 0, other = 0] = macros;
    const results = await Promise.all([
      once(ctx, { ids, action: 'apply_macro', macro_id: one }),
      once(ctx, { ids: back, action: 'apply_macro', macro_id: other }),
      once(ctx, { ids: back.slice(0, 4), action: 'apply_macro', macro_id: one }),
      once(ctx, { ids: ids.slice(0, 4), action: 'apply_macro', macro_id: other }),
    ]);
    for (const result of results) expect(result).toMatchObject({ failed: [] });
  }
  expect(await deadlocks()).toBe(0);
});

test('a ticket that is deleted while the call waits for it is named, and the others are done', async () => {
  const [a = 0, b = 0] = await makeMany(2);
  let call: ReturnType<typeof bulk> | undefined;
  await desk.ctx.transaction(async (tx) => {
    await tx.db.deleteFrom('tickets').where('site_id', '=', tx.site.id).where('id', '=', a).execute();
    call = bulk({ ids: [a, b], action: 'set_priority', priority: 'high' });
  });
  expect(await call).toEqual({
    succeeded: [b],
    failed: [{ id: a, code: 'not_found', message: 'No such ticket.' }],
  });
});

test.each<[string, object, string[]]>([
  ['a field of another action', { action: 'delete', status: 'open' }, ['status']],
  ['two of them', { action: 'set_status', status: 'open', tags: ['a'], macro_id: 1 }, ['tags', 'macro_id']],
  ['no field', { action: 'assign' }, ['assignee_id']],
  ['an unknown field', { action: 'delete', force: true }, ['force']],
  ['an unknown action', { action: 'explode' }, ['action']],
  ['no tag', { action: 'add_tags', tags: [] }, ['tags']],
  ['null where nothing can be cleared', { action: 'set_priority', priority: null }, ['priority']],
  ['no ids', { ids: [], action: 'delete' }, ['ids']],
  ['too many ids', { ids: Array.from({ length: 501 }, (_, at) => at + 1), action: 'delete' }, ['ids']],
  ['ids that are none', { ids: [1, '2', 1.5], action: 'delete' }, ['ids.1', 'ids.2']],
])('refuses %s, and names the path', (_what, parts, paths) => {
  const { error } = schema.safeParse({ ids: [1], ...parts });
  const found = error?.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys : [issue.path.join('.')],
  );
  expect(found).toEqual(paths);
});
