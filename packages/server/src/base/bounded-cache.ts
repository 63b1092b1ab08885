/** A cache of the most recently used entries, each for a short time. */
export interface BoundedCache<V> {
  get(key: string): V | undefined;
  set(key: string, value: V): void;
  deleteWhere(matches: (value: V) => boolean): void;
  clear(): void;
}

/** Holds at most `max` entries, dropping the least recently read; reading one does not extend its `ttlMs`. */
export function createBoundedCache<V>(options: {
  max: number;
  ttlMs: number;
  now: () => Date;
}): BoundedCache<V> {
  const { max, ttlMs, now } = options;
  // A Map keeps the order of insertion, so its first key is the one used longest ago.
  const entries = new Map<string, { value: V; expiresAt: number }>();
  return {
    get(key) {
      const entry = entries.get(key);
      if (!entry) return undefined;
      entries.delete(key);
      if (entry.expiresAt <= now().getTime()) return undefined;
      entries.set(key, entry);
      return entry.value;
    },
    set(key, value) {
      entries.delete(key);
      entries.set(key, { value, expiresAt: now().getTime() + ttlMs });
      const oldest = entries.size > max ? entries.keys().next().value : undefined;
      if (oldest !== undefined) entries.delete(oldest);
    },
    deleteWhere(matches) {
      for (const [key, { value }] of entries) if (matches(value)) entries.delete(key);
    },
    clear: () => entries.clear(),
  };
}
