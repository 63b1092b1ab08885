import type { Exchange } from '../../net/sender.ts';

/** Jitter adds at most this fraction of a delay. It never subtracts: the schedule is a promise. */
const JITTER = 0.1;
const GONE = 410;

/** The outcome of an attempt. `at` is when the next one is due. */
export type Outcome =
  | { state: 'delivered' }
  | { state: 'retry'; at: Date }
  | { state: 'dead'; gone: boolean };

/**
 * The retry policy: after the first attempt as many retries as there are delays, each that long after the failure
 * before it; then the delivery is dead. A 410 is final at once.
 * @param failuresBefore attempts of this round that failed before this one; "send again" begins a new round.
 * @param random 0 to 1.
 */
export function outcomeOf(
  exchange: Pick<Exchange, 'statusCode' | 'error'>,
  failuresBefore: number,
  failedAt: Date,
  { delaysMs, random }: { delaysMs: readonly number[]; random: () => number },
): Outcome {
  if (exchange.error === null) return { state: 'delivered' };
  if (exchange.statusCode === GONE) return { state: 'dead', gone: true };
  const delayMs = delaysMs[failuresBefore];
  if (delayMs === undefined) return { state: 'dead', gone: false };
  return { state: 'retry', at: new Date(failedAt.getTime() + Math.floor(delayMs * (1 + JITTER * random()))) };
}
