import { type BulkTarget, CHATS_OF_QUEUE } from '@foyer/protocol';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { chatConditions } from '../../conversations/lists/chat-filter.ts';
import { inQueue } from '../../conversations/lists/queues.ts';
import type { SiteContext } from '../../core/context.ts';
import { phrasesOf } from '../../text/quoted-phrases.ts';
import { listTicketRows } from '../../tickets/list.ts';
import { conditionsOf, isInState } from '../../tickets/views/filter.ts';
import { ticketConditions } from '../../tickets/views/inbox-filter.ts';
import { inParts, inTicketQueue, partsFor } from '../../tickets/views/queues.ts';
import { filterOfView } from '../../tickets/views/saved-views.ts';
import { isMentionedChat, isMentionedTicket } from '../mentions.ts';
import { type ChatPlace, findChats, placeOfChat } from '../search/search-chats.ts';
import { type TicketSearch, ticketSearch } from '../search/search-filter.ts';

/** The maximum number of search results; more specific words find the rest. */
const FOUND_MAX = 2_000;
const PAGE = 500;
const READ_AT_ONCE = 1_000;
/** Pages read if each finds few. */
const PAGES_MAX = 4;

type Search = Extract<BulkTarget, { search: object }>['search'];
type List = Extract<BulkTarget, { list: object }>['list'];

/** The ids of a search's results, page by page, until there are as many as wanted. */
async function idsFound<From>(
  find: (from: From | undefined) => Promise<{ ids: number[]; next: From | undefined }>,
  most: number,
): Promise<number[]> {
  const found: number[] = [];
  let from: From | undefined;
  for (let page = 0; page < PAGES_MAX && found.length < Math.min(most, FOUND_MAX); page++) {
    const { ids, next } = await find(from);
    found.push(...ids);
    if (next === undefined) break;
    from = next;
  }
  return found;
}

/** Tickets that contain a phrase, which no SQL condition can express. */
async function ticketsSaying(
  ctx: SiteContext,
  chosen: TicketSearch,
  most: number,
): Promise<RawBuilder<SqlBool>> {
  const ids = await idsFound<string>(async (cursor) => {
    const page = await listTicketRows(ctx, { ...chosen, limit: PAGE, cursor }, READ_AT_ONCE);
    return { ids: page.items.map(({ id }) => id), next: page.next_cursor ?? undefined };
  }, most);
  return sql`t.id = any (${ids}::bigint[])`;
}

async function ticketsFound(ctx: SiteContext, search: Search, most: number): Promise<RawBuilder<SqlBool>> {
  const chosen = await ticketSearch(ctx, search);
  if (!chosen) return sql`false`;
  const { view, where, ...filter } = chosen;
  const saved = view === undefined ? undefined : (await filterOfView(ctx, view)).filter;
  const state = isInState({ snoozed: filter.snoozed ?? saved?.snoozed, spam: filter.spam ?? saved?.spam });
  const wanted = [
    state,
    ...where,
    ...(await conditionsOf(ctx, filter)),
    ...(saved ? await conditionsOf(ctx, saved) : []),
  ];
  const hasPhrase = [filter.q, saved?.q].some((q = '') => phrasesOf(q).length > 0);
  if (hasPhrase) wanted.push(await ticketsSaying(ctx, chosen, most));
  return sql`t.site_id = ${ctx.site.id} and ${sql.join(wanted, sql` and `)}`;
}

/** The chats that the list shows for this search, which no SQL condition can express. */
async function chatsFound(
  ctx: SiteContext,
  { q, ...search }: Search,
  most: number,
): Promise<RawBuilder<SqlBool>> {
  if (q === undefined) return sql`false`;
  const ids = await idsFound<ChatPlace>(async (from) => {
    const { hits, end } = await findChats(ctx, { ...search, q }, from, PAGE, READ_AT_ONCE);
    const last = hits.length === PAGE ? hits.at(-1) : undefined;
    return { ids: hits.map((hit) => hit.conversation_id), next: last ? placeOfChat(last) : end };
  }, most);
  return sql`c.site_id = ${ctx.site.id} and c.id = any (${ids}::bigint[])`;
}

const isOfSession = (ctx: SiteContext, ids: readonly string[]): RawBuilder<SqlBool> =>
  sql`c.site_id = ${ctx.site.id} and c.session_id = any (${ids}::text[])`;

interface Conditions {
  /** Conditions on `tickets t` and on `conversations c`; both include the site. */
  tickets: RawBuilder<SqlBool>;
  chats: RawBuilder<SqlBool>;
}

const none = sql<SqlBool>`false`;

/** The records that a list shows for a queue or all records, with a filter. */
async function inList(ctx: SiteContext, { queue, ...filter }: List): Promise<Conditions> {
  const { id: siteId } = ctx.site;
  const ofTickets = await ticketConditions(ctx, filter);
  const ofChats = await chatConditions(ctx, filter);
  const chats = queue === undefined ? 'all' : CHATS_OF_QUEUE[queue];
  const both = (conditions: RawBuilder<SqlBool>[]): RawBuilder<SqlBool> =>
    sql`${sql.join(conditions, sql` and `)}`;
  return {
    tickets: ofTickets ? both([inParts(ctx, partsFor(ctx, queue, filter)), ...ofTickets]) : none,
    chats: ofChats ? both([sql`c.site_id = ${siteId}`, inQueue(ctx, chats), ...ofChats]) : none,
  };
}

/** The records that a target selects. @throws AppError 404 for an unknown view */
export async function conditions(ctx: SiteContext, target: BulkTarget, most: number): Promise<Conditions> {
  const { id: siteId } = ctx.site;
  if ('queue' in target) {
    if (target.queue === 'mentions')
      return {
        tickets: sql`t.site_id = ${siteId} and ${isMentionedTicket(ctx)}`,
        chats: sql`c.site_id = ${siteId} and ${isMentionedChat(ctx)}`,
      };
    const chats = CHATS_OF_QUEUE[target.queue];
    return {
      tickets: inTicketQueue(ctx, target.queue),
      chats: sql`c.site_id = ${siteId} and ${inQueue(ctx, chats)}`,
    };
  }
  if ('list' in target) return inList(ctx, target.list);
  if ('search' in target) {
    return {
      tickets: await ticketsFound(ctx, target.search, most),
      chats: await chatsFound(ctx, target.search, most),
    };
  }
  return {
    tickets: sql`t.site_id = ${siteId} and t.id = any (${target.tickets}::bigint[])`,
    chats: isOfSession(ctx, target.sessions),
  };
}

/**
 * The records that a target selects now, at most `most`, chats first: rows with either `ticket_id` or
 * `conversation_id`.
 * @throws AppError 404 for an unknown view
 */
export async function chosenRows(
  ctx: SiteContext,
  target: BulkTarget,
  most: number,
): Promise<RawBuilder<{ ticket_id: number | null; conversation_id: number | null }>> {
  const { tickets, chats } = await conditions(ctx, target, most);
  return sql`(
    select null::bigint as ticket_id, c.id as conversation_id from conversations c where ${chats}
    union all select t.id, null from tickets t where ${tickets}
    limit ${most})`;
}
