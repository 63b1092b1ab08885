import type { BulkTarget } from '@foyer/protocol';
import type { InboxItem } from '../list/inbox-list.ts';
import {
  filterOf,
  type InboxSearch,
  stateQueueOf,
  ticketSearchOf,
  wordSearchOf,
} from '../list/inbox-search.ts';

/** The selected rows of a list, by key. */
export interface Selection {
  keys: ReadonlySet<string>;
  /** Where a range begins: the row selected last. */
  anchor: string | null;
  /** Everything that matches, loaded or not. */
  isAll: boolean;
}

export const NOTHING: Selection = { keys: new Set(), anchor: null, isAll: false };

export function toggled({ keys }: Selection, key: string): Selection {
  const next = new Set(keys);
  if (!next.delete(key)) next.add(key);
  return { keys: next, anchor: key, isAll: false };
}

/** Selects everything between the anchor and this row; without an anchor in the list, this row alone. */
export function rangeTo({ keys, anchor }: Selection, listed: readonly string[], key: string): Selection {
  const to = listed.indexOf(key);
  const from = anchor === null ? to : listed.indexOf(anchor);
  if (to === -1) return { keys, anchor, isAll: false };
  const [first, last] = from === -1 ? [to, to] : [Math.min(from, to), Math.max(from, to)];
  return { keys: new Set([...keys, ...listed.slice(first, last + 1)]), anchor: key, isAll: false };
}

export const allOf = (listed: readonly string[]): Selection => ({
  keys: new Set(listed),
  anchor: listed.at(-1) ?? null,
  isAll: false,
});

/** The selected rows that the list still shows. */
export const selectedIn = ({ keys }: Selection, items: readonly InboxItem[]): InboxItem[] =>
  keys.size === 0 ? [] : items.filter(({ key }) => keys.has(key));

/** Everything that the list of this address shows, for the server to select. */
export function targetOfSearch(search: InboxSearch): BulkTarget {
  if (search.q) return { search: wordSearchOf(search) };
  if (search.view !== undefined) return { search: ticketSearchOf(search) };
  const queue = stateQueueOf(search);
  if (queue === null) return { queue: 'mentions' };
  const list = filterOf(search);
  return queue && Object.keys(list).length === 0 ? { queue } : { list: { ...(queue && { queue }), ...list } };
}

export const targetOfItems = (items: readonly InboxItem[]): BulkTarget => ({
  tickets: items.flatMap((item) => (item.kind === 'ticket' ? [item.ticket.id] : [])),
  sessions: items.flatMap((item) => (item.kind === 'chat' ? [item.session.session_id] : [])),
});
