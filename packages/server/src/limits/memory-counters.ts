import type { Counters } from './counters.ts';

const KEYS_MAX = 100_000;

interface Bucket {
  startedAt: number;
  used: number;
}

/**
 * In this process's memory, for windows of one length. Buckets are oldest first, because each is appended when it
 * starts. Their number is limited: above it the oldest is dropped, which would be the next to end.
 */
export function createMemoryCounters(windowMs: number, now: () => Date): Counters {
  const buckets = new Map<string, Bucket>();
  // A clock that was set back also ends a bucket, so that nobody waits longer than a window.
  const isOver = ({ startedAt }: Bucket, time: number): boolean =>
    time - startedAt >= windowMs || time < startedAt;
  const bucketOf = (key: string, time: number): Bucket => {
    const bucket = buckets.get(key);
    if (bucket && !isOver(bucket, time)) return bucket;
    buckets.delete(key);
    for (const [old, candidate] of buckets) {
      if (!isOver(candidate, time) && buckets.size < KEYS_MAX) break;
      buckets.delete(old);
    }
    const fresh = { startedAt: time, used: 0 };
    buckets.set(key, fresh);
    return fresh;
  };
  return {
    async take(key, { amount, max }) {
      const time = now().getTime();
      const bucket = bucketOf(key, time);
      const allowed = bucket.used + amount <= max;
      if (allowed) bucket.used += amount;
      return { allowed, used: bucket.used, leftMs: bucket.startedAt + windowMs - time };
    },
    async giveBack(key) {
      const bucket = bucketOf(key, now().getTime());
      bucket.used = Math.max(0, bucket.used - 1);
    },
  };
}
