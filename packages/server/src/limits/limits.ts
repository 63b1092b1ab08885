import { MINUTE_MS } from '@foyer/protocol/values/durations';
import type { Db } from '../db/database.ts';
import type { Redis } from '../redis/redis.ts';
import { RedisUnavailable } from '../redis/redis.ts';
import type { Counters } from './counters.ts';
import { createMemoryCounters } from './memory-counters.ts';
import { createPostgresCounters } from './postgres-counters.ts';
import { PUBLIC_LIMITS, type PublicLimitName } from './public-limits.ts';
import { createRedisCounters } from './redis-counters.ts';

/** `max` per key and window. A window begins with a key's first count. */
export interface Limit {
  /** Unique, and the same in all processes: they count together by it. */
  name: string;
  max: number;
  windowMs: number;
}

/** For entry points open to anybody. */
export interface Limiter {
  /**
   * @param amount what to count, such as bytes; default 1
   * @param share of the limit that this caller may use up; default 1
   */
  take(key: string, amount?: number, share?: number): Promise<{ allowed: boolean; retryAfterS: number }>;
  /** Undoes a legitimate attempt, so that it doesn't count. */
  forgive(key: string): Promise<void>;
}

/** Requests of API tokens: `docs/contract/decisions.md#rate-limiting`. */
export interface RateLimiter {
  take(
    siteId: number,
    tokenId: number,
    limit: number,
  ): Promise<{
    allowed: boolean;
    limit: number;
    remaining: number;
    /** Whole seconds until the bucket is empty, 1 to 60. */
    resetS: number;
  }>;
}

/**
 * All limits of a process. With Redis they are exact across all nodes. While it is away, and without it, each process
 * counts load on its own, and PostgreSQL counts the limits that protect against guessing.
 */
export interface Limits {
  /** The limiter of an entry point. @param max replaces the table's, for tests */
  of(name: PublicLimitName, max?: number): Limiter;
  /** Keeps callers from using up the server. */
  ofLoad(limit: Limit): Limiter;
  /** Keeps callers from trying many passwords, codes or links: also over restarts. */
  ofGuesses(limit: Limit): Limiter;
  readonly ofTokens: RateLimiter;
}

export interface LimitsOptions {
  db: Db;
  redis: Redis | undefined;
  /** Turns a key into one that reveals neither address nor account. The same in all processes. */
  derive(purpose: string): string;
  /** Replaces the clocks of this process and of the database, for tests that advance the time. Not that of Redis. */
  clock?: (() => Date) | undefined;
  /** Multiplies the limits of load, for installations with more people behind one address; default 1. */
  loadFactor?: number;
}

const secondsOf = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

function orElse(redis: Redis, shared: Counters, otherwise: Counters): Counters {
  const fall = async <T>(ask: (counters: Counters) => Promise<T>): Promise<T> => {
    if (!redis.isUp()) return ask(otherwise);
    try {
      return await ask(shared);
    } catch (error) {
      if (!(error instanceof RedisUnavailable)) throw error;
      return ask(otherwise);
    }
  };
  return {
    take: (key, count) => fall((counters) => counters.take(key, count)),
    giveBack: (key) => fall((counters) => counters.giveBack(key)),
  };
}

const limiterOf = (counters: Counters, { name, max, windowMs }: Limit): Limiter => ({
  async take(key, amount = 1, share = 1) {
    const count = { amount, max: Math.floor(max * share), windowMs };
    const { allowed, leftMs } = await counters.take(`${name} ${key}`, count);
    return { allowed, retryAfterS: secondsOf(leftMs) };
  },
  forgive: (key) => counters.giveBack(`${name} ${key}`),
});

/** The limits of a process, counted where they are exact: see `Limits`. */
export function createLimits({ db, redis, derive, clock, loadFactor = 1 }: LimitsOptions): Limits {
  const now = clock ?? (() => new Date());
  const keyed = (counters: Counters): Counters => ({
    take: (key, count) => counters.take(derive(`limit ${key}`), count),
    giveBack: (key) => counters.giveBack(derive(`limit ${key}`)),
  });
  const inRedis = redis && keyed(createRedisCounters(redis));
  const shared = (otherwise: Counters): Counters =>
    redis && inRedis ? orElse(redis, inRedis, otherwise) : otherwise;
  const inMemory = (windowMs: number): Counters => shared(createMemoryCounters(windowMs, now));
  const guesses = shared(keyed(createPostgresCounters(db, clock)));
  const tokens = inMemory(MINUTE_MS);
  const ofLoad = (limit: Limit): Limiter => limiterOf(inMemory(limit.windowMs), limit);
  const ofGuesses = (limit: Limit): Limiter => limiterOf(guesses, limit);
  return {
    of(name, max = PUBLIC_LIMITS[name].max) {
      const { windowMs, kind } = PUBLIC_LIMITS[name];
      if (kind === 'guesses') return ofGuesses({ name, max, windowMs });
      const limit = { name, max: max * loadFactor, windowMs };
      return kind === 'load' ? ofLoad(limit) : limiterOf(createMemoryCounters(windowMs, now), limit);
    },
    ofLoad,
    ofGuesses,
    ofTokens: {
      async take(siteId, tokenId, limit) {
        const key = `token ${siteId}:${tokenId}`;
        const { allowed, used, leftMs } = await tokens.take(key, {
          amount: 1,
          max: limit,
          windowMs: MINUTE_MS,
        });
        return { allowed, limit, remaining: Math.max(0, limit - used), resetS: secondsOf(leftMs) };
      },
    },
  };
}
