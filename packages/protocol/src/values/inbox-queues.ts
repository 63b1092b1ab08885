import type { Queue } from '../chat/conversations.ts';

/**
 * Where the desk looks for work, chats and tickets alike. `waiting`: nobody of the team has begun. `unassigned`: nobody
 * has it. `mentions`: what is open and has a note that names me. `open`: all that is not closed. What is
 * snoozed is in `snoozed` alone.
 */
export const INBOX_QUEUES = [
  'waiting',
  'mine',
  'mentions',
  'unassigned',
  'open',
  'snoozed',
  'closed',
] as const;
export type InboxQueue = (typeof INBOX_QUEUES)[number];

/** What is told by the state of a chat or a ticket alone: each is a list of chats and one of tickets. */
export type StateQueue = Exclude<InboxQueue, 'mentions'>;
export const STATE_QUEUES = INBOX_QUEUES.filter((queue) => queue !== 'mentions');

/** The chats that belong to a queue of the inbox. */
export const CHATS_OF_QUEUE: Readonly<Record<StateQueue, Queue>> = {
  waiting: 'waiting',
  mine: 'mine',
  unassigned: 'waiting',
  open: 'open',
  snoozed: 'snoozed',
  closed: 'closed',
};

/** Counting the tickets of a queue, or the mentions, stops here. */
export const QUEUE_COUNT_MAX = 1_000;
