import type { FoundItem, FoundWords, Session, TicketSummary } from '@foyer/protocol';
import { compareKeys, type SortKey } from '@foyer/protocol/values/inbox-lists';
import { placeOf } from '../../../live/drafts.ts';

/** `place`: in the order of its list, by which lists are merged. `found`: where the words of a search stand. */
export type InboxItem = { key: string; place: SortKey; found?: FoundWords | null } & (
  | { kind: 'chat'; session: Session }
  | { kind: 'ticket'; ticket: TicketSummary }
);

/** One list of the server as far as it is loaded, in its order. */
export interface Source {
  items: InboxItem[];
  hasMore: boolean;
}

export const chatItem = (session: Session, place: SortKey): InboxItem => ({
  kind: 'chat',
  key: session.session_id,
  place,
  session,
});

export const ticketItem = (ticket: TicketSummary, place: SortKey): InboxItem => ({
  kind: 'ticket',
  key: `ticket ${ticket.id}`,
  place,
  ticket,
});

/** What a search finds is in the server's order. */
export const foundItem = (item: FoundItem): InboxItem => ({
  ...(item.kind === 'chat' ? chatItem(item.session, []) : ticketItem(item.ticket, [])),
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

const first = (one: SortKey | undefined, other: SortKey): SortKey =>
  one === undefined || compareKeys(other, one) < 0 ? other : one;
/** Nothing is known of a list that has more and nothing loaded: everything else may have to stand behind that. */
const NOWHERE: SortKey = [-Number.MAX_SAFE_INTEGER];

/**
 * One list of several in their common order. What comes after the last of a list that has more is held back: something
 * of that list may belong before it.
 * @returns what can be shown, and the places of the sources that have to be loaded on for more.
 */
export function mergeSources(sources: readonly Source[]): { items: InboxItem[]; behind: number[] } {
  const ends = sources.map(({ items, hasMore }) => (hasMore ? (items.at(-1)?.place ?? NOWHERE) : undefined));
  const frontier = ends.reduce<SortKey | undefined>(
    (known, end) => (end ? first(known, end) : known),
    undefined,
  );
  const items = sources
    .flatMap((source) => source.items)
    .filter(({ place }) => !frontier || compareKeys(place, frontier) <= 0);
  // Most often it is in order, and to see that takes a tenth of sorting it.
  if (!items.every(({ place }, at) => compareKeys(items[at - 1]?.place ?? place, place) <= 0))
    items.sort((a, b) => compareKeys(a.place, b.place));
  const behind = [...sources.keys()].filter((at) => {
    const end = ends[at];
    return end && frontier && compareKeys(end, frontier) === 0;
  });
  return { items, behind };
}
