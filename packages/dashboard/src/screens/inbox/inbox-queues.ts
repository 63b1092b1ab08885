import type { InboxCounts, InboxQueue } from '@foyer/protocol';
import { formatNumber } from '../../language.ts';
import { t } from './t.ts';

export const QUEUES: readonly InboxQueue[] = ['waiting', 'mine', 'unassigned', 'open', 'snoozed', 'closed'];

export const queueLabel = (queue: InboxQueue): string => t(`queue_${queue}`);

/** QUEUE_COUNT_MAX of the protocol: counting stops there. */
const COUNTED_TO = 1000;

export const countWords = (count: number): string =>
  count >= COUNTED_TO ? `${formatNumber(COUNTED_TO - 1)}+` : formatNumber(count);

export const countOf = (counts: InboxCounts | undefined, queue: InboxQueue): number =>
  queue === 'closed' ? 0 : (counts?.[queue] ?? 0);

/** What is said of a queue that has nothing in it. */
export const nothingIn = (queue: InboxQueue): { title: string; text: string } => ({
  title: t(`empty_${queue}`),
  text: t(`empty_${queue}_hint`),
});
