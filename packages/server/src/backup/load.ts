import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { StartError } from '../base/start-error.ts';
import { appliedMigrations, MIGRATION_LOCK, whyRefused } from '../db/migrate.ts';
import { listMigrations, type Migration } from '../db/migration-files.ts';
import { applyMigration } from '../db/run-migration.ts';
import { columnList, listOwnTables, quoted, type TableShape } from '../db/table-shapes.ts';
import type { JobQueue } from '../jobs/queue.ts';
import { restoreJobs } from '../jobs/waiting-jobs.ts';
import type { BackupReader } from './backup-reader.ts';
import type { BackedUpTable, Manifest } from './manifest.ts';

/** Connected servers and commands would lose their tables while working. */
async function refuseCompany(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query(
    `select from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and application_name like 'foyer%' limit 1`,
  );
  if (rowCount)
    throw new StartError('A Foyer is running on this database. Stop it, then restore the backup.');
}

async function refuseSites(client: pg.Client, tables: readonly string[]): Promise<void> {
  if (!tables.includes('sites')) return;
  const { rowCount } = await client.query('select from sites limit 1');
  if (rowCount)
    throw new StartError(
      'This database already has sites. Restore the backup into an empty one. Nothing was changed.',
    );
}

/** The migrations that create the tables as they were when the backup was made. */
export async function migrationsUpTo(number: number): Promise<Migration[]> {
  const known = await listMigrations();
  const refused = whyRefused(number, known);
  if (refused) throw new StartError(`The backup ${refused}`);
  return known.filter((migration) => migration.number <= number);
}

async function rebuildTables(client: pg.Client, migrations: readonly Migration[]): Promise<void> {
  const tables = (await listOwnTables(client)).map(({ name }) => name);
  await refuseSites(client, tables);
  if (tables.length > 0) await client.query(`drop table ${columnList(tables)} cascade`);
  await appliedMigrations(client);
  await client.query('delete from foyer_migrations');
  for (const migration of migrations) await applyMigration(client, migration);
}

/**
 * Tables are loaded one by one and refer to each other in circles, so foreign keys are checked once all are loaded.
 */
async function withoutForeignKeys(
  client: pg.Client,
  tables: readonly TableShape[],
  work: () => Promise<void>,
): Promise<void> {
  const change = async (changeOf: (key: TableShape['references'][number]) => string): Promise<void> => {
    for (const { name, references } of tables)
      for (const key of references) await client.query(`alter table ${quoted(name)} ${changeOf(key)}`);
  };
  await change(({ name }) => `drop constraint ${quoted(name)}`);
  await work();
  await change(({ name, definition }) => `add constraint ${quoted(name)} ${definition}`);
}

function refuseOthers(tables: readonly BackedUpTable[], own: readonly TableShape[]): void {
  const namesOf = (all: readonly { name: string }[]) =>
    all
      .map(({ name }) => name)
      .sort()
      .join();
  if (namesOf(tables) !== namesOf(own))
    throw new StartError("The backup is damaged: its tables don't match its migration.");
}

async function copyRows(
  client: pg.Client,
  into: string,
  { name, rows }: { name: string; rows: number },
  source: AsyncIterable<Buffer>,
): Promise<void> {
  const copy = client.query(copyFrom(`copy ${into} from stdin`));
  await pipeline(Readable.from(source), copy);
  if (copy.rowCount !== rows)
    throw new StartError(`The backup is damaged: ${name} has ${copy.rowCount} rows, expected ${rows}.`);
}

async function loadTable(
  client: pg.Client,
  table: BackedUpTable,
  rows: AsyncIterable<Buffer>,
): Promise<void> {
  await copyRows(client, `${quoted(table.name)} (${columnList(table.columns)})`, table, rows);
  for (const { column, last_value, is_called } of table.sequences)
    await client.query('select setval(pg_get_serial_sequence($1, $2), $3, $4)', [
      quoted(table.name),
      column,
      last_value,
      is_called,
    ]);
}

/**
 * Holds back everything that the original installation has yet to send: deliveries count as failed, and agents get no
 * pushes or emails for old notifications.
 */
async function holdBack(client: pg.Client): Promise<void> {
  await client.query(`
    with held as (delete from webhook_queue returning site_id, delivery_id)
    update webhook_deliveries d set dead_at = now() from held
    where d.site_id = held.site_id and d.id = held.delivery_id`);
  await client.query(`
    update notifications set push_due_at = null, mail_due_at = null
    where push_due_at is not null or mail_due_at is not null`);
}

interface LoadOptions {
  reader: BackupReader;
  manifest: Manifest;
  openQueue(): Promise<JobQueue>;
  /** Leaves out everything that waits to be sent or done. */
  withoutJobs: boolean;
  /** Runs once everything is loaded, before the transaction commits: for what must be in place before the rows are. */
  beforeCommit?(): Promise<void>;
}

/** The last section of the file. */
async function loadJobs(
  client: pg.Client,
  queue: JobQueue,
  { reader, manifest: { jobs: rows = 0 }, withoutJobs }: LoadOptions,
): Promise<void> {
  const copy = (into: string) => copyRows(client, into, { name: 'jobs', rows }, reader.rows());
  if (withoutJobs) await holdBack(client);
  if (withoutJobs && rows > 0) for await (const _ of reader.rows());
  await restoreJobs(client, queue, withoutJobs || rows === 0 ? undefined : copy);
}

/**
 * Creates the tables of a backup in a database without sites, all or nothing.
 * @throws StartError if the database or the backup can't be used
 */
export async function load(client: pg.Client, options: LoadOptions): Promise<void> {
  const { reader, manifest, beforeCommit } = options;
  const migrations = await migrationsUpTo(manifest.migration);
  await refuseCompany(client);
  const queue = await options.openQueue();
  await client.query('begin');
  try {
    await client.query('set local statement_timeout = 0');
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await rebuildTables(client, migrations);
    const own = (await listOwnTables(client)).filter(({ unlogged }) => !unlogged);
    refuseOthers(manifest.tables, own);
    await withoutForeignKeys(client, own, async () => {
      for (const table of manifest.tables) await loadTable(client, table, reader.rows());
    });
    await loadJobs(client, queue, options);
    await reader.end();
    await beforeCommit?.();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    await queue.stop();
  }
  await client.query('analyze');
}

/** Counts what a restored database holds. @throws StartError if it isn't what the backup says */
export async function compareCounts(client: pg.Client, { tables }: Manifest): Promise<void> {
  for (const { name, rows } of tables) {
    const counted = await client.query<{ count: string }>(`select count(*) from ${quoted(name)}`);
    const count = Number(counted.rows[0]?.count);
    if (count !== rows)
      throw new StartError(`The backup is damaged: ${name} has ${count} rows, expected ${rows}.`);
  }
}
