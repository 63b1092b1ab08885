import { type InboxFilter, type StateQueue, TICKET_STATUSES, type TicketStatus } from '@foyer/protocol';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { isInState } from './filter.ts';
import { asTicketStatus } from './inbox-filter.ts';

const UNSOLVED: readonly TicketStatus[] = ['new', 'open', 'pending', 'hold'];

/** Tickets that are adjacent in an index. */
export interface Part {
  snoozed: boolean;
  /** Spam, snoozed or not. */
  spam?: true;
  status?: TicketStatus;
  /** 0: unassigned. */
  assignee?: number;
}

/**
 * The parts of a queue: each is a range of an index in order of activity, so that a queue of few among a million
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
    case 'spam':
      return [{ snoozed: false, spam: true }];
    case 'closed':
      return [
        { snoozed: false, status: 'solved' },
        { snoozed: false, status: 'closed' },
      ];
  }
}

/** Splits a part without a status into one per status, for indexes of assignees that include the status. */
export const byStatus = (part: Part, statuses = TICKET_STATUSES as readonly TicketStatus[]): Part[] =>
  part.status === undefined
    ? statuses.map((status) => ({ ...part, status }))
    : statuses.includes(part.status)
      ? [part]
      : [];

/** The parts of a queue, or of all tickets, restricted to a status and an assignee. */
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

/** The condition on the site's tickets `t` for a part. */
export function conditionOf(
  { site }: SiteContext,
  { snoozed, spam, status, assignee }: Part,
): RawBuilder<SqlBool> {
  const conditions = [sql`t.site_id = ${site.id}`, isInState({ snoozed, spam })];
  if (assignee !== undefined) conditions.push(sql`t.assignee_key = ${assignee}`);
  if (status !== undefined) conditions.push(sql`t.status = ${status}`);
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}

/** The condition on tickets `t` for any of these parts. */
export const inParts = (ctx: SiteContext, parts: readonly Part[]): RawBuilder<SqlBool> =>
  parts.length === 0
    ? sql`false`
    : sql`(${sql.join(
        parts.map((part) => sql`(${conditionOf(ctx, part)})`),
        sql` or `,
      )})`;

/** The condition on the site's tickets `t` for a queue. */
export const inTicketQueue = (ctx: SiteContext, queue: StateQueue): RawBuilder<SqlBool> =>
  inParts(ctx, partsOf(ctx, queue));

/** The number of tickets in a queue, at most `most`, as an SQL expression. */
export function countOfQueue(ctx: SiteContext, queue: StateQueue, most: number): RawBuilder<number> {
  const walks = partsOf(ctx, queue).map(
    (part) => sql`(select from tickets t where ${conditionOf(ctx, part)} limit ${sql.lit(most)})`,
  );
  if (walks.length === 0) return sql<number>`0`;
  return sql<number>`least(${most}::int, (
    select count(*)::int from (${sql.join(walks, sql` union all `)}) t))`;
}
