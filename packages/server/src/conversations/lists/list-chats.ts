import { INBOX_SORTS, type InboxSort, type ParsedInputOf, type Session } from '@foyer/protocol';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { type Page, pageOf } from '../../db/keyset.ts';
import { prepared } from '../../db/prepared.ts';
import { loadSessions, presentSession, type SessionRow } from '../sessions.ts';
import { type ChatFilter, chatConditions, fewChatsOf } from './chat-filter.ts';
import { cursorOf, type InboxPlace, placeIn } from './inbox-place.ts';
import { inQueue } from './queues.ts';

type List = ParsedInputOf<'sessions.list'> & ChatFilter;
type Condition = RawBuilder<SqlBool>;

/** How many closed chats a page reads. Then it ends, and the next continues there. */
const LOOKED_AT = 3_000;

interface Order {
  direction: 'asc' | 'desc';
  /** Expressions on chats `c`. The id is the last sort column of every order. */
  rank: RawBuilder<unknown>;
  ms: RawBuilder<unknown>;
  place(row: SessionRow): InboxPlace;
}

const activeAt = ({ said_at, started_at }: SessionRow): number => (said_at ?? started_at).getTime();
const isWaiting = ({ status, unanswered_since }: SessionRow): boolean =>
  (status === 'waiting' || status === 'active') && unanswered_since !== null;

const msOf = (time: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(extract(epoch from ${time}) * 1000)::bigint`;
const WAITS = sql`(c.status in ('waiting', 'active') and c.unanswered_since is not null)`;
const ACTIVE = sql`coalesce(c.said_at, c.started_at)`;
const NO_RANK = sql`0`;
/** When the next target of the chat's SLA is due. */
const SLA_DUE = sql`(select due.due_at from chat_slas due where due.site_id = c.site_id and due.conversation_id = c.id)`;

const byActivity = (direction: Order['direction']): Order => ({
  direction,
  rank: NO_RANK,
  ms: msOf(ACTIVE),
  place: (row) => [0, activeAt(row), row.id],
});

/** The same orders as `sortKey` in the protocol. */
const ORDERS: Readonly<Record<InboxSort, Order>> = {
  newest: byActivity('desc'),
  oldest: byActivity('asc'),
  waiting: {
    direction: 'asc',
    rank: sql`case when ${WAITS} then 0 else 2 end`,
    ms: msOf(sql`case when ${WAITS} then c.unanswered_since else ${ACTIVE} end`),
    place: (row) =>
      isWaiting(row) ? [0, row.unanswered_since?.getTime() ?? 0, row.id] : [2, activeAt(row), row.id],
  },
  priority: {
    direction: 'desc',
    rank: NO_RANK,
    ms: msOf(sql`c.started_at`),
    place: (row) => [0, row.started_at.getTime(), row.id],
  },
  next_due: {
    direction: 'asc',
    rank: sql`case when ${SLA_DUE} is null then 1 else 0 end`,
    ms: msOf(sql`coalesce(${SLA_DUE}, ${ACTIVE})`),
    place: (row) => (row.sla_due_at ? [0, row.sla_due_at.getTime(), row.id] : [1, activeAt(row), row.id]),
  },
  due: {
    direction: 'asc',
    rank: NO_RANK,
    ms: sql`coalesce(${msOf(sql`c.snoozed_until`)}, ${Number.MAX_SAFE_INTEGER}::bigint)`,
    place: (row) => [0, row.snoozed_until?.getTime() ?? Number.MAX_SAFE_INTEGER, row.id],
  },
};

const all = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? sql`true` : sql`${sql.join(conditions, sql` and `)}`;

/** Open chats are few: they are sorted without an index, which every message would rewrite. */
async function listOpen(
  ctx: SiteContext,
  { queue, sort, limit, cursor }: List,
  conditions: readonly Condition[],
): Promise<Page<Session>> {
  const { direction, rank, ms, place } = ORDERS[sort];
  const after = placeIn(sort, cursor);
  const step = direction === 'asc' ? sql`>` : sql`<`;
  const [r = 0, m = 0, id = 0] = after ?? [];
  const beyond = after
    ? sql`(${rank}, ${ms}, c.id) ${step} (${r}::int, ${m}::bigint, ${id}::bigint)`
    : sql`true`;
  const way = sql.raw(direction);
  const sorted = sql`order by ${rank === NO_RANK ? sql`` : sql`${rank} ${way},`} ${ms} ${way}, c.id ${way}`;
  // Selects the ids first, then loads only the page's chats.
  const rows = await loadSessions(
    ctx.db,
    ctx.site.id,
    sql`c.id = any (array(
      select c.id from conversations c
      where c.site_id = ${ctx.site.id} and ${inQueue(ctx, queue)} and ${all(conditions)} and ${beyond}
      ${sorted} limit ${limit + 1})) ${sorted}`,
    conditions.length === 0 ? prepared : undefined,
  );
  return pageOf(rows, limit, (row) => [INBOX_SORTS.indexOf(sort), ...place(row)], presentSession);
}

interface Looked {
  ids: number[];
  looked: number;
  /** The last row that was read. */
  last: number | null;
}

/**
 * `closed` and `all`, by start time. With a filter, a page may have fewer rows than its limit, or none, and still
 * continue.
 */
async function listArchive(
  ctx: SiteContext,
  { queue, sort, limit, cursor, ...filter }: List,
  conditions: readonly Condition[],
): Promise<Page<Session>> {
  const after = placeIn(sort, cursor)?.[2];
  const isAscending = sort === 'oldest';
  const [way, step] = isAscending ? [sql`asc`, sql`>`] : [sql`desc`, sql`<`];
  const few = await fewChatsOf(ctx, filter);
  const base: Condition[] = [inQueue(ctx, queue)];
  if (after !== undefined) base.push(sql`c.id ${step} ${after}`);
  if (few) base.push(sql`c.id = any (${few}::bigint[])`);
  const most = conditions.length === 0 ? limit + 1 : LOOKED_AT;
  const { rows } = await sql<Looked>`
    with looked as materialized (
      select c.id, ${all(conditions)} as hit from conversations c
      where c.site_id = ${ctx.site.id} and ${all(base)} order by c.id ${way} limit ${most})
    select array(select id from looked where hit order by id ${way} limit ${limit + 1}) as ids,
      count(*)::int as looked, ${isAscending ? sql`max(id)` : sql`min(id)`} as last
    from looked`.execute(ctx.db);
  const { ids = [], looked = 0, last = null } = rows[0] ?? {};
  const shown = ids.slice(0, limit);
  const chats = await loadSessions(
    ctx.db,
    ctx.site.id,
    sql`c.id = any (${shown}::bigint[]) order by c.id ${way}`,
    prepared,
  );
  const end = ids.length > limit ? shown.at(-1) : looked === most ? last : undefined;
  const next = end ? cursorOf(sort, [0, 0, end]) : null;
  return { items: chats.map(presentSession), limit, next_cursor: next };
}

/**
 * The chats of a queue that match a filter. Closed ones are listed by start time, newest first except in the order
 * `oldest`.
 */
export async function listSessions(ctx: SiteContext, input: List): Promise<Page<Session>> {
  const { queue, sort: _, limit, cursor: __, ...filter } = input;
  const conditions = await chatConditions(ctx, filter);
  if (conditions === undefined) return { items: [], limit, next_cursor: null };
  return queue === 'closed' || queue === 'all'
    ? listArchive(ctx, input, conditions)
    : listOpen(ctx, input, conditions);
}
