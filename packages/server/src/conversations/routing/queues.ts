import type { ParsedInputOf, Queue, Session } from '@foyer/protocol';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { cursorId, decodeCursor, type Page, pageOf } from '../../db/keyset.ts';
import { loadSessions, presentSession, type SessionRow } from '../sessions.ts';

type List = ParsedInputOf<'sessions.list'>;
type Condition = RawBuilder<SqlBool>;

const ownAgent = ({ actor }: SiteContext): number => (actor.kind === 'agent' ? actor.agentId : 0);

/** The queue's condition on the site's chats `c`. */
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
  /** A condition on chats `c`. */
  where: Condition;
  /** The columns that the list is sorted by, the id last. */
  columns: RawBuilder<unknown>[];
  order: List['order'];
}

const sorted = ({ columns, order }: Walk): RawBuilder<unknown> =>
  sql.join(columns.map((column) => sql`${column} ${sql.raw(order)}`));

/** Selects the ids first, then loads only the page's chats. */
const load = ({ db, site }: SiteContext, walk: Walk, limit: number): Promise<SessionRow[]> =>
  loadSessions(
    db,
    site.id,
    sql`c.id = any (array(
      select c.id from conversations c where c.site_id = ${site.id} and ${walk.where}
      order by ${sorted(walk)} limit ${limit})) order by ${sorted(walk)}`,
  );

/** The queues `closed` and `all`, by when their chats began. */
async function listArchive(ctx: SiteContext, { queue, order, limit, cursor }: List): Promise<Page<Session>> {
  const after = cursorId(cursor);
  const step = sql.raw(order === 'asc' ? '>' : '<');
  const beyond = after === undefined ? sql`true` : sql`c.id ${step} ${after}`;
  const walk: Walk = { where: sql`${inQueue(ctx, queue)} and ${beyond}`, columns: [sql`c.id`], order };
  const rows = await load(ctx, walk, limit + 1);
  return pageOf(rows, limit, (row) => [row.id], presentSession);
}

/** The other queues, which hold open chats only, by the last words. */
async function listOpen(ctx: SiteContext, { queue, order, limit, cursor }: List): Promise<Page<Session>> {
  const after = decodeCursor(cursor, 2);
  const at = sql`(extract(epoch from coalesce(c.said_at, c.started_at)) * 1000)::bigint`;
  const step = sql.raw(order === 'asc' ? '>' : '<');
  const beyond = after ? sql`(${at}, c.id) ${step} (${after[0]}::bigint, ${after[1]}::bigint)` : sql`true`;
  const walk: Walk = { where: sql`${inQueue(ctx, queue)} and ${beyond}`, columns: [at, sql`c.id`], order };
  const rows = await load(ctx, walk, limit + 1);
  const values = (row: SessionRow): number[] => [(row.said_at ?? row.started_at).getTime(), row.id];
  return pageOf(rows, limit, values, presentSession);
}

/** `closed` and `all` by when their chats began, the other queues by the last words. */
export const listSessions = (ctx: SiteContext, input: List): Promise<Page<Session>> =>
  input.queue === 'closed' || input.queue === 'all' ? listArchive(ctx, input) : listOpen(ctx, input);

/** Counts of open chats: `mine` are the calling agent's active ones, `open` includes the other two. */
export async function countSessions(
  ctx: SiteContext,
): Promise<{ waiting: number; mine: number; open: number }> {
  const { rows } = await sql<{ waiting: number; mine: number; open: number }>`
    select count(*) filter (where status = 'waiting') as waiting,
      count(*) filter (where status = 'active' and agent_id = ${ownAgent(ctx)}) as mine, count(*) as open
    from conversations where site_id = ${ctx.site.id} and status <> 'closed'`.execute(ctx.db);
  return rows[0] ?? { waiting: 0, mine: 0, open: 0 };
}
