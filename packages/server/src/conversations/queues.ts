import type { ParsedInputOf, Queue, Session } from '@foyer/protocol';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SiteContext } from '../context.ts';
import { containsPattern, cursorId, decodeCursor, type Page, pageOf } from '../db/keyset.ts';
import { listVisitors } from '../visitors/list.ts';
import { loadSessions, presentSession, type SessionRow } from './sessions.ts';

type List = ParsedInputOf<'sessions.list'>;
type Condition = RawBuilder<SqlBool>;

/** Of an archive that is searched: so many chats are looked at for what was said last, which no index has. */
const LOOKED_AT = 5_000;
/** Whose chats are found in an archive: the newest that the search of visitors finds. */
const VISITORS_FOUND = 200;

const ownAgent = ({ actor }: SiteContext): number => (actor.kind === 'agent' ? actor.agentId : 0);

/** On the site's chats as `c`. */
export function inQueue(ctx: SiteContext, queue: Queue): Condition {
  switch (queue) {
    case 'waiting':
      return sql`c.status = 'waiting'`;
    case 'mine':
      return sql`c.status = 'active' and c.agent_id = ${ownAgent(ctx)}`;
    case 'open':
      return sql`c.status <> 'closed'`;
    case 'closed':
      return sql`c.status = 'closed'`;
    case 'all':
      return sql`true`;
  }
}

interface Walk {
  /** Of chats as `c`. */
  where: Condition;
  /** What a list is sorted by, the id last. */
  columns: RawBuilder<unknown>[];
  order: List['order'];
}

const sorted = ({ columns, order }: Walk): RawBuilder<unknown> =>
  sql.join(columns.map((column) => sql`${column} ${sql.raw(order)}`));

/** Ids of the site's chats in a list's order. */
const chosen = ({ site }: SiteContext, walk: Walk, limit: number): RawBuilder<unknown> => sql`
  select c.* from conversations c where c.site_id = ${site.id} and ${walk.where} order by ${sorted(walk)} limit ${limit}`;

/** First which, then what they show: nothing is looked up for a chat that isn't on the page. */
const load = (ctx: SiteContext, walk: Walk, ids: RawBuilder<unknown>): Promise<SessionRow[]> =>
  loadSessions(ctx.db, ctx.site.id, sql`c.id = any (array(${ids})) order by ${sorted(walk)}`);

/** Chats among those that `from` chooses whose visitor, or whose last words, have this text. */
const saying = (from: RawBuilder<unknown>, walk: Walk, q: string, limit: number): RawBuilder<unknown> => {
  const pattern = containsPattern(q);
  return sql`
    select c.id from (${from}) c cross join lateral (
      select v.name, v.email from visitors v where v.site_id = c.site_id and v.id = c.visitor_id limit 1
    ) v where v.name ilike ${pattern} or v.email ilike ${pattern} or c.last_text ilike ${pattern}
    order by ${sorted(walk)} limit ${limit}`;
};

/** The chats of visitors whom a text finds, however far back, and those that end with it among the next few thousand. */
async function searchArchive(ctx: SiteContext, walk: Walk, q: string, limit: number): Promise<SessionRow[]> {
  const near = await load(ctx, walk, saying(chosen(ctx, walk, LOOKED_AT), walk, q, limit));
  if (near.length === limit) return near;
  const visitors = await listVisitors(ctx, { q, limit: VISITORS_FOUND, order: 'desc' });
  const ids = near.map(({ id }) => id);
  const keys = visitors.items.map(({ key }) => key);
  // Behind `offset 0` the planner doesn't see the order and the limit: it would walk the whole archive for them.
  const found = sql`
    select c.id from (
      select c.* from conversations c where c.site_id = ${ctx.site.id} and (
        c.id = any (${ids}::bigint[]) or c.visitor_id = any (array(
          select v.id from visitors v
          where v.site_id = ${ctx.site.id} and v.key = any (${keys}::text[]) and v.erased_at is null)))
      offset 0
    ) c where ${walk.where} order by ${sorted(walk)} limit ${limit}`;
  return load(ctx, walk, found);
}

/** The archive, by its chats' beginnings. */
async function listArchive(
  ctx: SiteContext,
  { queue, order, limit, cursor, q }: List,
): Promise<Page<Session>> {
  const after = cursorId(cursor);
  const step = sql.raw(order === 'asc' ? '>' : '<');
  const beyond = after === undefined ? sql`true` : sql`c.id ${step} ${after}`;
  const walk: Walk = { where: sql`${inQueue(ctx, queue)} and ${beyond}`, columns: [sql`c.id`], order };
  const rows =
    q === undefined
      ? await load(ctx, walk, sql`select c.id from (${chosen(ctx, walk, limit + 1)}) c`)
      : await searchArchive(ctx, walk, q, limit + 1);
  return pageOf(rows, limit, (row) => [row.id], presentSession);
}

/** By the last message: what is going on now, which a team can still look through. */
async function listOpen(ctx: SiteContext, { queue, order, limit, cursor, q }: List): Promise<Page<Session>> {
  const after = decodeCursor(cursor, 2);
  const at = sql`(extract(epoch from coalesce(c.last_message_at, c.started_at)) * 1000)::bigint`;
  const step = sql.raw(order === 'asc' ? '>' : '<');
  const beyond = after ? sql`(${at}, c.id) ${step} (${after[0]}::bigint, ${after[1]}::bigint)` : sql`true`;
  const walk: Walk = { where: sql`${inQueue(ctx, queue)} and ${beyond}`, columns: [at, sql`c.id`], order };
  const all = sql`select c.* from conversations c where c.site_id = ${ctx.site.id} and ${walk.where}`;
  const ids =
    q === undefined
      ? sql`select c.id from (${chosen(ctx, walk, limit + 1)}) c`
      : saying(all, walk, q, limit + 1);
  const rows = await load(ctx, walk, ids);
  const values = (row: SessionRow): number[] => [(row.last_message_at ?? row.started_at).getTime(), row.id];
  return pageOf(rows, limit, values, presentSession);
}

/** The queues that hold what is going on now by their last message; the archive by its chats' beginnings. */
export const listSessions = (ctx: SiteContext, input: List): Promise<Page<Session>> =>
  input.queue === 'closed' || input.queue === 'all' ? listArchive(ctx, input) : listOpen(ctx, input);

export async function countSessions(
  ctx: SiteContext,
): Promise<{ waiting: number; mine: number; open: number }> {
  const { rows } = await sql<{ waiting: number; mine: number; open: number }>`
    select count(*) filter (where status = 'waiting') as waiting,
      count(*) filter (where status = 'active' and agent_id = ${ownAgent(ctx)}) as mine, count(*) as open
    from conversations where site_id = ${ctx.site.id} and status <> 'closed'`.execute(ctx.db);
  return rows[0] ?? { waiting: 0, mine: 0, open: 0 };
}
