import type { OutputOf, ParsedInputOf, StateQueue, TicketStatus } from '@foyer/protocol';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { cursorTime, decodeCursor, pageOf } from '../../db/keyset.ts';
import { presentTicketSummary, ticketsOfIds } from '../tickets.ts';
import { isSnoozed } from './filter.ts';

const UNSOLVED: readonly TicketStatus[] = ['new', 'open', 'pending', 'hold'];

interface Part {
  snoozed: boolean;
  status?: TicketStatus;
  /** 0: nobody. */
  assignee?: number;
}

/**
 * What a queue is made of: each part walks an index in the order of activity, so that a queue of few among a million
 * tickets costs no more than one of many.
 */
function partsOf({ actor }: SiteContext, queue: StateQueue): Part[] {
  const unsolved = (rest: Pick<Part, 'assignee'> = {}): Part[] =>
    UNSOLVED.map((status) => ({ snoozed: false, status, ...rest }));
  switch (queue) {
    case 'waiting':
      return [{ snoozed: false, status: 'new' }];
    case 'mine':
      return actor.kind === 'agent' ? unsolved({ assignee: actor.agentId }) : [];
    case 'unassigned':
      return unsolved({ assignee: 0 });
    case 'open':
      return unsolved();
    case 'snoozed':
      return [{ snoozed: true }];
    case 'closed':
      return [
        { snoozed: false, status: 'solved' },
        { snoozed: false, status: 'closed' },
      ];
  }
}

function conditionOf({ site }: SiteContext, { snoozed, status, assignee }: Part): RawBuilder<SqlBool> {
  const conditions = [sql`t.site_id = ${site.id}`, isSnoozed(snoozed)];
  if (assignee !== undefined) conditions.push(sql`t.assignee_key = ${assignee}`);
  if (status !== undefined) conditions.push(sql`t.status = ${status}`);
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}

/** The site's tickets of a queue as one condition on `t`. */
export function inTicketQueue(ctx: SiteContext, queue: StateQueue): RawBuilder<SqlBool> {
  const parts = partsOf(ctx, queue).map((part) => conditionOf(ctx, part));
  return parts.length === 0 ? sql`false` : sql`(${sql.join(parts, sql` or `)})`;
}

/** The tickets of a queue, the one with the latest activity first. */
export async function listQueueTickets(
  ctx: SiteContext,
  { queue, limit, cursor, order }: ParsedInputOf<'inbox.tickets'>,
): Promise<OutputOf<'inbox.tickets'>> {
  const after = decodeCursor(cursor, 2);
  const [direction, compare] = order === 'asc' ? [sql`asc`, sql`>`] : [sql`desc`, sql`<`];
  const beyond = after
    ? sql`(t.last_activity_at, t.id) ${compare} (${cursorTime(after[0])}::timestamptz, ${after[1]}::bigint)`
    : sql`true`;
  const walks = partsOf(ctx, queue).map(
    (part) => sql`(
      select t.id, t.last_activity_at from tickets t where ${conditionOf(ctx, part)} and ${beyond}
      order by t.last_activity_at ${direction}, t.id ${direction} limit ${limit + 1})`,
  );
  if (walks.length === 0) return { items: [], limit, next_cursor: null };
  const { rows } = await sql<{ id: number; last_activity_at: Date }>`
    select id, last_activity_at from (${sql.join(walks, sql` union all `)}) t
    order by last_activity_at ${direction}, id ${direction} limit ${limit + 1}`.execute(ctx.db);
  // By the places that were walked: a ticket that is changed or deleted meanwhile moves no page's end.
  const page = pageOf(
    rows,
    limit,
    (row) => [row.last_activity_at.getTime(), row.id],
    ({ id }) => id,
  );
  const found = new Map((await ticketsOfIds(ctx, page.items)).map((row) => [row.id, row]));
  return { ...page, items: page.items.flatMap((id) => found.get(id) ?? []).map(presentTicketSummary) };
}

/** How many tickets a queue has, as an expression of SQL; at most `most`. */
export function countOfQueue(ctx: SiteContext, queue: StateQueue, most: number): RawBuilder<number> {
  const walks = partsOf(ctx, queue).map(
    (part) => sql`(select from tickets t where ${conditionOf(ctx, part)} limit ${most})`,
  );
  if (walks.length === 0) return sql<number>`0`;
  return sql<number>`least(${most}::int, (
    select count(*)::int from (${sql.join(walks, sql` union all `)}) t))`;
}
