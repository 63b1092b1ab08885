import type { OperationName } from '@foyer/protocol';
import { sql } from 'kysely';
import { readAllChats, readSite } from '../packages/server/src/conversations/search/index-messages.ts';
import type { SiteContext } from '../packages/server/src/core/context.ts';
import { type Database, openDatabase } from '../packages/server/src/db/database.ts';
import { operations, runOperation } from '../packages/server/src/registry.ts';
import { fillBatch } from '../packages/server/src/visitors/segments/batches.ts';
import { createSegment } from '../packages/server/src/visitors/segments/segments.ts';
import { contextOf } from './context.ts';
import type { Figure } from './figures.ts';
import { withDatabase } from './foyer.ts';
import { cpuMsOf } from './processes.ts';
import { fillChats } from './report-chats.ts';
import { seed } from './seed.ts';
import { nameOf } from './seed-text.ts';

const VISITORS = Number(process.env.FOYER_BENCH_VISITORS ?? 300_000);
const TICKETS = Math.floor((VISITORS * 2) / 3);
const CHATS = Math.floor(VISITORS / 5);
/** Waiting chats, of which each agent has a notification. */
const WAITING = 1_200;
const WANTED = 10;
const LEAST_MS = 400;
const LEAST_RUNS = 10;

const someone = nameOf(Math.floor(VISITORS / 4));
const address = `${someone.first}.${someone.last}${Math.floor(VISITORS / 4)}@example.com`.toLowerCase();
const isPro = { all: [{ attribute: 'plan', op: 'eq', value: 'growth' }] };
const hasBought = { all: [{ event: 'bought', op: 'gte', count: 1 }] };

type Asked = readonly [what: string, name: OperationName, input: object];

const ASKED: readonly Asked[] = [
  ['names of attributes and events', 'visitor_fields.list', {}],
  ['a part of an export', 'visitors.export', { columns: ['plan'] }],
  ['preview of a rule', 'segments.preview', { rule: isPro }],
  ['… of events', 'segments.preview', { rule: hasBought }],
  ['notifications', 'notifications.list', {}],
  ['storage', 'usage.storage', {}],
  ['uses of 230 tags', 'tags.uses', {}],
  ['what a queue has, up to 1,000', 'bulk_changes.count', { of: { queue: 'open' }, most: 1_000 }],
  ['what a search finds, up to 1,000', 'bulk_changes.count', { of: { search: { q: 'order' } }, most: 1_000 }],
  ['inbox search, a common word', 'inbox.search', { q: 'order', limit: 25 }],
  ['… a phrase', 'inbox.search', { q: '"the order"', limit: 25 }],
  ['visitor search, a name', 'visitors.find', { q: `${someone.first} ${someone.last}`, limit: 25 }],
  [
    '… mistyped',
    'visitors.find',
    { q: `${someone.first} ${someone.last.replace(/.(..)$/, 'x$1')}`, limit: 25 },
  ],
  ['… a surname, mistyped', 'visitors.find', { q: someone.last.replace(/.(..)$/, 'x$1'), limit: 25 }],
  ['… a name that nobody has', 'visitors.find', { q: 'Bartholomew Featherstone', limit: 25 }],
  ['… an address', 'visitors.find', { q: address, limit: 25 }],
  ['… mistyped', 'visitors.find', { q: address.replace('example', 'exmaple'), limit: 25 }],
];

/** On one connection, so that all of PostgreSQL's work is in one process. */
const agentContext = (database: Database, siteId: number, agentId: number): SiteContext =>
  contextOf(database.db, siteId, { kind: 'agent', agentId, name: 'Bench', role: 'admin' });

async function fill(database: Database): Promise<SiteContext> {
  const { siteId, agentIds } = await seed(database.url, { tickets: TICKETS, visitors: VISITORS });
  await fillChats(database.db, siteId, CHATS);
  const ctx = agentContext(database, siteId, agentIds[0] ?? 0);
  await readAllChats(ctx);
  const isLeft = sql`select from message_search_progress where site_id = ${siteId} and chats_below is not null`;
  while ((await isLeft.execute(database.db)).rows.length > 0) await readSite(ctx);
  await sql`
    insert into visitor_events (site_id, visitor_id, name, occurred_at)
    select site_id, id, (array['seen', 'bought', 'looked'])[1 + id % 3], now() from visitors
    where site_id = ${siteId}`.execute(database.db);
  await sql`
    update conversations set status = 'waiting', agent_id = null, ended_at = null, waiting_since = started_at
    where site_id = ${siteId} and id in (
      select id from conversations where site_id = ${siteId} order by id desc limit ${WAITING})`.execute(
    database.db,
  );
  await sql`
    insert into notifications (site_id, agent_id, kind, conversation_id, happened_at, unseen_since)
    select a.site_id, a.id, 'chat_waiting', c.id, c.started_at, now()
    from conversations c join agents a on a.site_id = c.site_id
    where c.site_id = ${siteId} and c.status = 'waiting'`.execute(database.db);
  await sql`vacuum (analyze)`.execute(database.db);
  return ctx;
}

/** Milliseconds of CPU per run. */
async function cpuOf(pid: number, run: () => Promise<unknown>): Promise<number> {
  await run();
  const [own, theirs] = [process.cpuUsage(), cpuMsOf([pid])];
  for (let runs = 1; ; runs++) {
    await run();
    const { user, system } = process.cpuUsage(own);
    const spent = (user + system) / 1_000 + cpuMsOf([pid]) - theirs;
    if (runs >= LEAST_RUNS && spent >= LEAST_MS) return spent / runs;
  }
}

async function measure(database: Database, filled: SiteContext): Promise<Figure[]> {
  const ctx = agentContext(
    database,
    filled.site.id,
    filled.actor.kind === 'agent' ? filled.actor.agentId : 0,
  );
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(database.db);
  const pid = rows[0]?.pid ?? 0;
  const ask = (name: OperationName, input: object): Promise<number> => {
    const operation = operations.find((one) => one.name === name);
    if (!operation) throw new Error(`no operation ${name}`);
    return cpuOf(pid, () => runOperation(operation, ctx, input));
  };
  const lookup = await ask('visitors.find', { key: `user_${Math.floor(VISITORS / 2)}` });
  const figure = (what: string, ours: number): Figure => ({
    what,
    ours: `${ours.toFixed(1)} ms`,
    bare: `${lookup.toFixed(2)} ms`,
    ratio: `${(ours / lookup).toFixed(1)} ×`,
    wanted: `≤ ${WANTED} ×`,
  });
  const figures: Figure[] = [];
  for (const [what, name, input] of ASKED) figures.push(figure(`CPU: ${what}`, await ask(name, input)));
  const rule = { all: [{ attribute: 'plan', op: 'eq' as const, value: 'nobody' }] };
  const { id } = await createSegment(ctx, { name: 'Bench', rule });
  const { filling } = await database.db
    .selectFrom('segments')
    .select('filling')
    .where('site_id', '=', ctx.site.id)
    .executeTakeFirstOrThrow();
  const batch = await cpuOf(pid, () => ctx.transaction((tx) => fillBatch(tx, id, filling)));
  return [...figures, figure('CPU: 500 visitors of a segment being filled, none in it', batch)];
}

export const growing = (): Promise<Figure[]> =>
  withDatabase(async (database) => {
    const filled = await fill(database);
    const one = openDatabase(database.url, { max: 1 });
    return measure(one, filled).finally(one.close);
  });
