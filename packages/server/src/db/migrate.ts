import { readdir, readFile } from 'node:fs/promises';
import type pg from 'pg';
import { StartError } from '../start-error.ts';
import { openDatabase } from './database.ts';

const MIGRATIONS = new URL('../../migrations/', import.meta.url);
/** Any number, the same on every node: only one of them migrates at a time. */
export const MIGRATION_LOCK = 7_305_190_415;

export interface Migration {
  number: number;
  file: string;
}

/** Those that this program knows, in order. */
export async function listMigrations(): Promise<Migration[]> {
  const files = (await readdir(MIGRATIONS)).filter((file) => /^\d{4}_[a-z_]+\.sql$/.test(file)).sort();
  return files.map((file) => ({ number: Number(file.slice(0, 4)), file }));
}

/** The text of a migration, as it is run. */
export const readMigration = ({ file }: Migration): Promise<string> =>
  readFile(new URL(file, MIGRATIONS), 'utf8');

/** Runs one migration in the caller's transaction. */
export async function applyMigration(client: pg.ClientBase, migration: Migration): Promise<void> {
  await client.query(await readMigration(migration));
  await client.query('insert into foyer_migrations (number, file) values ($1, $2)', [
    migration.number,
    migration.file,
  ]);
}

/** The numbers of the migrations that a database has had. */
export async function appliedMigrations(client: pg.ClientBase): Promise<Set<number>> {
  await client.query(
    'create table if not exists foyer_migrations (number integer primary key, file text not null, applied_at timestamptz not null default now())',
  );
  const { rows } = await client.query<{ number: number }>('select number from foyer_migrations');
  return new Set(rows.map((row) => row.number));
}

/**
 * Brings the schema to this version: forward only, each file in its own transaction, all under one lock.
 * @returns the files that were applied now.
 * @throws StartError when the database is newer than this program.
 */
export async function migrate(pool: pg.Pool): Promise<string[]> {
  const client = await pool.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const [known, done] = [await listMigrations(), await appliedMigrations(client)];
    const newest = known.at(-1)?.number ?? 0;
    const ahead = [...done].find((number) => number > newest);
    if (ahead !== undefined) {
      throw new StartError(
        `The database was made by a newer Foyer (migration ${ahead}; this one knows ${newest}).`,
      );
    }
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
