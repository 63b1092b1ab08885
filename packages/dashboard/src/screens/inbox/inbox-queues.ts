import type { InboxCounts, InboxQueue } from '@foyer/protocol';

export const QUEUES: { queue: InboxQueue; label: string }[] = [
  { queue: 'waiting', label: 'Waiting' },
  { queue: 'mine', label: 'Mine' },
  { queue: 'unassigned', label: 'Unassigned' },
  { queue: 'open', label: 'All open' },
  { queue: 'snoozed', label: 'Snoozed' },
  { queue: 'closed', label: 'Closed' },
];

export const queueLabel = (queue: InboxQueue): string =>
  QUEUES.find((one) => one.queue === queue)?.label ?? queue;

/** QUEUE_COUNT_MAX of the protocol: counting stops there. */
const COUNTED_TO = 1000;

export const countWords = (count: number): string =>
  count >= COUNTED_TO ? `${COUNTED_TO - 1}+` : String(count);

export const countOf = (counts: InboxCounts | undefined, queue: InboxQueue): number =>
  queue === 'closed' ? 0 : (counts?.[queue] ?? 0);

export const NOTHING: Record<InboxQueue, { title: string; text: string }> = {
  waiting: {
    title: 'Nobody is waiting',
    text: 'Chats that the bot hands to a person and new tickets show here, with a sound.',
  },
  mine: {
    title: 'Nothing is yours',
    text: 'Chats that you join and tickets that are assigned to you show here.',
  },
  unassigned: { title: 'Everything has somebody', text: 'Chats and tickets that nobody has show here.' },
  open: {
    title: 'Nothing is open',
    text: 'Every chat that goes on and every ticket that is not solved shows here.',
  },
  snoozed: { title: 'Nothing is snoozed', text: 'A snoozed ticket stays here until its time comes.' },
  closed: {
    title: 'Nothing is closed yet',
    text: 'Chats that have ended and tickets that are solved stay here.',
  },
};
