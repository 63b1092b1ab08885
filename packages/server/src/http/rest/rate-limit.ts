import ipaddr from 'ipaddr.js';

/** A bucket empties this long after its first request. */
const WINDOW_MS = 60_000;
const BUCKETS_MAX = 100_000;

interface Taken {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Whole seconds until the bucket is empty, 1 to 60. */
  resetS: number;
}

export interface RateLimiter {
  take(siteId: number, tokenId: number, limit: number): Taken;
}

interface Bucket {
  startedAt: number;
  used: number;
}

/**
 * Buckets by key, oldest first, because each is appended when it starts. The number is limited: above it the oldest
 * is dropped, which would be the next to empty.
 */
function createBuckets(windowMs: number, now: () => Date) {
  const buckets = new Map<string, Bucket>();
  // A clock that was set back also ends a bucket, so that nobody waits longer than a window.
  const isOver = ({ startedAt }: Bucket, time: number): boolean =>
    time - startedAt >= windowMs || time < startedAt;
  return {
    get(key: string): Bucket {
      const time = now().getTime();
      const bucket = buckets.get(key);
      if (bucket && !isOver(bucket, time)) return bucket;
      buckets.delete(key);
      for (const [old, candidate] of buckets) {
        if (!isOver(candidate, time) && buckets.size < BUCKETS_MAX) break;
        buckets.delete(old);
      }
      const fresh = { startedAt: time, used: 0 };
      buckets.set(key, fresh);
      return fresh;
    },
    leftS: ({ startedAt }: Bucket): number =>
      Math.max(1, Math.ceil((startedAt + windowMs - now().getTime()) / 1000)),
  };
}

/** One bucket per token, in this process's memory: `docs/contract/decisions.md#rate-limiting`. */
export function createRateLimiter({ now }: { now: () => Date }): RateLimiter {
  const buckets = createBuckets(WINDOW_MS, now);
  return {
    take(siteId, tokenId, limit) {
      const bucket = buckets.get(`${siteId}:${tokenId}`);
      const allowed = bucket.used < limit;
      if (allowed) bucket.used += 1;
      return { allowed, limit, remaining: Math.max(0, limit - bucket.used), resetS: buckets.leftS(bucket) };
    },
  };
}

export interface AttemptLimiter {
  /** @param amount what to count, such as bytes; default 1 */
  take(key: string, amount?: number): { allowed: boolean; retryAfterS: number };
  /** Undoes a legitimate attempt, so that it doesn't count. */
  forgive(key: string): void;
}

/** For entry points open to anybody: `max` attempts per key and window. */
export function createAttemptLimiter(options: {
  max: number;
  windowMs: number;
  now: () => Date;
}): AttemptLimiter {
  const buckets = createBuckets(options.windowMs, options.now);
  return {
    take(key, amount = 1) {
      const bucket = buckets.get(key);
      const allowed = bucket.used + amount <= options.max;
      if (allowed) bucket.used += amount;
      return { allowed, retryAfterS: buckets.leftS(bucket) };
    },
    forgive(key) {
      const bucket = buckets.get(key);
      bucket.used = Math.max(0, bucket.used - 1);
    },
  };
}

/**
 * The key by which attempts from one address count together: the IPv4 address, or the /64 of an IPv6 customer.
 * @param address `request.ip`, which respects forwarded headers only as configured in FOYER_TRUST_PROXY
 */
export function addressKey(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv6)
    return parsed.parts
      .slice(0, 4)
      .map((part) => part.toString(16))
      .join(':');
  return parsed.toString();
}
