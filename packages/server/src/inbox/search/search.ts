import type { FoundItem, InboxSearchFields, OutputOf, ParsedInputOf } from '@foyer/protocol';
import { sql } from 'kysely';
import { loadSessions, presentSession } from '../../conversations/sessions.ts';
import type { SiteContext } from '../../core/context.ts';
import { decodeCursor, encodeCursor } from '../../db/keyset.ts';
import { listTicketRows, markOf } from '../../tickets/list.ts';
import { presentTicketSummary, type TicketRow } from '../../tickets/tickets.ts';
import type { ChatHit } from './chat-hit.ts';
import { questionOf } from './excerpt.ts';
import { type ChatHits, type ChatPlace, findChats, placeOfChat } from './search-chats.ts';
import { ticketSearch } from './search-filter.ts';
import { wordsInChats, wordsInTickets } from './search-terms.ts';

type Search = ParsedInputOf<'inbox.search'>;
/** By `last_activity_at` (ms), then id. */
type TicketPlace = readonly [at: number, id: number];

/** Where each of the two lists continues; undefined: at its beginning. */
interface Places {
  chats: ChatPlace | undefined;
  tickets: TicketPlace | undefined;
}

/** For a list that hasn't begun: no id is 0. */
const UNBEGUN = [0, 0, 0];

function placesOf(cursor: string | undefined): Places {
  const [chatAt = 0, chatId = 0, part = 0, ticketAt = 0, ticketId = 0] = decodeCursor(cursor, 5) ?? [];
  return {
    chats: chatId === 0 ? undefined : [chatAt, chatId, part],
    tickets: ticketId === 0 ? undefined : [ticketAt, ticketId],
  };
}

const cursorOf = ({ chats, tickets }: Places): string =>
  encodeCursor([...(chats ?? UNBEGUN), ...(tickets ?? UNBEGUN.slice(1))]);

interface TicketHits {
  hits: TicketRow[];
  /** Where the search stopped; undefined: there is nothing more. */
  end?: TicketPlace;
}

const placeOfTicket = ({ last_activity_at, id }: TicketRow): TicketPlace => [last_activity_at.getTime(), id];

/** Tickets that contain these words, the latest activity first. */
async function findTickets(
  ctx: SiteContext,
  search: InboxSearchFields,
  from: TicketPlace | undefined,
  limit: number,
): Promise<TicketHits> {
  const chosen = await ticketSearch(ctx, search);
  if (!chosen) return { hits: [] };
  const sort = '-activity';
  const cursor = from && encodeCursor([markOf(sort), ...from]);
  const input = { ...chosen, sort, limit, ...(cursor && { cursor }) } as const;
  const { items, next_cursor } = await listTicketRows(ctx, input);
  const [, at, id] = decodeCursor(next_cursor ?? undefined, 3) ?? [];
  return { hits: items, ...(at !== undefined && id !== undefined && { end: [at, id] }) };
}

type Hit = { at: number } & ({ chat: ChatHit } | { ticket: TicketRow });

/**
 * Merges both lists up to the point where nothing can be missing: entries after the end of one list are held back.
 */
function merge(chats: ChatHits, tickets: TicketHits, limit: number): Hit[] {
  const edge = Math.max(chats.end?.[0] ?? 0, tickets.end?.[0] ?? 0);
  return [
    ...chats.hits.map((chat): Hit => ({ at: chat.said_at.getTime(), chat })),
    ...tickets.hits.map((ticket): Hit => ({ at: ticket.last_activity_at.getTime(), ticket })),
  ]
    .filter(({ at }) => at >= edge)
    .sort((one, two) => two.at - one.at)
    .slice(0, limit);
}

async function present(ctx: SiteContext, q: string, hits: readonly Hit[]): Promise<FoundItem[]> {
  const question = questionOf(q);
  const chats = hits.flatMap((hit) => ('chat' in hit ? [hit.chat] : []));
  const tickets = hits.flatMap((hit) => ('ticket' in hit ? [hit.ticket] : []));
  const ids = chats.map(({ conversation_id }) => conversation_id);
  const [sessions, inChats, inTickets] = await Promise.all([
    loadSessions(ctx.db, ctx.site.id, sql`c.id = any (${ids}::bigint[])`),
    wordsInChats(ctx, chats, question),
    wordsInTickets(ctx, tickets, question),
  ]);
  const sessionOf = new Map(sessions.map((row) => [row.id, row]));
  return hits.flatMap((hit): FoundItem[] => {
    if ('ticket' in hit) {
      const ticket = presentTicketSummary(hit.ticket);
      return [{ kind: 'ticket', ticket, found: inTickets.get(ticket.id) ?? null }];
    }
    const id = hit.chat.conversation_id;
    const row = sessionOf.get(id);
    return row ? [{ kind: 'chat', session: presentSession(row), found: inChats.get(id) ?? null }] : [];
  });
}

/** Chats and tickets that contain the words, the latest activity first. */
export async function searchInbox(ctx: SiteContext, search: Search): Promise<OutputOf<'inbox.search'>> {
  const { limit, cursor, ...fields } = search;
  const from = placesOf(cursor);
  // Each fetches one more than is shown, to know whether there is a next page.
  const [chats, tickets] = await Promise.all([
    findChats(ctx, fields, from.chats, limit + 1),
    findTickets(ctx, fields, from.tickets, limit + 1),
  ]);
  const shown = merge(chats, tickets, limit);
  const shownChats = shown.flatMap((hit) => ('chat' in hit ? [hit.chat] : []));
  const shownTickets = shown.flatMap((hit) => ('ticket' in hit ? [hit.ticket] : []));
  const lastChat = shownChats.at(-1);
  const lastTicket = shownTickets.at(-1);
  const isAllChats = shownChats.length === chats.hits.length;
  const isAllTickets = shownTickets.length === tickets.hits.length;
  const isEnd = isAllChats && !chats.end && isAllTickets && !tickets.end;
  const next: Places = {
    chats: (isAllChats ? chats.end : undefined) ?? (lastChat ? placeOfChat(lastChat) : from.chats),
    tickets:
      (isAllTickets ? tickets.end : undefined) ?? (lastTicket ? placeOfTicket(lastTicket) : from.tickets),
  };
  return { items: await present(ctx, fields.q, shown), limit, next_cursor: isEnd ? null : cursorOf(next) };
}
