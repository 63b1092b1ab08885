import { DAY_MS } from './durations.ts';
import { TICKET_PRIORITIES, TICKET_STATUSES } from './wire-names.ts';

/**
 * The orders of the inbox. `newest` and `oldest`: by the last activity. `waiting`: customers waiting for the team,
 * chats before tickets and the longest wait first; then the others, the oldest activity first. `priority`: most
 * urgent first; chats count as normal. `due`: by the end of the snooze. `next_due`: by what is due next, then those on
 * which nothing is, the oldest activity first.
 */
export const INBOX_SORTS = ['newest', 'oldest', 'waiting', 'priority', 'due', 'next_due'] as const;
export type InboxSort = (typeof INBOX_SORTS)[number];

export const INBOX_CHANNELS = ['chat', 'ticket'] as const;
export type InboxChannel = (typeof INBOX_CHANNELS)[number];

/** Statuses of chats and of tickets; `closed` is one of both. */
export const INBOX_STATUSES = ['bot', 'waiting', 'active', ...TICKET_STATUSES] as const;
export type InboxStatus = (typeof INBOX_STATUSES)[number];

const SPAN_DAYS = { '1d': 1, '7d': 7, '30d': 30, '90d': 90 } as const;
export type InboxSpan = keyof typeof SPAN_DAYS;
/** The days up to now. */
export const INBOX_SPANS = ['1d', '7d', '30d', '90d'] as const satisfies readonly InboxSpan[];

/** The start of a span that ends now. */
export const spanStart = (span: InboxSpan, now: Date): Date =>
  new Date(now.getTime() - SPAN_DAYS[span] * DAY_MS);

/** Waiting ones first; chats before tickets, because their visitor is present. */
const WAITING = { chat: 0, ticket: 1, none: 2 } as const;

/** What an order needs to know about a chat or ticket. Times are in milliseconds. */
export interface Sortable {
  kind: InboxChannel;
  activeMs: number;
  createdMs: number;
  /** Since when the team owes an answer; undefined if it doesn't. */
  waitingSinceMs: number | undefined;
  priority: (typeof TICKET_PRIORITIES)[number];
  /** The end of its snooze. */
  dueMs: number | undefined;
  /** When the next target of its SLA is due. */
  slaDueMs: number | undefined;
}

/** A place in an order, compared number by number: the lower one comes first. */
export type SortKey = readonly number[];

/** The sort keys by which lists of chats and tickets are merged. The server's lists have the same order. */
export function sortKey(sort: InboxSort, item: Sortable): SortKey {
  const { kind, activeMs, createdMs, waitingSinceMs, priority, dueMs, slaDueMs } = item;
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
    case 'next_due':
      return slaDueMs === undefined ? [1, activeMs] : [0, slaDueMs];
  }
}

export function compareKeys(one: SortKey, other: SortKey): number {
  for (const [at, value] of one.entries()) {
    const difference = value - (other[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
