import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

/** Sorting a million rows for an index in memory instead of on disk. */
const INDEX_MEMORY = '512MB';

export interface BulkTable {
  /** A row's columns as COPY's text format has them: none holds a tab, a line's end or a backslash. */
  write(values: readonly (string | number | null)[]): Promise<void>;
  /** Makes the indexes again and commits. */
  finish(): Promise<void>;
  /** Nothing was written. */
  abandon(): Promise<void>;
}

const BATCH_CHARS = 1 << 18;

/**
 * A table that takes rows by COPY, in a transaction and on a connection of its own: without its indexes, which are made
 * when all rows are there, and without its foreign keys, which whoever makes the rows must keep. The role must be one
 * that may set session_replication_role: a superuser, as the embedded PostgreSQL has it.
 */
export async function openBulkTable(
  url: string,
  table: string,
  columns: readonly string[],
): Promise<BulkTable> {
  const client = new pg.Client({ connectionString: url, application_name: 'foyer seed' });
  await client.connect();
  await client.query('begin');
  await client.query(`set local session_replication_role = replica`);
  await client.query(`set local maintenance_work_mem = '${INDEX_MEMORY}'`);
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i where i.indrelid = $1::regclass and not exists (
       select from pg_constraint c where c.conindid = i.indexrelid and c.contype in ('p', 'u', 'x'))`,
    [table],
  );
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  const copy = client.query(copyFrom(`copy ${table} (${columns.join(', ')}) from stdin`));
  let failed: unknown;
  copy.on('error', (error) => {
    failed = error;
  });
  let batch = '';

  const flush = async (): Promise<void> => {
    if (failed !== undefined) throw failed;
    const full = !copy.write(batch);
    batch = '';
    if (full) await once(copy, 'drain');
  };
  return {
    async write(values) {
      let line = '';
      for (const value of values) line += `${line === '' ? '' : '\t'}${value ?? '\\N'}`;
      batch += `${line}\n`;
      if (batch.length > BATCH_CHARS) await flush();
    },
    async finish() {
      await flush();
      copy.end();
      await finished(copy);
      for (const { definition } of indexes) await client.query(definition);
      await client.query('commit');
      await client.end();
    },
    abandon: () => client.end(),
  };
}
