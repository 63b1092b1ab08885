import { bytesOf } from '../json.ts';
import { CONCURRENT_MAX, KEEPALIVE_MAX_BYTES } from '../limits.ts';
import type { OutboxItem } from './items.ts';

/** A request's status (0 when the network failed) and its `Retry-After` in seconds. */
export type Answer = [status: number, retryAfter?: number];

export type Send = (item: OutboxItem, keepalive: boolean) => Promise<Answer>;

/**
 * Limits how many items are in flight at once, and how many bytes. An item of any size is sent if it is the only one.
 * @param onStart is called just before an item is sent
 * @returns sends an item, or does nothing if the limits are reached
 */
export const createLimiter = (
  send: Send,
  onStart: (item: OutboxItem) => void,
  onAnswer: (item: OutboxItem, answer: Answer) => void,
): ((item: OutboxItem) => void) => {
  let inFlight = 0;
  let inFlightBytes = 0;
  return (item) => {
    const bytes = bytesOf(item);
    const fits = inFlightBytes + bytes < KEEPALIVE_MAX_BYTES;
    if (inFlight >= CONCURRENT_MAX || (inFlight && !fits)) return;
    onStart(item);
    inFlight++;
    inFlightBytes += bytes;
    send(item, fits)
      .catch((): Answer => [0])
      .then((answer) => {
        inFlight--;
        inFlightBytes -= bytes;
        onAnswer(item, answer);
      });
  };
};
