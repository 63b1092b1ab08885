import type { Queue } from '../chat/conversations.ts';

/**
 * The desk's queues of chats and tickets. `waiting`: not yet handled by the team. `unassigned`: without an
 * assignee. `mentions`: open, with a note that mentions me. `open`: everything not closed. Snoozed ones are only in
 * `snoozed`, and marked ones only in `spam`.
 */
export const INBOX_QUEUES = [
  'waiting',
  'mine',
  'mentions',
  'unassigned',
  'open',
  'snoozed',
  'closed',
  'spam',
] as const;
export type InboxQueue = (typeof INBOX_QUEUES)[number];

/** Queues that depend only on a chat's or ticket's state: each is a list of chats and one of tickets. */
export type StateQueue = Exclude<InboxQueue, 'mentions'>;
export const STATE_QUEUES = INBOX_QUEUES.filter((queue) => queue !== 'mentions');

/** The chats of each queue of the inbox. */
export const CHATS_OF_QUEUE: Readonly<Record<StateQueue, Queue>> = {
  waiting: 'waiting',
  mine: 'mine',
  unassigned: 'waiting',
  open: 'open',
  snoozed: 'snoozed',
  closed: 'closed',
  spam: 'spam',
};

/** Counting a queue's tickets, or the mentions, stops here. */
export const QUEUE_COUNT_MAX = 1_000;
