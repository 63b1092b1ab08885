import { z } from 'zod';
import { id, utc } from '../values.ts';

/** A site's data as one file, requested by an admin (docs/data.md). */
export const siteArchive = z.object({
  id,
  state: z.enum(['making', 'ready', 'failed']),
  /** How many kinds of records are done, and how many there are. */
  done: z.int(),
  total: z.int(),
  records: z.int(),
  bytes: z.int(),
  created_utc: utc,
  expires_utc: utc,
  /** Only for the admin who requested it, until it expires; null until it is ready. */
  url: z.string().nullable(),
});
export type SiteArchive = z.infer<typeof siteArchive>;

export const siteArchiveContract = {
  /** The caller's own; null: none, or expired. */
  'site_archives.get': {
    input: z.strictObject({}),
    output: z.object({ archive: siteArchive.nullable() }),
  },
  /** Replaces the caller's previous one. */
  'site_archives.create': { input: z.strictObject({}), output: z.object({ archive: siteArchive }) },
} as const;
