import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { isLockTimeout } from '../base/errors.ts';
import { StartError } from '../base/start-error.ts';
import {
  checksumOf,
  isOutsideTransaction,
  type Migration,
  neededBy,
  readMigration,
} from './migration-files.ts';

/** Other users of the table wait as long as the migration waits for its lock, so it stops waiting soon. */
const LOCK_WAIT_MS = 1_000;
const LOCK_ATTEMPTS = 60;
const LOCK_PAUSE_MS = 1_000;
const INDEX = /^create (?:unique )?index concurrently if not exists (\w+)/i;

async function record(client: pg.ClientBase, migration: Migration, text: string): Promise<void> {
  await client.query('insert into foyer_migrations (number, file, checksum, needs) values ($1, $2, $3, $4)', [
    migration.number,
    migration.file,
    checksumOf(text),
    neededBy(migration, text),
  ]);
}

/**
 * Runs one migration in the caller's transaction, and records it with its checksum. Indexes are then built at once: for
 * empty tables, as in a new database or a restore.
 */
export async function applyMigration(client: pg.ClientBase, migration: Migration): Promise<void> {
  const text = await readMigration(migration);
  await client.query(isOutsideTransaction(text) ? text.replaceAll(/\bconcurrently\b/gi, '') : text);
  await record(client, migration, text);
}

/** Removes an unfinished index of a crashed start: it would be mistaken for the finished one. */
async function dropUnfinished(client: pg.ClientBase, statement: string): Promise<void> {
  const name = INDEX.exec(statement)?.[1];
  if (name === undefined) return;
  const { rowCount } = await client.query(
    'select from pg_index where indexrelid = to_regclass($1) and not indisvalid',
    [name],
  );
  if (rowCount) await client.query(`drop index concurrently ${name}`);
}

/** Its statements can all be repeated, so that the next start resumes after a crash. */
async function runOutside(client: pg.ClientBase, migration: Migration, text: string): Promise<void> {
  const statements = text.replaceAll(/^--.*$/gm, '').split(';');
  for (const statement of statements.map((part) => part.trim()).filter(Boolean)) {
    await dropUnfinished(client, statement);
    await client.query(statement);
  }
  await record(client, migration, text);
}

async function runInTransaction(client: pg.ClientBase, migration: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query(`set local lock_timeout = ${LOCK_WAIT_MS}`);
    await applyMigration(client, migration);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/**
 * Runs one migration beside processes that use the database, and records it.
 * @throws StartError when others hold its locks for minutes
 */
export async function runMigration(client: pg.ClientBase, migration: Migration): Promise<void> {
  const text = await readMigration(migration);
  if (isOutsideTransaction(text)) return runOutside(client, migration, text);
  for (let attempt = 1; ; attempt++) {
    try {
      return await runInTransaction(client, migration);
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      if (attempt === LOCK_ATTEMPTS)
        throw new StartError(
          `Migration ${migration.file} needs a lock that another transaction has held for minutes. ` +
            'Look for it in pg_stat_activity, end it, and start again. Nothing was changed.',
        );
      await delay(LOCK_PAUSE_MS);
    }
  }
}
