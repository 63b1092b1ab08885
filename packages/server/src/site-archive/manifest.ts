import { z } from 'zod';

export const ARCHIVE_FORMAT = 'foyer-site';
export const ARCHIVE_VERSION = 1;

/** The first entry of an archive, `manifest.json`. */
export const archiveManifest = z.object({
  format: z.literal(ARCHIVE_FORMAT),
  version: z.literal(ARCHIVE_VERSION),
  /** Identifies this archive, so that an interrupted import can recognise it. */
  id: z.string().min(1).max(100),
  foyer: z.string().max(100),
  created_utc: z.string().max(40),
  site: z.object({ id: z.int(), name: z.string().max(200) }),
});
export type ArchiveManifest = z.infer<typeof archiveManifest>;

/** The last entry, `end.json`. An archive without it is incomplete. */
export const archiveEnd = z.object({ rows: z.record(z.string(), z.int()) });
