import { type BulkTarget, CHATS_OF_QUEUE } from '@foyer/protocol';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SiteContext } from '../context.ts';
import { inQueue } from '../conversations/queues.ts';
import { conditionsOf, isSnoozed } from '../tickets/filter.ts';
import { filterOfView } from '../tickets/saved-views.ts';
import { type ChatPlace, findChats, placeOfChat } from './found-chats.ts';
import { isMentionedChat, isMentionedTicket } from './mentions.ts';
import { inTicketQueue } from './tickets.ts';

/** Each is looked up by itself: those beyond are found by narrower words. */
const CHATS_FOUND_MAX = 2_000;

type Search = Extract<BulkTarget, { search: object }>['search'];

async function ticketsFound(ctx: SiteContext, { view, ...filter }: Search): Promise<RawBuilder<SqlBool>> {
  const saved = view === undefined ? undefined : (await filterOfView(ctx, view)).filter;
  const state = isSnoozed(filter.snoozed ?? saved?.snoozed ?? false);
  const wanted = [...(await conditionsOf(ctx, filter)), ...(saved ? await conditionsOf(ctx, saved) : [])];
  return sql`t.site_id = ${ctx.site.id} and ${sql.join([state, ...wanted], sql` and `)}`;
}

/** What the list shows of chats for this search, which no condition could say. */
async function chatsFound(ctx: SiteContext, search: Search): Promise<RawBuilder<SqlBool>> {
  const { q } = search;
  const found: number[] = [];
  let from: ChatPlace | undefined;
  do {
    const { hits, end } =
      q === undefined ? { hits: [] } : await findChats(ctx, { ...search, q }, from, CHATS_FOUND_MAX);
    found.push(...hits.map(({ conversation_id }) => conversation_id));
    const last = hits.at(-1);
    from = hits.length === CHATS_FOUND_MAX && last ? placeOfChat(last) : end;
  } while (from !== undefined && found.length < CHATS_FOUND_MAX);
  return sql`c.site_id = ${ctx.site.id} and c.id = any (${found}::bigint[])`;
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
