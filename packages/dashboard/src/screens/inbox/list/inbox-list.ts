import type { FoundItem, FoundWords, Session, TicketSummary } from '@foyer/protocol';
import { placeOf } from '../../../live/drafts.ts';

/** `at`: when it last moved, in milliseconds, by which lists are merged. `found`: where the words of a search stand. */
export type InboxItem = { key: string; at: number; found?: FoundWords | null } & (
  | { kind: 'chat'; session: Session }
  | { kind: 'ticket'; ticket: TicketSummary }
);

/** One list of the server as far as it is loaded, the newest first. */
export interface Source {
  items: InboxItem[];
  hasMore: boolean;
}

export const chatItem = (session: Session, at: number): InboxItem => ({
  kind: 'chat',
  key: session.session_id,
  at,
  session,
});

export const ticketItem = (ticket: TicketSummary, at: number): InboxItem => ({
  kind: 'ticket',
  key: `ticket ${ticket.id}`,
  at,
  ticket,
});

/** What a search finds is in the server's order. */
export const foundItem = (item: FoundItem): InboxItem => ({
  ...(item.kind === 'chat' ? chatItem(item.session, 0) : ticketItem(item.ticket, 0)),
  found: item.found,
});

/** How what is written there is called: its draft, its files, what is on its way. */
export const writingPlaceOf = (item: InboxItem): string =>
  item.kind === 'chat' ? item.key : placeOf({ session_id: null, ticket_id: item.ticket.id });

const PLACES: Record<FoundWords['in'], string> = {
  message: 'm',
  note: 'n',
  reply: 'n',
  subject: '',
  description: '',
};

/** The place in a conversation that a search leads to, as the hash of its address: its key in the timeline. */
export const placeOfFound = (found: FoundWords | null | undefined): string =>
  found && PLACES[found.in] ? `${PLACES[found.in]}${found.at}` : '';

/** @param search what the list is filtered by, as it stands in the address */
export function addressOf(item: InboxItem, search: string): string {
  const path = item.kind === 'chat' ? item.key : `tickets/${item.ticket.id}`;
  const place = placeOfFound(item.found);
  return `/app/inbox/${path}${search}${place && `#${place}`}`;
}

/**
 * One list of several, the newest first. What is older than the last of a list that has more is held back: something
 * of that list may belong before it.
 * @returns what can be shown, and the places of the sources that have to be loaded on for more.
 */
export function mergeByTime(sources: readonly Source[]): { items: InboxItem[]; behind: number[] } {
  const ends = sources.map(({ items, hasMore }) => (hasMore ? (items.at(-1)?.at ?? 0) : 0));
  const frontier = Math.max(0, ...ends);
  const items = sources.flatMap((source) => source.items).filter(({ at }) => at >= frontier);
  // Most often it is in order, and to see that takes a tenth of sorting it.
  if (!items.every(({ at }, place) => place === 0 || at <= (items[place - 1]?.at ?? 0)))
    items.sort((a, b) => b.at - a.at);
  const behind = [...sources.keys()].filter((place) => sources[place]?.hasMore && ends[place] === frontier);
  return { items, behind };
}

const waitingSince = ({ session }: Extract<InboxItem, { kind: 'chat' }>): number =>
  Date.parse(session.waiting_since_utc ?? session.started_utc);

/** Of those who wait, people in a chat come first, the one who has waited longest at the head; tickets follow. */
export const longestWaitFirst = (items: readonly InboxItem[]): InboxItem[] => [
  ...items.filter((item) => item.kind === 'chat').toSorted((a, b) => waitingSince(a) - waitingSince(b)),
  ...items.filter((item) => item.kind === 'ticket').toSorted((a, b) => a.at - b.at),
];
