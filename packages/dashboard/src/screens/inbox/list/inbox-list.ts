import type { FoundItem, FoundWords, Session, TicketSummary } from '@foyer/protocol';
import { compareKeys, type SortKey } from '@foyer/protocol/values/inbox-lists';
import { placeOf } from '../../../live/drafts.ts';

/** `place`: its sort key, by which lists are merged. `found`: where the words of a search occur. */
export type InboxItem = { key: string; place: SortKey; found?: FoundWords | null } & (
  | { kind: 'chat'; session: Session }
  | { kind: 'ticket'; ticket: TicketSummary }
);

/** The loaded part of one of the server's lists, in order. */
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

/** Search results keep the server's order. */
export const foundItem = (item: FoundItem): InboxItem => ({
  ...(item.kind === 'chat' ? chatItem(item.session, []) : ticketItem(item.ticket, [])),
  found: item.found,
});

/** The name of its draft, files and outbox. */
export const writingPlaceOf = (item: InboxItem): string =>
  item.kind === 'chat' ? item.key : placeOf({ session_id: null, ticket_id: item.ticket.id });

const PLACES: Record<FoundWords['in'], string> = {
  message: 'm',
  note: 'n',
  reply: 'n',
  subject: '',
  description: '',
  field: '',
};

/** The message that a search leads to, as the hash of its address: its key in the timeline. */
export const placeOfFound = (found: FoundWords | null | undefined): string =>
  found && PLACES[found.in] ? `${PLACES[found.in]}${found.at}` : '';

/** @param search the filter of the list, as in the address */
export function addressOf(item: InboxItem, search: string): string {
  const path = item.kind === 'chat' ? item.key : `tickets/${item.ticket.id}`;
  const place = placeOfFound(item.found);
  return `/app/inbox/${path}${search}${place && `#${place}`}`;
}

const first = (one: SortKey | undefined, other: SortKey): SortKey =>
  one === undefined || compareKeys(other, one) < 0 ? other : one;
/** A list with more but nothing loaded: everything else may have to follow it. */
const NOWHERE: SortKey = [-Number.MAX_SAFE_INTEGER];

/**
 * Merges several lists in their common order. Items after the last loaded one of a list with more are held back,
 * because something of that list may belong before them.
 * @returns the items to show, and the indexes of sources that must be loaded further
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
  // Usually they are in order, and checking takes a tenth of sorting.
  if (!items.every(({ place }, at) => compareKeys(items[at - 1]?.place ?? place, place) <= 0))
    items.sort((a, b) => compareKeys(a.place, b.place));
  const behind = [...sources.keys()].filter((at) => {
    const end = ends[at];
    return end && frontier && compareKeys(end, frontier) === 0;
  });
  return { items, behind };
}
