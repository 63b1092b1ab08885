import { type DueState, type InboxFilter, SESSION_STATUSES, spanStart } from '@foyer/protocol';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { fewWithFields, fieldConditions } from '../../sites/fields/field-filter.ts';
import { isDue } from '../../sla/due-filter.ts';
import { findTag } from '../../tags/tags.ts';
import { fewMembersOf } from '../../visitors/segments/few-members.ts';

type Condition = RawBuilder<SqlBool>;

/** The inbox's filter, and the conditions that only API clients use. */
export interface ChatFilter extends InboxFilter {
  /** Null: the visitor isn't known, so nothing matches. */
  visitorId?: number | null | undefined;
  startedSince?: Date | undefined;
  activeSince?: Date | undefined;
}

/** A rare tag or value, or a small segment is looked up first, if it has at most this many chats. */
const CHATS_LOOKED_UP = 5_000;

const isChatStatus = (status: string): boolean => SESSION_STATUSES.some((one) => one === status);

/** Scalar subqueries, which the planner runs for each row. A join might read all chats of a frequent tag. */
const hasTag = (tagId: number): Condition => sql`coalesce((
  select true from conversation_tags ct
  where ct.site_id = c.site_id and ct.conversation_id = c.id and ct.tag_id = ${tagId}), false)`;

const isInSegment = (segmentId: number): Condition => sql`coalesce((
  select true from segment_members sm
  where sm.site_id = c.site_id and sm.segment_id = ${segmentId} and sm.visitor_id = c.visitor_id), false)`;

/** Reads only the few chats that have SLA targets. */
const hasDue = (due: DueState, now: Date): Condition => sql`coalesce((
  select ${isDue(due, now, { sla: sql`s.sla`, dueAt: sql`s.due_at` })} from chat_slas s
  where s.site_id = c.site_id and s.conversation_id = c.id), false)`;

/**
 * A filter as conditions on the site's chats `c`. Undefined if it can't match a chat: it uses fields that only
 * tickets have, or names something that the site doesn't have.
 */
export async function chatConditions(ctx: SiteContext, filter: ChatFilter): Promise<Condition[] | undefined> {
  const { channel, status, priority, assignee_id, team_id, tag, created_within, active_within } = filter;
  if (channel === 'ticket' || priority !== undefined) return undefined;
  if (status !== undefined && !isChatStatus(status)) return undefined;
  const found: Condition[] = [];
  if (status !== undefined) found.push(sql`c.status = ${status}`);
  if (assignee_id === 'none') found.push(sql`c.agent_id is null`);
  else if (assignee_id !== undefined) found.push(sql`c.agent_id = ${assignee_id}`);
  if (team_id === 'none') found.push(sql`c.team_id is null`);
  else if (team_id !== undefined) found.push(sql`c.team_id = ${team_id}`);
  if (tag !== undefined) {
    const tagId = await findTag(ctx, tag);
    if (tagId === undefined) return undefined;
    found.push(hasTag(tagId));
  }
  if (created_within !== undefined) found.push(sql`c.started_at >= ${spanStart(created_within, ctx.now())}`);
  if (active_within !== undefined)
    found.push(sql`coalesce(c.said_at, c.started_at) >= ${spanStart(active_within, ctx.now())}`);
  const { visitorId, startedSince, activeSince } = filter;
  if (visitorId === null) return undefined;
  if (visitorId !== undefined) found.push(sql`c.visitor_id = ${visitorId}`);
  if (startedSince) found.push(sql`c.started_at >= ${startedSince}`);
  if (activeSince) found.push(sql`coalesce(c.said_at, c.started_at) >= ${activeSince}`);
  const { page, language, segment, due } = filter;
  if (due !== undefined) found.push(hasDue(due, ctx.now()));
  if (page !== undefined) found.push(sql`strpos(lower(c.page_url), lower(${page}::text)) > 0`);
  if (language !== undefined) found.push(sql`c.language = ${language}`);
  if (segment !== undefined) found.push(isInSegment(segment));
  found.push(...fieldConditions(ctx, 'chats', filter.fields));
  return found;
}

async function chatsOfTag({ db, site }: SiteContext, name: string): Promise<number[] | undefined> {
  const { rows } = await sql<{ id: number }>`
    select conversation_id as id from conversation_tags
    where site_id = ${site.id} and tag_id = (
      select id from tags where site_id = ${site.id} and lower(name) = lower(${name}::text))
    limit ${CHATS_LOOKED_UP + 1}`.execute(db);
  return rows.length > CHATS_LOOKED_UP ? undefined : rows.map(({ id }) => id);
}

async function chatsOfVisitor({ db, site }: SiteContext, id: number): Promise<number[] | undefined> {
  const { rows } = await sql<{ id: number }>`
    select id from conversations where site_id = ${site.id} and visitor_id = ${id} limit ${CHATS_LOOKED_UP + 1}`.execute(
    db,
  );
  return rows.length > CHATS_LOOKED_UP ? undefined : rows.map((one) => one.id);
}

async function chatsOfSegment(ctx: SiteContext, id: number): Promise<number[] | undefined> {
  const { db, site } = ctx;
  const members = await fewMembersOf(ctx, id);
  if (!members) return undefined;
  const { rows } = await sql<{ id: number }>`
    select id from conversations where site_id = ${site.id} and visitor_id = any (${members}::bigint[])
    limit ${CHATS_LOOKED_UP + 1}`.execute(db);
  return rows.length > CHATS_LOOKED_UP ? undefined : rows.map((one) => one.id);
}

/** The only chats that the filter can match; undefined if there are too many. */
export async function fewChatsOf(
  ctx: SiteContext,
  { tag, segment, visitorId, fields }: ChatFilter,
): Promise<number[] | undefined> {
  if (visitorId) return chatsOfVisitor(ctx, visitorId);
  const ofTag = tag === undefined ? undefined : await chatsOfTag(ctx, tag);
  if (ofTag) return ofTag;
  const withFields = await fewWithFields(ctx, 'chats', fields, CHATS_LOOKED_UP);
  if (withFields || segment === undefined) return withFields;
  return chatsOfSegment(ctx, segment);
}
