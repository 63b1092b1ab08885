import type { SdkAttributes } from '@foyer/protocol';
import { backoffMs } from '@foyer/protocol/browser/backoff';
import { warn } from './guard.ts';
import type { StoredEvent } from './identity.ts';
import { IDENTIFY_DEBOUNCE_MS, OUTBOX_MAX, RETRY_FIRST_MS } from './limits.ts';
import { identifyItem } from './outbox/identify.ts';
import { findItem, loadItems, type OutboxItem } from './outbox/items.ts';
import { dueAt, endLease, lease, leaseInFlight, NEVER, RETRY_MAX_MS, waitingItems } from './outbox/leases.ts';
import { type Answer, createLimiter, type Send } from './outbox/limiter.ts';

interface Outbox {
  identify(before: string, key: string, changed: SdkAttributes, userHash?: string): void;
  track(key: string, event: StoredEvent, userHash?: string): void;
  /** Items are sent from the first call on; until then they are only collected. */
  start(): void;
  /** Also sends what waits for its debounce: the page is closing, and leaves the rest to other tabs. */
  flush(): void;
}

/** Sends each item when it is due. A failure pauses all items, longer each time. */
export const createOutbox = (send: Send): Outbox => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  /** In ms. Nothing is sent before the start. */
  let pausedUntil = NEVER;

  const settle = (item: OutboxItem, [status, retryAfter]: Answer) => {
    const isTemporary = status < 200 || status === 401 || status === 429 || status >= 500;
    if (isTemporary) {
      const wait = backoffMs(failures++, RETRY_FIRST_MS, RETRY_MAX_MS);
      pausedUntil = Date.now() + (retryAfter ? retryAfter * 1000 : wait);
      // The item's current state: the visitor may have become known or logged out meanwhile.
      const kept = findItem(item.id);
      if (kept) lease(kept, pausedUntil);
    } else {
      failures = 0;
      if (status >= 400) warn(`refused: ${status}`);
      endLease(item.id);
    }
    pump();
  };
  const sendWithinLimits = createLimiter(send, leaseInFlight, settle);

  /** Sends what is due, and sets the timer for the next item. */
  const pump = () => {
    clearTimeout(timer);
    const now = Date.now();
    let next = NEVER;
    for (const item of loadItems()) {
      const due = Math.max(dueAt(item, now), pausedUntil);
      if (due > now) next = Math.min(next, due);
      else sendWithinLimits(item);
    }
    if (next < NEVER) timer = setTimeout(pump, next - now);
  };

  const add = (item: OutboxItem, delay: number) => {
    lease(item, Date.now() + delay);
    const [oldest, ...others] = loadItems();
    if (oldest && others.length >= OUTBOX_MAX) endLease(oldest.id);
    pump();
  };

  return {
    identify: (...call) => add(identifyItem(...call), IDENTIFY_DEBOUNCE_MS),
    track: (key, event, user_hash) => add({ id: event.id, key, user_hash, at: 0, event }, 0),
    start() {
      pausedUntil = 0;
      pump();
    },
    flush() {
      for (const item of waitingItems()) lease(item, Date.now());
      pump();
      for (const item of waitingItems()) endLease(item.id, { ...item, at: 0 });
    },
  };
};
