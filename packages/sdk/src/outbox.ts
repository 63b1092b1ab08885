import type { SdkAttributes } from '@foyer/protocol';
import { warn } from './guard.ts';
import { isAnonymous, randomHex, type StoredEvent } from './identity.ts';
import type { Store } from './store.ts';

/** Interface, "Limits". */
export const IDENTIFY_DEBOUNCE_MS = 800;
const OUTBOX = 'svc.outbox';
const OUTBOX_MAX = 100;
const CONCURRENT_MAX = 6;
/** A tab that sends an item has it to itself for this long; longer than a request may take. */
const LEASE_MS = 30_000;
const RETRY_FIRST_MS = 2_000;
const RETRY_MAX_MS = 300_000;

/** One thing that the server has not acknowledged yet. */
export interface OutboxItem {
  id: string;
  key: string;
  /** Not before this time, in ms: what `identify` waits for further calls. */
  at: number;
  /** Being sent by some tab, until this time in ms. */
  busy: number;
  attributes?: SdkAttributes;
  previous_key?: string;
  event?: StoredEvent;
}

/** A request's status (0 when the network failed) and its `Retry-After` in seconds. */
export type Answer = [status: number, retryAfter?: number];

export interface Outbox {
  identify(before: string, key: string, changed: SdkAttributes): void;
  track(key: string, event: StoredEvent): void;
  /** From the first call on things are sent; before it they only gather. */
  start(): void;
  /** Sends what waits for its debounce too: the page is going away. */
  flush(): void;
}

/**
 * Kept in storage until acknowledged, shared by the tabs of the origin: each reads it before writing, and
 * a lease on the item keeps two of them from sending the same thing.
 */
export const createOutbox = (store: Store, send: (item: OutboxItem) => Promise<Answer>): Outbox => {
  let isStarted = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let pausedUntil = 0;

  const load = (): OutboxItem[] => {
    const items = store.read(OUTBOX);
    return Array.isArray(items) ? items.filter((item) => item?.id && item.key) : [];
  };
  const save = (items: OutboxItem[]) =>
    store.write(OUTBOX, items.length > 0 ? items.slice(-OUTBOX_MAX) : undefined);

  const pump = () => {
    clearTimeout(timer);
    if (!isStarted) return;
    const now = Date.now();
    // A time further ahead than it can be comes from a clock that was set back since.
    const ahead = (until: number, max: number) => (until > now && until <= now + max ? until : 0);
    const items = load();
    let free = CONCURRENT_MAX - items.filter((item) => ahead(item.busy, LEASE_MS)).length;
    let next = Number.POSITIVE_INFINITY;
    const due = items.filter((item) => {
      const from = Math.max(ahead(item.at, IDENTIFY_DEBOUNCE_MS), ahead(item.busy, LEASE_MS), pausedUntil);
      if (from > now) next = Math.min(next, from);
      return from <= now && free-- > 0;
    });
    for (const item of due) item.busy = now + LEASE_MS;
    if (due.length > 0) save(items);
    if (next < Number.POSITIVE_INFINITY) timer = setTimeout(pump, next - now);
    for (const { ...item } of due) {
      send(item)
        .catch((): Answer => [0])
        .then((answer) => settle(item.id, answer));
    }
  };

  const settle = (id: string, [status, retryAfter]: Answer) => {
    let items = load();
    if (status < 200 || status === 429 || status >= 500) {
      for (const item of items) if (item.id === id) item.busy = 0;
      const wait = Math.min(RETRY_FIRST_MS * 2 ** failures++, RETRY_MAX_MS) * (0.5 + Math.random() / 2);
      pausedUntil = Date.now() + (retryAfter ? retryAfter * 1000 : wait);
    } else {
      failures = 0;
      if (status >= 400) warn(`refused: ${status}`);
      items = items.filter((item) => item.id !== id);
    }
    save(items);
    pump();
  };

  const add = (items: OutboxItem[]) => {
    save(items);
    pump();
  };

  return {
    identify(before, key, changed) {
      const items = load();
      const now = Date.now();
      let item = items.find((other) => other.attributes && other.key === key && other.busy <= now);
      if (isAnonymous(before) && key !== before) {
        for (const other of items) {
          // What waits under the anonymous key follows it, else it would bring the old visitor back.
          if (other.key !== before) continue;
          other.key = key;
          if (other.attributes && other.busy <= now) item = other;
        }
      }
      if (!item) {
        item = { id: randomHex(), key, at: 0, busy: 0 };
        items.push(item);
      }
      item.attributes = { ...item.attributes, ...changed };
      item.at = now + IDENTIFY_DEBOUNCE_MS;
      if (isAnonymous(before) && key !== before) item.previous_key = before;
      add(items);
    },
    track(key, event) {
      add([...load(), { id: event.id, key, at: 0, busy: 0, event }]);
    },
    start() {
      isStarted = true;
      pausedUntil = 0;
      pump();
    },
    flush() {
      const items = load();
      for (const item of items) item.at = 0;
      add(items);
    },
  };
};
