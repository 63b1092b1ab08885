/** A cache of the most recently used entries, each for a short time. */
export interface BoundedCache<V> {
  get(key: string): V | undefined;
  /** @param siteId the site that the entry is about; `deleteSite` drops it */
  set(key: string, value: V, siteId?: number): void;
  /** Drops the entries of one site. The cost doesn't depend on how many entries other sites have. */
  deleteSite(siteId: number): void;
  clear(): void;
}

interface Entry<V> {
  readonly value: V;
  readonly weight: number;
  readonly expiresAt: number;
  readonly siteId: number | undefined;
}

interface BoundedCacheOptions<V> {
  max: number;
  /** What an entry counts against `max`; default 1. */
  weightOf?: (value: V) => number;
  /** Default: entries don't expire. */
  ttlMs?: number;
  now?: () => Date;
}

/**
 * Holds entries of at most `max` altogether, dropping the least recently read; reading one does not extend its `ttlMs`.
 * The newest entry stays, even if it alone weighs more.
 */
export function createBoundedCache<V>(options: BoundedCacheOptions<V>): BoundedCache<V> {
  const { max, weightOf = () => 1, ttlMs = Number.POSITIVE_INFINITY, now = () => new Date() } = options;
  // A Map keeps the order of insertion, so its first key is the one used longest ago.
  const entries = new Map<string, Entry<V>>();
  const keysOfSites = new Map<number, Set<string>>();
  let weight = 0;

  const note = (siteId: number, key: string): void => {
    const keys = keysOfSites.get(siteId);
    if (keys) keys.add(key);
    else keysOfSites.set(siteId, new Set([key]));
  };
  const remove = (key: string): void => {
    const entry = entries.get(key);
    if (!entry) return;
    entries.delete(key);
    weight -= entry.weight;
    if (entry.siteId === undefined) return;
    const keys = keysOfSites.get(entry.siteId);
    keys?.delete(key);
    if (keys?.size === 0) keysOfSites.delete(entry.siteId);
  };
  const removeOldest = (newest: string): void => {
    for (const key of entries.keys()) {
      if (weight <= max || key === newest) return;
      remove(key);
    }
  };

  return {
    get(key) {
      const entry = entries.get(key);
      if (!entry) return undefined;
      if (entry.expiresAt <= now().getTime()) {
        remove(key);
        return undefined;
      }
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    set(key, value, siteId) {
      remove(key);
      const entry = { value, weight: weightOf(value), expiresAt: now().getTime() + ttlMs, siteId };
      entries.set(key, entry);
      weight += entry.weight;
      if (siteId !== undefined) note(siteId, key);
      removeOldest(key);
    },
    deleteSite(siteId) {
      for (const key of keysOfSites.get(siteId) ?? []) remove(key);
    },
    clear() {
      entries.clear();
      keysOfSites.clear();
      weight = 0;
    },
  };
}
