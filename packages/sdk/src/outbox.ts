import type { SdkAttributes } from '@foyer/protocol';
import { backoffMs } from '@foyer/protocol/browser/backoff';
import { warn } from './guard.ts';
import { isAnonymous, newId, OUTBOX, type StoredEvent } from './identity.ts';
import { bytesOf } from './json.ts';
import { names, read, write } from './store.ts';

/** Interface, "Limits". */
const IDENTIFY_DEBOUNCE_MS = 800;
const OUTBOX_MAX = 100;
const CONCURRENT_MAX = 6;
/**
 * Browsers allow 64 KiB for the bodies of all `keepalive` requests of a page together, and those alone outlive it. So
 * what would not fit waits for its turn, and is still there when the page is left.
 */
const KEEPALIVE_MAX_BYTES = 60_000;
/** A tab that has an item has it to itself for so long after it should be done with it: longer than a request takes. */
const LEASE_MS = 30_000;
const RETRY_FIRST_MS = 2_000;
const RETRY_MAX_MS = 300_000;
const IN_FLIGHT = Number.POSITIVE_INFINITY;

/** One thing that the server has not acknowledged yet. */
export interface OutboxItem {
  id: string;
  key: string;
  /** Other tabs leave it to the one that has it until then, in ms. */
  at: number;
  attributes?: SdkAttributes;
  previous_key?: string;
  /** Proves the visitor's key where the site verifies identities. */
  user_hash?: string | undefined;
  event?: StoredEvent;
}

/** A request's status (0 when the network failed) and its `Retry-After` in seconds. */
export type Answer = [status: number, retryAfter?: number];

interface Outbox {
  identify(before: string, key: string, changed: SdkAttributes, userHash?: string): void;
  track(key: string, event: StoredEvent, userHash?: string): void;
  /** From the first call on things are sent; before it they only gather. */
  start(): void;
  /** Sends what waits for its debounce too: the page is going away, and gives to others what it can't send. */
  flush(): void;
}

/**
 * Each thing has an entry of its own in storage until it is acknowledged, because tabs that wrote one list would
 * overwrite each other's. The tab that made it sends it; others only once that one's lease has ended.
 */
export const createOutbox = (send: (item: OutboxItem, keepalive: boolean) => Promise<Answer>): Outbox => {
  /** When this tab's own items are due. */
  const own = new Map<string, number>();
  let isStarted = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let flying = 0;
  let flyingBytes = 0;
  let failures = 0;
  let pausedUntil = 0;

  const load = (): OutboxItem[] =>
    names()
      .filter((name) => name.startsWith(OUTBOX))
      .map((name) => read(name) as OutboxItem)
      .filter((item) => item?.id && item.key);
  const save = (item: OutboxItem) => write(OUTBOX + item.id, item);
  const drop = ({ id }: OutboxItem) => write(OUTBOX + id);

  /** Takes an item, to be sent at that time. */
  const take = (item: OutboxItem, due: number) => {
    own.set(item.id, due);
    item.at = due + LEASE_MS;
    save(item);
  };

  const add = (item: OutboxItem, delay: number) => {
    take(item, Date.now() + delay);
    const [oldest, ...others] = load();
    if (oldest && others.length >= OUTBOX_MAX) drop(oldest);
    pump();
  };

  const pump = () => {
    clearTimeout(timer);
    if (!isStarted) return;
    const now = Date.now();
    let next = IN_FLIGHT;
    for (const item of load()) {
      // A time further ahead than it can be comes from a clock that was set back since.
      const theirs = item.at > now + RETRY_MAX_MS + LEASE_MS ? 0 : item.at;
      const due = Math.max(own.get(item.id) ?? theirs, pausedUntil);
      if (due > now) next = Math.min(next, due);
      else fly(item);
    }
    if (next < IN_FLIGHT) timer = setTimeout(pump, next - now);
  };

  const fly = (item: OutboxItem) => {
    const bytes = bytesOf(item);
    const fits = flyingBytes + bytes < KEEPALIVE_MAX_BYTES;
    if (flying >= CONCURRENT_MAX || (flying && !fits)) return;
    take(item, Date.now());
    own.set(item.id, IN_FLIGHT);
    flying++;
    flyingBytes += bytes;
    send(item, fits)
      .catch((): Answer => [0])
      .then((answer) => {
        flying--;
        flyingBytes -= bytes;
        settle(item, answer);
      });
  };

  const settle = (item: OutboxItem, [status, retryAfter]: Answer) => {
    own.delete(item.id);
    if (status < 200 || status === 401 || status === 429 || status >= 500) {
      const wait = backoffMs(failures++, RETRY_FIRST_MS, RETRY_MAX_MS);
      pausedUntil = Date.now() + (retryAfter ? retryAfter * 1000 : wait);
      // As it is now: the visitor may have become known or logged out meanwhile.
      const kept = read(OUTBOX + item.id) as OutboxItem | null;
      if (kept) take(kept, pausedUntil);
    } else {
      failures = 0;
      if (status >= 400) warn(`refused: ${status}`);
      drop(item);
    }
    pump();
  };

  return {
    identify(before, key, changed, user_hash) {
      const isKnownNow = isAnonymous(before) && key !== before;
      let item: OutboxItem | undefined;
      for (const other of load()) {
        const isMine = other.attributes && (own.get(other.id) ?? IN_FLIGHT) < IN_FLIGHT;
        if (isKnownNow && other.key === before) {
          // What waits under the anonymous key follows it, else it would bring the old visitor back.
          other.key = key;
          other.user_hash = user_hash;
          save(other);
        }
        if (isMine && other.key === key) item = other;
      }
      item ??= { id: newId(), key, at: 0 };
      item.attributes = { ...item.attributes, ...changed };
      item.user_hash = user_hash;
      if (isKnownNow) item.previous_key = before;
      add(item, IDENTIFY_DEBOUNCE_MS);
    },
    track: (key, event, user_hash) => add({ id: event.id, key, user_hash, at: 0, event }, 0),
    start() {
      isStarted = true;
      pausedUntil = 0;
      pump();
    },
    flush() {
      for (const [id, due] of own) if (due < IN_FLIGHT) own.set(id, 0);
      pump();
      for (const item of load()) {
        if ((own.get(item.id) ?? IN_FLIGHT) < IN_FLIGHT) {
          own.delete(item.id);
          save({ ...item, at: 0 });
        }
      }
    },
  };
};
