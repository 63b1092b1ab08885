import { z } from 'zod';

export const FORMAT = 'foyer-backup';
const FORMAT_VERSION = 1;

const sequence = z.strictObject({ column: z.string(), last_value: z.string(), is_called: z.boolean() });

/** The first line of a backup file. Each table follows: its rows in COPY format, then `\.`; then the jobs, in the same way. */
export const manifest = z.strictObject({
  format: z.literal(FORMAT),
  version: z.literal(FORMAT_VERSION),
  foyer: z.string(),
  /** The number of the last migration that the database had. */
  migration: z.int().positive(),
  created_utc: z.string(),
  /** The server's secrets, one a line, if no FOYER_SECRET was set: nothing encrypted can be read without them. */
  secret: z.string().min(32).nullable(),
  /** Identifies the secret that the rows were encrypted with, to compare with a FOYER_SECRET. */
  secret_check: z.string(),
  tables: z.array(
    z.strictObject({
      name: z.string(),
      columns: z.array(z.string()),
      rows: z.int().min(0),
      sequences: z.array(sequence),
    }),
  ),
  /** How many jobs follow the tables; none do in backups from before jobs were in them. */
  jobs: z.int().min(0).optional(),
});
export type Manifest = z.infer<typeof manifest>;
export type BackedUpTable = Manifest['tables'][number];

/** Adds the format and its version, the only one that `manifest` accepts. */
export const newManifest = (facts: Omit<Manifest, 'format' | 'version'>): Manifest => ({
  format: FORMAT,
  version: FORMAT_VERSION,
  ...facts,
});

/** What the commands print about a backup: everything but the secret. */
export function summaryOf({ foyer, migration, created_utc, secret, tables, jobs = 0 }: Manifest) {
  return {
    foyer,
    migration,
    created_utc,
    holds_secret: secret !== null,
    rows: Object.fromEntries(tables.map((table) => [table.name, table.rows])),
    jobs,
  };
}
