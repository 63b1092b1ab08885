import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { StartError } from '../base/start-error.ts';
import { openDatabase } from './database.ts';
import { finishFills, reopenFills } from './fills.ts';
import { checksumOf, contractOf, listMigrations, type Migration, readMigration } from './migration-files.ts';
import { runMigration } from './run-migration.ts';
import { requireSessions } from './sessions.ts';

const LOCK_POLL_MS = 100;
/** Any number, the same on every node: only one of them migrates at a time. */
export const MIGRATION_LOCK = 7_305_190_415;

/** The last commit with the migrations that the baseline replaces. */
const BASELINE_COMMIT = 'd1d2907';

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

/**
 * Why this program can't work on a database that has had these migrations, as the end of a sentence; undefined if it
 * can. A newer schema is no reason, if every migration since then left this version working.
 */
export function whyRefusedDatabase(
  done: ReadonlyMap<number, Pick<Applied, 'needs'>>,
  known: readonly Migration[],
): string | undefined {
  const own = known.at(-1)?.number ?? 0;
  const newer = [...done].filter(([number]) => number > own);
  const areExpanding = newer.every(([number, { needs }]) => (needs ?? number) <= own);
  return whyRefused(newer.length > 0 && areExpanding ? own : Math.max(...done.keys()), known);
}

export interface Applied {
  file: string;
  /**
   * The oldest version, by its newest migration, that works since then. Null for migrations from before this was
   * stored.
   */
  needs: number | null;
  /** Null for migrations from before Foyer stored checksums. */
  checksum: string | null;
}

/** Added later than the table. `filled_at`: when its fill had nothing left to do. */
const COLUMNS = [
  ['checksum', 'text'],
  ['needs', 'integer'],
  ['filled_at', 'timestamptz'],
] as const;

/** The migrations that a database has had, by number. Creates their table if it doesn't exist. */
export async function appliedMigrations(client: pg.ClientBase): Promise<Map<number, Applied>> {
  await client.query(
    'create table if not exists foyer_migrations (number integer primary key, file text not null, applied_at timestamptz not null default now())',
  );
  // Not migrations of their own: this table is read before the first one. Checked first, because even an `alter table`
  // that changes nothing waits for a running backup.
  const { rowCount } = await client.query(
    `select from pg_attribute where attrelid = 'foyer_migrations'::regclass and attname = any($1)`,
    [COLUMNS.map(([name]) => name)],
  );
  if (rowCount !== COLUMNS.length)
    for (const [name, type] of COLUMNS)
      await client.query(`alter table foyer_migrations add column if not exists ${name} ${type}`);
  const { rows } = await client.query<Applied & { number: number }>(
    'select number, file, checksum, needs from foyer_migrations',
  );
  return new Map(rows.map(({ number, ...applied }) => [number, applied]));
}

/**
 * Compares the applied migrations with today's files. A database from before checksums gets those of today's files: the
 * original texts can no longer be known. The files that the baseline replaces aren't compared.
 * @throws StartError when a file was edited after it had been applied; its schema would not be the one that the program
 *   expects.
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

/** Polls: a statement that waits for the lock would block `create index concurrently` of its owner. */
async function lockMigrations(client: pg.ClientBase): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
      MIGRATION_LOCK,
    ]);
    if (rows[0]?.locked) return;
    await delay(LOCK_POLL_MS);
  }
}

/**
 * The files of this program that haven't been applied to the database. A contract needs all fills before it to be
 * complete.
 */
async function applyPending(
  client: pg.ClientBase,
  known: readonly Migration[],
  done: ReadonlyMap<number, Applied>,
): Promise<string[]> {
  const pending = known.filter(({ number }) => !done.has(number));
  for (const migration of pending) {
    if (contractOf(await readMigration(migration)) !== undefined) await finishFills(client, migration.number);
    await runMigration(client, migration);
  }
  return pending.map(({ file }) => file);
}

/**
 * Brings the schema to this version: forward only, each file in its own transaction unless it says otherwise, all under
 * one lock. A database that is ahead of this program stays as it is.
 * @returns the files that were applied now.
 * @throws StartError when this program doesn't work on the database's newer schema, when the database is older than its
 *   baseline, or when an applied file was edited.
 */
export async function migrate(pool: pg.Pool): Promise<string[]> {
  const client = await pool.connect();
  try {
    await lockMigrations(client);
    const [known, done] = [await listMigrations(), await appliedMigrations(client)];
    const refused = done.size > 0 && whyRefusedDatabase(done, known);
    if (refused) throw new StartError(`The database ${refused}`);
    await verifyApplied(client, known, done);
    await reopenFills(client, known.at(-1)?.number ?? 0);
    return await applyPending(client, known, done);
  } finally {
    // A broken connection has lost its lock already.
    await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
    client.release();
  }
}

/**
 * As `migrate`, on connections of its own that have no time limits: a migration takes the time it takes.
 * @throws StartError also when sessions aren't kept at this address
 */
export async function migrateAt(url: string): Promise<string[]> {
  await requireSessions(url);
  const { pool, close } = openDatabase(url, { max: 1, patient: true });
  return migrate(pool).finally(close);
}
