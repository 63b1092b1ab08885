import type { InboxCounts, InboxQueue } from '@foyer/protocol';
import { QUEUE_COUNT_MAX } from '@foyer/protocol/values/inbox-queues';
import { formatNumber } from '../../../language.ts';
import { t } from '../t.ts';

export const queueLabel = (queue: InboxQueue): string => t(`queue_${queue}`);

export const countWords = (count: number): string =>
  count >= QUEUE_COUNT_MAX ? `${formatNumber(QUEUE_COUNT_MAX - 1)}+` : formatNumber(count);

export const countOf = (counts: InboxCounts | undefined, queue: InboxQueue): number =>
  queue === 'closed' ? 0 : (counts?.[queue] ?? 0);
