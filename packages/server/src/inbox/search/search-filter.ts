import type { InboxSearchFields, TicketFilter } from '@foyer/protocol';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { chatConditions, fewChatsOf } from '../../conversations/lists/chat-filter.ts';
import type { SiteContext } from '../../core/context.ts';
import { asTicketStatus, ticketConditions } from '../../tickets/views/inbox-filter.ts';

type Condition = RawBuilder<SqlBool>;

/** The same as in lists of tickets. */
export type TicketSearch = TicketFilter & { view?: number | undefined; where: Condition[] };

/** The part of a search for tickets; undefined if it can't match any. */
export async function ticketSearch(
  ctx: SiteContext,
  search: InboxSearchFields,
): Promise<TicketSearch | undefined> {
  const { channel, status, created_within, active_within, page, language, segment, ...ofTickets } = search;
  const own = { channel, status, created_within, active_within, page, language, segment };
  const where = await ticketConditions(ctx, own);
  return where && { ...ofTickets, status: asTicketStatus(status), where };
}

interface ChatSearch {
  /** On rows `w` too: whether the chat is spam, if that is asked for, or isn’t. With a filter, `where` has that as well. */
  state: Condition;
  /** Conditions on rows `w` of `message_search_chunks`. */
  where: Condition[];
  /** The only chats that can match, if they are few. */
  among: number[] | undefined;
}

/**
 * The part of a search for chats; undefined if it can't match any because it uses fields that only tickets have.
 */
export async function chatSearch(
  ctx: SiteContext,
  { q: _, requester_key, snoozed, spam = false, since, updated_since, view, ...filter }: InboxSearchFields,
): Promise<ChatSearch | undefined> {
  const ofTickets = [requester_key, snoozed, since, updated_since, view];
  if (ofTickets.some((value) => value !== undefined)) return undefined;
  const conditions = await chatConditions(ctx, filter);
  if (!conditions) return undefined;
  const isSpam = spam ? sql<SqlBool>`c.spam_at is not null` : sql<SqlBool>`c.spam_at is null`;
  // A subquery per hit: with a join, the planner might start with all of an agent's chats.
  const chatIs = (wanted: Condition[]): Condition => sql`coalesce((
    select ${sql.join(wanted, sql` and `)} from conversations c
    where c.site_id = w.site_id and c.id = w.conversation_id), false)`;
  const state = chatIs([isSpam]);
  // Few chats are spam, so a search among them is as selective as a filter.
  if (conditions.length === 0) return { state, where: spam ? [state] : [], among: undefined };
  const where = chatIs([isSpam, ...conditions]);
  return { state: sql`true`, where: [where], among: await fewChatsOf(ctx, filter) };
}
