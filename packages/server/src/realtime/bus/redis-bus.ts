import { randomBytes } from 'node:crypto';
import type { Redis } from '../../redis/redis.ts';
import type { Bus, BusOptions } from './bus.ts';

const EVERYONE = 'bus:all';
const channelOf = (siteId: number | undefined): string =>
  siteId === undefined ? EVERYONE : `bus:site:${siteId}`;
/**
 * How long this process also answers over PostgreSQL after it heard another there: longer than any process is silent,
 * since each repeats its agents' presence every 5 s.
 */
const ANSWER_MS = 16_000;

interface RedisBusOptions extends BusOptions {
  redis: Redis;
  /** Opens the bus of PostgreSQL. */
  openOther(options: BusOptions): Promise<Bus>;
  now?: () => number;
}

/**
 * A bus with a channel for each site, in a cluster a sharded one: a process hears only the sites that it follows. Every
 * process always listens to PostgreSQL too, and sends there what Redis doesn't take. So nobody has to agree on which of
 * them is in use: a process that was heard over PostgreSQL can't reach Redis, or doesn't know of it, and for a while the
 * others send it everything there as well. While all reach Redis, nothing goes over PostgreSQL. A message may come
 * twice, never in another order from one sender over one transport.
 */
export async function openRedisBus(options: RedisBusOptions): Promise<Bus> {
  const { redis, openOther, log, onMessage, onGap, now = Date.now } = options;
  const node = randomBytes(6).toString('hex');
  let heardAt = Number.NEGATIVE_INFINITY;
  let isClosed = false;
  const other = await openOther({
    log,
    onGap,
    onMessage(message) {
      heardAt = now();
      onMessage(message);
    },
  });
  const receive = (payload: string): void => {
    if (payload.startsWith(node) || isClosed) return;
    try {
      onMessage(JSON.parse(payload.slice(node.length)));
    } catch (error) {
      log.warn({ err: error }, 'reading a message of the bus failed');
    }
  };
  redis.subscribe(EVERYONE, receive);
  // Also when it went: the others didn't know at once that this process no longer hears them there.
  redis.onChange((_isUp, since) => !isClosed && onGap(since));
  return {
    // Whatever Redis would take, PostgreSQL may have to carry it.
    maxBytes: other.maxBytes,
    publish(siteId, message, short) {
      if (isClosed) return;
      const isNeeded = now() - heardAt < ANSWER_MS;
      if (isNeeded || !redis.isUp()) other.publish(siteId, message, short);
      if (!redis.isUp()) return;
      void redis.publish(channelOf(siteId), node + JSON.stringify(message)).catch(() => {
        if (!isNeeded) other.publish(siteId, message, short);
      });
    },
    follow(siteId) {
      redis.subscribe(channelOf(siteId), receive);
      other.follow(siteId);
    },
    unfollow(siteId) {
      redis.unsubscribe(channelOf(siteId));
      other.unfollow(siteId);
    },
    async close() {
      isClosed = true;
      await other.close();
    },
  };
}
