import { CompiledQuery } from 'kysely';
import type pg from 'pg';
import type { Db } from './database.ts';
import { listMigrations } from './migration-files.ts';

const NAME = 'foyer jobs';
/** As many ids as fit into a name of 63 bytes. */
const KEYS_NAMED_MAX = 4;

/**
 * The name of the connection that each process keeps for as long as it lives, with its version and the ids of the
 * secrets that it knows, so that others know which versions are running. Processes from before fills have no number in
 * it.
 */
export async function processName(keyIds: readonly string[] = []): Promise<string> {
  const version = `${NAME} ${(await listMigrations()).at(-1)?.number ?? 0}`;
  return keyIds.length > 0 ? `${version} ${keyIds.slice(0, KEYS_NAMED_MAX).join(',')}` : version;
}

/** The running processes, by the ids of the secrets that they know; without any from versions before rotation. */
export async function listKnownKeys(client: Pick<pg.ClientBase, 'query'>): Promise<string[][]> {
  const { rows } = await client.query<{ ids: string | null }>(
    `select substring(application_name from $1) as ids from pg_stat_activity
     where datname = current_database() and application_name ~ $2`,
    [`^${NAME} [0-9]+ ([0-9a-f,]+)$`, `^${NAME}( |$)`],
  );
  return rows.map(({ ids }) => ids?.split(',') ?? []);
}

const OLDER = `select from pg_stat_activity
  where datname = current_database() and application_name ~ $1
    and coalesce(substring(application_name from $3)::int, 0) < $2
  limit 1`;

const valuesFor = (number: number): [string, number, string] => [
  `^${NAME}( [0-9]+)?( [0-9a-f,]+)?$`,
  number,
  `^${NAME} ([0-9]+)`,
];

/** Whether a running process doesn't know this migration, and so may write rows without what it added. */
export async function isOlderRunning(client: Pick<pg.ClientBase, 'query'>, number: number): Promise<boolean> {
  const { rowCount } = await client.query(OLDER, valuesFor(number));
  return rowCount !== 0;
}

/** The same, through Kysely. */
export async function isOlderVersionRunning(db: Db, number: number): Promise<boolean> {
  const { rows } = await db.executeQuery(CompiledQuery.raw(OLDER, valuesFor(number)));
  return rows.length > 0;
}
