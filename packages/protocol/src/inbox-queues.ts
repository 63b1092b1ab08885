import type { Queue } from './conversations.ts';

/**
 * Where the desk looks for work, chats and tickets alike. `waiting`: nobody of the team has begun. `unassigned`: nobody
 * has it. `open`: all that is not closed. Snoozed tickets are in `snoozed` alone.
 */
export const INBOX_QUEUES = ['waiting', 'mine', 'unassigned', 'open', 'snoozed', 'closed'] as const;
export type InboxQueue = (typeof INBOX_QUEUES)[number];

/** The chats that belong to a queue of the inbox; null: none do. */
export const CHATS_OF_QUEUE: Readonly<Record<InboxQueue, Queue | null>> = {
  waiting: 'waiting',
  mine: 'mine',
  unassigned: 'waiting',
  open: 'open',
  snoozed: null,
  closed: 'closed',
};

/** Counting the tickets of a queue stops here. */
export const QUEUE_COUNT_MAX = 1_000;
