import { z } from 'zod';
import { id, utc } from '../values.ts';

/** Everything of a site as one file, that an admin has asked for (docs/data.md). */
export const siteArchive = z.object({
  id,
  state: z.enum(['making', 'ready', 'failed']),
  /** Of the kinds of records, how many are in; and how many there are. */
  done: z.int(),
  total: z.int(),
  records: z.int(),
  bytes: z.int(),
  created_utc: utc,
  expires_utc: utc,
  /** For whoever asked, until it expires; null until it is ready. */
  url: z.string().nullable(),
});
export type SiteArchive = z.infer<typeof siteArchive>;

export const siteArchiveContract = {
  /** The caller's own; null: none, or it has expired. */
  'site_archives.get': {
    input: z.strictObject({}),
    output: z.object({ archive: siteArchive.nullable() }),
  },
  /** Takes the place of the caller's one before. */
  'site_archives.create': { input: z.strictObject({}), output: z.object({ archive: siteArchive }) },
} as const;
