import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type pg from 'pg';
import { packageFile } from '../base/package-files.ts';
import { StartError } from '../base/start-error.ts';
import { openDatabase } from './database.ts';

const MIGRATIONS = packageFile('migrations/');
/** Any number, the same on every node: only one of them migrates at a time. */
export const MIGRATION_LOCK = 7_305_190_415;

/** The last commit that had the migrations which the baseline replaces. */
const BASELINE_COMMIT = 'd1d2907';

export interface Migration {
  number: number;
  file: string;
}

/** The migrations of this program, in order. The first one is the baseline: the whole schema as of its number. */
export async function listMigrations(): Promise<Migration[]> {
  const files = (await readdir(MIGRATIONS)).filter((file) => /^\d{4}_[a-z_]+\.sql$/.test(file)).sort();
  return files.map((file) => ({ number: Number(file.slice(0, 4)), file }));
}

/**
 * Why this program can't work on a database or backup whose last migration has that number, as the end of a sentence;
 * undefined if it can.
 */
export function whyRefused(number: number, known: readonly Migration[]): string | undefined {
  const oldest = known.at(0)?.number ?? 0;
  const newest = known.at(-1)?.number ?? 0;
  if (number > newest)
    return `was created by a newer Foyer (migration ${number}; this version knows ${newest}).`;
  if (number >= oldest) return;
  return `is at migration ${number}, but this Foyer upgrades from ${oldest} on. Start commit ${BASELINE_COMMIT} on it first, then this version.`;
}

/** The text of a migration, as it is run. */
export const readMigration = ({ file }: Migration): Promise<string> =>
  readFile(new URL(file, MIGRATIONS), 'utf8');

/** SHA-256 of a migration. A checkout with CRLF has the same one: Git changes line ends by the platform. */
export const checksumOf = (text: string): string => hash('sha256', text.replaceAll('\r\n', '\n'));

/** Runs one migration in the caller's transaction, and records it with its checksum. */
export async function applyMigration(client: pg.ClientBase, migration: Migration): Promise<void> {
  const text = await readMigration(migration);
  await client.query(text);
  await client.query('insert into foyer_migrations (number, file, checksum) values ($1, $2, $3)', [
    migration.number,
    migration.file,
    checksumOf(text),
  ]);
}

interface Applied {
  file: string;
  /** Null for what was applied before Foyer kept checksums. */
  checksum: string | null;
}

/** The migrations that a database has had, by number. Makes their table where there is none. */
export async function appliedMigrations(client: pg.ClientBase): Promise<Map<number, Applied>> {
  await client.query(
    'create table if not exists foyer_migrations (number integer primary key, file text not null, applied_at timestamptz not null default now())',
  );
  // Not a migration of its own: this table is read before the first one. Asked first, because even an `alter table` that
  // changes nothing waits for a running backup.
  const { rowCount } = await client.query(
    "select from pg_attribute where attrelid = 'foyer_migrations'::regclass and attname = 'checksum'",
  );
  if (!rowCount) await client.query('alter table foyer_migrations add column if not exists checksum text');
  const { rows } = await client.query<Applied & { number: number }>(
    'select number, file, checksum from foyer_migrations',
  );
  return new Map(rows.map(({ number, ...applied }) => [number, applied]));
}

/**
 * Compares what was applied with the files of today. A database that is older than checksums gets those of today's
 * files: which text it was made by can't be found out any more. The files that the baseline replaces aren't compared.
 * @throws StartError when a file was edited after it had been applied; its schema would not be the one that the program expects.
 */
async function verifyApplied(
  client: pg.ClientBase,
  known: readonly Migration[],
  done: ReadonlyMap<number, Applied>,
): Promise<void> {
  for (const migration of known) {
    const applied = done.get(migration.number);
    if (applied?.file !== migration.file) continue;
    const checksum = checksumOf(await readMigration(migration));
    if (applied.checksum === null)
      await client.query('update foyer_migrations set checksum = $2 where number = $1', [
        migration.number,
        checksum,
      ]);
    else if (applied.checksum !== checksum)
      throw new StartError(
        `Migration ${migration.file} was edited after this database applied it. Restore the released file.`,
      );
  }
}

/**
 * Brings the schema to this version: forward only, each file in its own transaction, all under one lock.
 * @returns the files that were applied now.
 * @throws StartError when the database is newer than this program or older than its baseline, or when an applied file
 *   was edited.
 */
export async function migrate(pool: pg.Pool): Promise<string[]> {
  const client = await pool.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const [known, done] = [await listMigrations(), await appliedMigrations(client)];
    const refused = done.size > 0 && whyRefused(Math.max(...done.keys()), known);
    if (refused) throw new StartError(`The database ${refused}`);
    await verifyApplied(client, known, done);
    const pending = known.filter((migration) => !done.has(migration.number));
    for (const migration of pending) {
      await client.query('begin');
      try {
        await applyMigration(client, migration);
        await client.query('commit');
      } catch (error) {
        await client.query('rollback');
        throw error;
      }
    }
    return pending.map(({ file }) => file);
  } finally {
    // A broken connection has lost its lock already.
    await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
    client.release();
  }
}

/** As `migrate`, on connections of its own that have no time limits: a migration takes the time it takes. */
export async function migrateAt(url: string): Promise<string[]> {
  const { pool, close } = openDatabase(url, { max: 1, patient: true });
  return migrate(pool).finally(close);
}
