import { DAY_MS } from './durations.ts';
import { TICKET_PRIORITIES, TICKET_STATUSES } from './wire-names.ts';

/**
 * The orders of the inbox. `newest` and `oldest`: by the last activity. `waiting`: who waits for the team, chats before
 * tickets and the longest wait first; then all others, the oldest activity first. `priority`: the most urgent first; a
 * chat counts as normal. `due`: by when a snooze ends.
 */
export const INBOX_SORTS = ['newest', 'oldest', 'waiting', 'priority', 'due'] as const;
export type InboxSort = (typeof INBOX_SORTS)[number];

export const INBOX_CHANNELS = ['chat', 'ticket'] as const;
export type InboxChannel = (typeof INBOX_CHANNELS)[number];

/** Statuses of chats and of tickets; `closed` is one of both. */
export const INBOX_STATUSES = ['bot', 'waiting', 'active', ...TICKET_STATUSES] as const;
export type InboxStatus = (typeof INBOX_STATUSES)[number];

const SPAN_DAYS = { '1d': 1, '7d': 7, '30d': 30, '90d': 90 } as const;
export type InboxSpan = keyof typeof SPAN_DAYS;
/** So many days up to now. */
export const INBOX_SPANS = ['1d', '7d', '30d', '90d'] as const satisfies readonly InboxSpan[];

/** The time at which a span that ends now began. */
export const spanStart = (span: InboxSpan, now: Date): Date =>
  new Date(now.getTime() - SPAN_DAYS[span] * DAY_MS);

/** Who waits comes first; a chat before a ticket, because somebody sits there. */
const WAITING = { chat: 0, ticket: 1, none: 2 } as const;

/** What an order needs to know of a chat or a ticket; times in milliseconds. */
export interface Sortable {
  kind: InboxChannel;
  activeMs: number;
  createdMs: number;
  /** Since when the team owes an answer; undefined where it owes none. */
  waitingSinceMs: number | undefined;
  priority: (typeof TICKET_PRIORITIES)[number];
  dueMs: number | undefined;
}

/** A place in an order: the lower of two comes first, compared number by number. */
export type SortKey = readonly number[];

/** The keys of chats and of tickets that lists of both are merged by; the server's lists are in this order. */
export function sortKey(sort: InboxSort, item: Sortable): SortKey {
  const { kind, activeMs, createdMs, waitingSinceMs, priority, dueMs } = item;
  switch (sort) {
    case 'newest':
      return [-activeMs];
    case 'oldest':
      return [activeMs];
    case 'waiting':
      return waitingSinceMs === undefined ? [WAITING.none, activeMs] : [WAITING[kind], waitingSinceMs];
    case 'priority':
      return [-TICKET_PRIORITIES.indexOf(priority), -createdMs];
    case 'due':
      return [dueMs ?? Number.MAX_SAFE_INTEGER];
  }
}

export function compareKeys(one: SortKey, other: SortKey): number {
  for (const [at, value] of one.entries()) {
    const difference = value - (other[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
