import { type InboxFilter, type StateQueue, TICKET_STATUSES, type TicketStatus } from '@foyer/protocol';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { isSnoozed } from './filter.ts';
import { asTicketStatus } from './inbox-filter.ts';

const UNSOLVED: readonly TicketStatus[] = ['new', 'open', 'pending', 'hold'];

/** Tickets that an index has next to each other. */
export interface Part {
  snoozed: boolean;
  status?: TicketStatus;
  /** 0: nobody. */
  assignee?: number;
}

/**
 * What a queue is made of: each part walks an index in the order of activity, so that a queue of few among a million
 * tickets costs no more than one of many. Without a queue: all that aren't snoozed.
 */
function partsOf({ actor }: SiteContext, queue: StateQueue | undefined): Part[] {
  const unsolved = (rest: Pick<Part, 'assignee'> = {}): Part[] =>
    UNSOLVED.map((status) => ({ snoozed: false, status, ...rest }));
  switch (queue) {
    case undefined:
      return [{ snoozed: false }];
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

/** A part for each status, where it has none: those of an assignee are walked by both. */
export const byStatus = (part: Part, statuses = TICKET_STATUSES as readonly TicketStatus[]): Part[] =>
  part.status === undefined
    ? statuses.map((status) => ({ ...part, status }))
    : statuses.includes(part.status)
      ? [part]
      : [];

/** The parts of a queue, or of all, narrowed down to a status and an assignee. */
export function partsFor(
  ctx: SiteContext,
  queue: StateQueue | undefined,
  { status, assignee_id }: Pick<InboxFilter, 'status' | 'assignee_id'>,
): Part[] {
  const wanted = asTicketStatus(status);
  const assignee = assignee_id === 'none' ? 0 : assignee_id;
  return partsOf(ctx, queue)
    .flatMap((part) => (wanted === undefined ? [part] : byStatus(part, [wanted])))
    .flatMap((part) => {
      if (assignee === undefined) return [part];
      if (part.assignee !== undefined) return part.assignee === assignee ? [part] : [];
      return byStatus({ ...part, assignee });
    });
}

/** The site's tickets `t` of a part. */
export function conditionOf({ site }: SiteContext, { snoozed, status, assignee }: Part): RawBuilder<SqlBool> {
  const conditions = [sql`t.site_id = ${site.id}`, isSnoozed(snoozed)];
  if (assignee !== undefined) conditions.push(sql`t.assignee_key = ${assignee}`);
  if (status !== undefined) conditions.push(sql`t.status = ${status}`);
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}

/** Tickets `t` of any of these parts. */
export const inParts = (ctx: SiteContext, parts: readonly Part[]): RawBuilder<SqlBool> =>
  parts.length === 0
    ? sql`false`
    : sql`(${sql.join(
        parts.map((part) => sql`(${conditionOf(ctx, part)})`),
        sql` or `,
      )})`;

/** The site's tickets of a queue as one condition on `t`. */
export const inTicketQueue = (ctx: SiteContext, queue: StateQueue): RawBuilder<SqlBool> =>
  inParts(ctx, partsOf(ctx, queue));

/** How many tickets a queue has, as an expression of SQL; at most `most`. */
export function countOfQueue(ctx: SiteContext, queue: StateQueue, most: number): RawBuilder<number> {
  const walks = partsOf(ctx, queue).map(
    (part) => sql`(select from tickets t where ${conditionOf(ctx, part)} limit ${most})`,
  );
  if (walks.length === 0) return sql<number>`0`;
  return sql<number>`least(${most}::int, (
    select count(*)::int from (${sql.join(walks, sql` union all `)}) t))`;
}
