import { MINUTE_MS } from '@foyer/protocol/values/durations';
import { createBoundedCache } from '../base/bounded-cache.ts';
import type { SiteContext } from '../core/context.ts';
import { filesOf } from './storage.ts';

declare module '../core/context.ts' {
  interface Services {
    readonly filesQuota: FilesQuota;
  }
}

/** Limits the space of each site's files, so that none fills the disk of all. */
export interface FilesQuota {
  /** Null: unlimited. */
  readonly maxBytes: number | null;
  /** Whether a file of this size still fits. It is counted then. */
  hasRoom(ctx: SiteContext, bytes: number): Promise<boolean>;
}

/** How long a site's files aren't measured again; what this process adds meanwhile is counted. */
const KEEP_MS = MINUTE_MS;
const KEEP_MAX = 10_000;

/**
 * Measures a site's files at most once a minute, so a site may exceed its quota by what other processes store within
 * that time. Without a quota nothing is measured.
 */
export function createFilesQuota(maxBytes: number | null, now: () => Date): FilesQuota {
  const used = createBoundedCache<{ bytes: number }>({ max: KEEP_MAX, ttlMs: KEEP_MS, now });
  return {
    maxBytes,
    async hasRoom(ctx, bytes) {
      if (maxBytes === null) return true;
      const key = String(ctx.site.id);
      const site = used.get(key) ?? { bytes: (await filesOf(ctx)).bytes };
      if (used.get(key) === undefined) used.set(key, site, ctx.site.id);
      if (site.bytes + bytes > maxBytes) return false;
      site.bytes += bytes;
      return true;
    },
  };
}
