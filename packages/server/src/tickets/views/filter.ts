import { TICKET_PRIORITIES, type TicketFilter, type TicketPriority } from '@foyer/protocol';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { fieldConditions } from '../../sites/fields/field-filter.ts';
import { isDue } from '../../sla/due-filter.ts';
import { findTag } from '../../tags/tags.ts';
import { findVisitor } from '../../visitors/rows.ts';
import { matches } from '../search/search.ts';

/** Conditions on the tickets `t`; each uses an index of `tickets`. */
type Condition = RawBuilder<SqlBool>;

/** The value of the column `priority_rank`, highest for urgent. */
export const rankOf = (priority: TicketPriority): number => TICKET_PRIORITIES.indexOf(priority) + 1;

async function hasTag(ctx: SiteContext, name: string): Promise<Condition> {
  const tagId = await findTag(ctx, name);
  if (tagId === undefined) return sql`false`;
  return sql`exists (
    select from ticket_tags tt where tt.site_id = t.site_id and tt.ticket_id = t.id and tt.tag_id = ${tagId})`;
}

async function isOf({ db, site }: SiteContext, key: string): Promise<Condition> {
  const visitor = await findVisitor(db, site.id, key);
  return visitor ? sql`t.requester_id = ${visitor.id}` : sql`false`;
}

/** Larger than the difference between two processes' clocks. */
const CLOCKS_APART_MS = 3_600_000;

/** No change is older than its ticket, which also limits the range in the order of changes. */
const madeSince = (since: Date): Condition => sql`(t.created_at >= ${since}
  and t.updated_at >= ${new Date(since.getTime() - CLOCKS_APART_MS)})`;

/** A filter as conditions, except for the state. A name that the site doesn't have matches nothing. */
export async function conditionsOf(ctx: SiteContext, filter: TicketFilter): Promise<Condition[]> {
  const { status, priority, assignee_id, team_id, tag, due, requester_key, q, since, updated_since } = filter;
  const found: Condition[] = [];
  if (status !== undefined) found.push(sql`t.status = ${status}`);
  if (priority !== undefined) found.push(sql`t.priority_rank = ${rankOf(priority)}`);
  if (assignee_id !== undefined)
    found.push(sql`t.assignee_key = ${assignee_id === 'none' ? 0 : assignee_id}`);
  if (team_id !== undefined)
    found.push(team_id === 'none' ? sql`t.team_id is null` : sql`t.team_id = ${team_id}`);
  if (due !== undefined) found.push(isDue(due, ctx.now()));
  found.push(...fieldConditions(ctx, 'tickets', filter.fields));
  if (since !== undefined) found.push(madeSince(new Date(since)));
  if (updated_since !== undefined) found.push(sql`t.updated_at >= ${new Date(updated_since)}`);
  if (tag !== undefined) found.push(await hasTag(ctx, tag));
  if (requester_key !== undefined) found.push(await isOf(ctx, requester_key));
  if (q !== undefined) found.push(matches(ctx, q));
  return found;
}

/** The tickets of a list, before any other filter. */
export type TicketState = Pick<TicketFilter, 'snoozed' | 'spam'>;

/** A condition on the tickets `t`: only spam, only snoozed ones, or neither. */
export const isInState = ({ snoozed = false, spam = false }: TicketState): Condition => {
  if (spam) return sql`t.spam_at is not null`;
  return snoozed ? sql`(t.snoozed and t.spam_at is null)` : sql`(not t.snoozed and t.spam_at is null)`;
};

/** A filter as one condition on the site's tickets `t`; by default without snoozed tickets and spam. */
export async function ticketFilter(ctx: SiteContext, filter: TicketFilter): Promise<Condition> {
  const conditions = [isInState(filter), ...(await conditionsOf(ctx, filter))];
  return sql`(t.site_id = ${ctx.site.id} and ${sql.join(conditions, sql` and `)})`;
}
