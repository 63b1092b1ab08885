import { CompiledQuery } from 'kysely';
import type pg from 'pg';
import type { Db } from './database.ts';
import { listMigrations } from './migration-files.ts';

const NAME = 'foyer jobs';

/**
 * The name of the connection that each process keeps for as long as it lives, with its version: so others know which
 * versions are running. Processes from before fills have no number in it.
 */
export async function processName(): Promise<string> {
  return `${NAME} ${(await listMigrations()).at(-1)?.number ?? 0}`;
}

const OLDER = `select from pg_stat_activity
  where datname = current_database() and application_name ~ $1
    and coalesce(substring(application_name from '[0-9]+$')::int, 0) < $2
  limit 1`;

const valuesFor = (number: number): [string, number] => [`^${NAME}( [0-9]+)?$`, number];

/** Whether a process runs that doesn't know this migration, and so may write rows without what it added. */
export async function isOlderRunning(client: Pick<pg.ClientBase, 'query'>, number: number): Promise<boolean> {
  const { rowCount } = await client.query(OLDER, valuesFor(number));
  return rowCount !== 0;
}

/** The same, asked through Kysely. */
export async function isOlderVersionRunning(db: Db, number: number): Promise<boolean> {
  const { rows } = await db.executeQuery(CompiledQuery.raw(OLDER, valuesFor(number)));
  return rows.length > 0;
}
