import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { readVersion } from '../base/version.ts';
import type { Keyring } from '../core/keyring.ts';
import { columnList, listOwnTables, quoted, type TableShape } from '../db/table-shapes.ts';
import { hasQueue, WAITING_JOBS } from '../jobs/waiting-jobs.ts';
import { type BackedUpTable, type Manifest, newManifest } from './manifest.ts';

export type Secrets = Pick<Manifest, 'secret' | 'secret_check'>;

/**
 * Includes the secrets in the backup, the newest first and each on its line, unless the operator keeps them elsewhere: in
 * FOYER_SECRET, or with FOYER_SECRET_COMMAND.
 */
export const secretsFor = (
  keys: Keyring,
  { secret, secretCommand }: { secret: string | undefined; secretCommand: string | undefined },
): Secrets => ({
  secret:
    secret === undefined && secretCommand === undefined
      ? keys.known.map((key) => key.secret).join('\n')
      : null,
  secret_check: keys.current.check,
});

/** Reads everything as of this moment, whatever is written meanwhile. */
const SNAPSHOT = `begin isolation level repeatable read, read only;
  set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0;
  set local datestyle = 'ISO, YMD'; set local intervalstyle = 'iso_8601'; set local timezone = 'UTC';
  set local bytea_output = 'hex'; set local extra_float_digits = 1`;

async function sequencesOf(
  client: pg.Client,
  { name, numbered }: TableShape,
): Promise<BackedUpTable['sequences']> {
  const sequences: BackedUpTable['sequences'] = [];
  for (const column of numbered) {
    const { rows } = await client.query<{ sequence: string }>(
      'select pg_get_serial_sequence($1, $2) as sequence',
      [quoted(name), column],
    );
    const state = await client.query<{ last_value: string; is_called: boolean }>(
      `select last_value::text, is_called from ${rows[0]?.sequence}`,
    );
    for (const row of state.rows) sequences.push({ column, ...row });
  }
  return sequences;
}

async function describe(client: pg.Client, table: TableShape): Promise<BackedUpTable> {
  const { rows } = await client.query<{ count: string }>(`select count(*) from ${quoted(table.name)}`);
  return {
    name: table.name,
    columns: table.columns,
    rows: Number(rows[0]?.count),
    // Sequences don't belong to a snapshot. Read after it began, they are never behind its rows.
    sequences: await sequencesOf(client, table),
  };
}

async function describeAll(client: pg.Client, secrets: Secrets): Promise<Manifest> {
  const migration = Math.max(...(await appliedNumbers(client)));
  const tables: BackedUpTable[] = [];
  for (const table of await listOwnTables(client))
    if (!table.unlogged) tables.push(await describe(client, table));
  return newManifest({
    foyer: await readVersion(),
    migration,
    created_utc: new Date().toISOString(),
    ...secrets,
    tables,
    jobs: await countJobs(client),
  });
}

async function countJobs(client: pg.Client): Promise<number> {
  if (!(await hasQueue(client))) return 0;
  const { rows } = await client.query<{ count: string }>(`select count(*) from (${WAITING_JOBS}) jobs`);
  return Number(rows[0]?.count);
}

async function appliedNumbers(client: pg.Client): Promise<number[]> {
  const { rows } = await client.query<{ number: number }>('select number from foyer_migrations');
  return rows.map((row) => row.number);
}

interface Section {
  name: string;
  select: string;
  rows: number;
}

function* sectionsOf({ tables, jobs = 0 }: Manifest): Generator<Section> {
  for (const { name, columns, rows } of tables)
    yield { name, select: `select ${columnList(columns)} from ${quoted(name)}`, rows };
  if (jobs > 0) yield { name: 'jobs', select: WAITING_JOBS, rows: jobs };
}

async function* contents(client: pg.Client, manifest: Manifest): AsyncGenerator<Buffer | string> {
  yield `${JSON.stringify(manifest)}\n`;
  for (const { name, select, rows } of sectionsOf(manifest)) {
    const copy = client.query(copyTo(`copy (${select}) to stdout`));
    yield* copy;
    if (copy.rowCount !== rows) throw new Error(`${name}: ${copy.rowCount} rows were read, expected ${rows}`);
    yield '\\.\n';
  }
}

/**
 * Reads all rows of Foyer's tables, and the jobs that wait, as of one moment and with limited memory.
 * @param write stores the file, compressed, to its end
 */
export async function dump(
  client: pg.Client,
  secrets: Secrets,
  write: (file: Readable) => Promise<void>,
): Promise<Manifest> {
  await client.query(SNAPSHOT);
  const manifest = await describeAll(client, secrets);
  const file = createGzip();
  const source = Readable.from(contents(client, manifest), { objectMode: false });
  const [read, written] = await Promise.allSettled([pipeline(source, file), write(file)]);
  // Only now: `write` has cleaned up what it began.
  for (const end of [written, read]) if (end.status === 'rejected') throw end.reason;
  await client.query('commit');
  return manifest;
}
