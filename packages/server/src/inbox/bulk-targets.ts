import { type BulkTarget, CHATS_OF_QUEUE } from '@foyer/protocol';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SiteContext } from '../context.ts';
import { inQueue } from '../conversations/queues.ts';
import { conditionsOf, isSnoozed } from '../tickets/filter.ts';
import { filterOfView } from '../tickets/saved-views.ts';
import { findChats, placeOfChat } from './found-chats.ts';
import { isMentionedChat, isMentionedTicket } from './mentions.ts';
import { phrasesOf } from './phrases.ts';
import { findTickets, placeOfTicket } from './search.ts';
import { inTicketQueue } from './tickets.ts';

/** Each is looked up by itself: those beyond are found by narrower words. */
const FOUND_MAX = 2_000;
const PAGE = 500;
/** Where each finds few. */
const PAGES_MAX = 20;

type Search = Extract<BulkTarget, { search: object }>['search'];
type Place = readonly number[];

/** The ids of what a search finds page by page. */
async function idsFound<H, P extends Place>(
  find: (from: P | undefined) => Promise<{ hits: H[]; end?: P }>,
  placeOf: (hit: H) => P,
  idOf: (hit: H) => number,
): Promise<number[]> {
  const found: number[] = [];
  let from: P | undefined;
  for (let page = 0; page < PAGES_MAX && found.length < FOUND_MAX; page++) {
    const { hits, end } = await find(from);
    found.push(...hits.map(idOf));
    const last = hits.at(-1);
    from = hits.length === PAGE && last ? placeOf(last) : end;
    if (from === undefined) break;
  }
  return found;
}

/** No condition could say in which tickets a phrase stands. */
async function ticketsSaying(ctx: SiteContext, search: Search): Promise<RawBuilder<SqlBool>> {
  const { q } = search;
  if (q === undefined || phrasesOf(q).length === 0) return sql`true`;
  const ids = await idsFound(
    (from) => findTickets(ctx, { ...search, q }, from, PAGE),
    placeOfTicket,
    ({ id }) => id,
  );
  return sql`t.id = any (${ids}::bigint[])`;
}

async function ticketsFound(ctx: SiteContext, search: Search): Promise<RawBuilder<SqlBool>> {
  const { view, ...filter } = search;
  const saved = view === undefined ? undefined : (await filterOfView(ctx, view)).filter;
  const state = isSnoozed(filter.snoozed ?? saved?.snoozed ?? false);
  const wanted = [...(await conditionsOf(ctx, filter)), ...(saved ? await conditionsOf(ctx, saved) : [])];
  const saying = await ticketsSaying(ctx, search);
  return sql`t.site_id = ${ctx.site.id} and ${sql.join([state, ...wanted, saying], sql` and `)}`;
}

/** What the list shows of chats for this search, which no condition could say. */
async function chatsFound(ctx: SiteContext, search: Search): Promise<RawBuilder<SqlBool>> {
  const { q } = search;
  const ids =
    q === undefined
      ? []
      : await idsFound(
          (from) => findChats(ctx, { ...search, q }, from, PAGE),
          placeOfChat,
          ({ conversation_id }) => conversation_id,
        );
  return sql`c.site_id = ${ctx.site.id} and c.id = any (${ids}::bigint[])`;
}

const isOfSession = (ctx: SiteContext, ids: readonly string[]): RawBuilder<SqlBool> =>
  sql`c.site_id = ${ctx.site.id} and c.session_id = any (${ids}::text[])`;

interface Conditions {
  /** On `tickets t`, and on `conversations c`; the site is in both. */
  tickets: RawBuilder<SqlBool>;
  chats: RawBuilder<SqlBool>;
}

async function conditions(ctx: SiteContext, target: BulkTarget): Promise<Conditions> {
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
      chats: chats === null ? sql`false` : sql`c.site_id = ${siteId} and ${inQueue(ctx, chats)}`,
    };
  }
  if ('search' in target) {
    return {
      tickets: await ticketsFound(ctx, target.search),
      chats: await chatsFound(ctx, target.search),
    };
  }
  return {
    tickets: sql`t.site_id = ${siteId} and t.id = any (${target.tickets}::bigint[])`,
    chats: isOfSession(ctx, target.sessions),
  };
}

/**
 * What a target chooses now, at most `most` of it, chats first: rows of `ticket_id` and `conversation_id`, of which one
 * is null. @throws AppError 404 for a view that the site doesn't have.
 */
export async function chosenRows(
  ctx: SiteContext,
  target: BulkTarget,
  most: number,
): Promise<RawBuilder<{ ticket_id: number | null; conversation_id: number | null }>> {
  const { tickets, chats } = await conditions(ctx, target);
  return sql`(
    select null::bigint as ticket_id, c.id as conversation_id from conversations c where ${chats}
    union all select t.id, null from tickets t where ${tickets}
    limit ${most})`;
}
