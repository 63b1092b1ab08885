import {
  type DueState,
  type InboxFilter,
  spanStart,
  TICKET_STATUSES,
  type TicketStatus,
} from '@foyer/protocol';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { fewWithFields, fieldConditions } from '../../sites/fields/field-filter.ts';
import { isDue } from '../../sla/due-filter.ts';
import { findTag } from '../../tags/tags.ts';
import { fewMembersOf } from '../../visitors/segments/few-members.ts';
import { rankOf } from './filter.ts';

type Condition = RawBuilder<SqlBool>;

/** A rare tag or value, or a small segment is looked up first, if it has at most this many tickets. */
const TICKETS_LOOKED_UP = 5_000;

/** Undefined for a status that only chats have. */
export const asTicketStatus = (status: string | undefined): TicketStatus | undefined =>
  TICKET_STATUSES.find((one) => one === status);

/** Scalar subqueries, which the planner runs for each row. A join might read all tickets of a frequent tag. */
const hasTag = (tagId: number): Condition => sql`coalesce((
  select true from ticket_tags tt where tt.site_id = t.site_id and tt.ticket_id = t.id and tt.tag_id = ${tagId}), false)`;

const isInSegment = (segmentId: number): Condition => sql`coalesce((
  select true from segment_members sm
  where sm.site_id = t.site_id and sm.segment_id = ${segmentId} and sm.visitor_id = t.requester_id), false)`;

/**
 * A filter as conditions on the site's tickets `t`, without status and assignee, which determine the index.
 * Undefined if it can't match a ticket: it uses fields that only chats have, or names something that the site
 * doesn't have.
 */
export async function ticketConditions(
  ctx: SiteContext,
  filter: InboxFilter,
): Promise<Condition[] | undefined> {
  const { channel, status, priority, team_id, tag, due, created_within, active_within } = filter;
  const { page, language, segment } = filter;
  if (channel === 'chat' || page !== undefined || language !== undefined) return undefined;
  if (status !== undefined && asTicketStatus(status) === undefined) return undefined;
  const found: Condition[] = [];
  if (priority !== undefined) found.push(sql`t.priority_rank = ${rankOf(priority)}`);
  if (team_id !== undefined)
    found.push(team_id === 'none' ? sql`t.team_id is null` : sql`t.team_id = ${team_id}`);
  if (tag !== undefined) {
    const tagId = await findTag(ctx, tag);
    if (tagId === undefined) return undefined;
    found.push(hasTag(tagId));
  }
  if (due !== undefined) found.push(isDue(due, ctx.now()));
  found.push(...fieldConditions(ctx, 'tickets', filter.fields));
  if (created_within !== undefined) found.push(sql`t.created_at >= ${spanStart(created_within, ctx.now())}`);
  if (active_within !== undefined)
    found.push(sql`t.last_activity_at >= ${spanStart(active_within, ctx.now())}`);
  if (segment !== undefined) found.push(isInSegment(segment));
  return found;
}

async function ticketsOfTag({ db, site }: SiteContext, name: string): Promise<number[] | undefined> {
  const { rows } = await sql<{ id: number }>`
    select ticket_id as id from ticket_tags
    where site_id = ${site.id} and tag_id = (
      select id from tags where site_id = ${site.id} and lower(name) = lower(${name}::text))
    limit ${TICKETS_LOOKED_UP + 1}`.execute(db);
  return rows.length > TICKETS_LOOKED_UP ? undefined : rows.map(({ id }) => id);
}

async function ticketsOfSegment(ctx: SiteContext, id: number): Promise<number[] | undefined> {
  const { db, site } = ctx;
  const members = await fewMembersOf(ctx, id);
  if (!members) return undefined;
  const { rows } = await sql<{ id: number }>`
    select id from tickets where site_id = ${site.id} and requester_id = any (${members}::bigint[])
    limit ${TICKETS_LOOKED_UP + 1}`.execute(db);
  return rows.length > TICKETS_LOOKED_UP ? undefined : rows.map((one) => one.id);
}

async function ticketsOfTeam({ db, site }: SiteContext, id: number): Promise<number[] | undefined> {
  const { rows } = await sql<{ id: number }>`
    select id from tickets where site_id = ${site.id} and team_id = ${id}
    limit ${TICKETS_LOOKED_UP + 1}`.execute(db);
  return rows.length > TICKETS_LOOKED_UP ? undefined : rows.map((one) => one.id);
}

async function ticketsDue(ctx: SiteContext, due: DueState): Promise<number[] | undefined> {
  const { rows } = await sql<{ id: number }>`
    select t.id from tickets t
    where t.site_id = ${ctx.site.id} and t.snoozed = any ('{false,true}') and ${isDue(due, ctx.now())}
    limit ${TICKETS_LOOKED_UP + 1}`.execute(ctx.db);
  return rows.length > TICKETS_LOOKED_UP ? undefined : rows.map(({ id }) => id);
}

/** The only tickets that the filter can match; undefined if there are too many. */
export async function fewTicketsOf(
  ctx: SiteContext,
  { tag, segment, team_id, due, fields }: InboxFilter,
): Promise<number[] | undefined> {
  const ofTag = tag === undefined ? undefined : await ticketsOfTag(ctx, tag);
  if (ofTag) return ofTag;
  const late = due === undefined ? undefined : await ticketsDue(ctx, due);
  if (late) return late;
  const withFields = await fewWithFields(ctx, 'tickets', fields, TICKETS_LOOKED_UP);
  if (withFields) return withFields;
  const ofTeam = typeof team_id === 'number' ? await ticketsOfTeam(ctx, team_id) : undefined;
  if (ofTeam || segment === undefined) return ofTeam;
  return ticketsOfSegment(ctx, segment);
}
