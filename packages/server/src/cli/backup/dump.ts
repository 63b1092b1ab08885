import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { reasonOf, StartError } from '../../start-error.ts';
import { readVersion } from '../../version.ts';
import { type BackedUpTable, type Manifest, newManifest } from './manifest.ts';
import { columnList, listOwnTables, type OwnTable, quoted } from './own-tables.ts';

export type Secrets = Pick<Manifest, 'secret' | 'secret_check'>;

/** Everything is read as it is at this moment, whatever is written meanwhile. */
const SNAPSHOT = `begin isolation level repeatable read, read only;
  set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0;
  set local datestyle = 'ISO, YMD'; set local intervalstyle = 'iso_8601'; set local timezone = 'UTC';
  set local bytea_output = 'hex'; set local extra_float_digits = 1`;

async function sequencesOf(
  client: pg.Client,
  { name, numbered }: OwnTable,
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

async function describe(client: pg.Client, table: OwnTable): Promise<BackedUpTable> {
  const { rows } = await client.query<{ count: string }>(`select count(*) from ${quoted(table.name)}`);
  return {
    name: table.name,
    columns: table.columns,
    rows: Number(rows[0]?.count),
    // Sequences are outside of every snapshot: read after it began, they are never behind its rows.
    sequences: await sequencesOf(client, table),
  };
}

async function describeAll(client: pg.Client, secrets: Secrets): Promise<Manifest> {
  const migration = Math.max(...(await appliedNumbers(client)));
  const tables: BackedUpTable[] = [];
  for (const table of await listOwnTables(client)) tables.push(await describe(client, table));
  return newManifest({
    foyer: await readVersion(),
    migration,
    created_utc: new Date().toISOString(),
    ...secrets,
    tables,
  });
}

async function appliedNumbers(client: pg.Client): Promise<number[]> {
  const { rows } = await client.query<{ number: number }>('select number from foyer_migrations');
  return rows.map((row) => row.number);
}

async function* contents(client: pg.Client, manifest: Manifest): AsyncGenerator<Buffer | string> {
  yield `${JSON.stringify(manifest)}\n`;
  for (const { name, columns, rows } of manifest.tables) {
    const copy = client.query(copyTo(`copy (select ${columnList(columns)} from ${quoted(name)}) to stdout`));
    yield* copy;
    if (copy.rowCount !== rows)
      throw new Error(`${name}: ${copy.rowCount} rows were read instead of ${rows}`);
    yield '\\.\n';
  }
}

/** Writes a file whole or not at all, for this user alone: it holds everything that there is. */
async function writeWhole(file: string, source: Readable): Promise<void> {
  const partial = `${file}.partial-${process.pid}`;
  try {
    // `flush`: on the disk before it gets its name.
    const target = createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true });
    await once(target, 'open').catch((error) => {
      throw new StartError(`${file} cannot be written (${reasonOf(error)}).`);
    });
    await pipeline(source, createGzip(), target);
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/** Writes all rows of our tables into a file, as they are at one moment and in bounded memory. */
export async function dump(client: pg.Client, file: string, secrets: Secrets): Promise<Manifest> {
  await client.query(SNAPSHOT);
  const manifest = await describeAll(client, secrets);
  await writeWhole(file, Readable.from(contents(client, manifest), { objectMode: false }));
  await client.query('commit');
  return manifest;
}
