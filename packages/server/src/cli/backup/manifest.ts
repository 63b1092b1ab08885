import { z } from 'zod';
import { deriveKey } from '../../core/vault.ts';

export const FORMAT = 'foyer-backup';
const FORMAT_VERSION = 1;

const sequence = z.strictObject({ column: z.string(), last_value: z.string(), is_called: z.boolean() });

/** The first line of a backup file. After it comes each table in turn: its rows as COPY writes them, then `\.`. */
export const manifest = z.strictObject({
  format: z.literal(FORMAT),
  version: z.literal(FORMAT_VERSION),
  foyer: z.string(),
  /** The number of the last migration that the database had. */
  migration: z.int().positive(),
  created_utc: z.string(),
  /** The server's secret, where no FOYER_SECRET was set: without it nothing that is sealed can be read again. */
  secret: z.string().min(32).nullable(),
  /** Tells whether a FOYER_SECRET is the one that the rows were sealed with. */
  secret_check: z.string(),
  tables: z.array(
    z.strictObject({
      name: z.string(),
      columns: z.array(z.string()),
      rows: z.int().min(0),
      sequences: z.array(sequence),
    }),
  ),
});
export type Manifest = z.infer<typeof manifest>;
export type BackedUpTable = Manifest['tables'][number];

export const newManifest = (facts: Omit<Manifest, 'format' | 'version'>): Manifest => ({
  format: FORMAT,
  version: FORMAT_VERSION,
  ...facts,
});

/** Names a secret without giving it away. */
export const secretCheck = (secret: string): string =>
  deriveKey(secret, 'backup check').toString('base64url');

/** What is told of a backup; the secret is not. */
export function summaryOf({ foyer, migration, created_utc, secret, tables }: Manifest) {
  return {
    foyer,
    migration,
    created_utc,
    holds_secret: secret !== null,
    rows: Object.fromEntries(tables.map((table) => [table.name, table.rows])),
  };
}
