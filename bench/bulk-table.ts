import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

/** Enough to sort a million rows for an index in memory instead of on disk. */
const INDEX_MEMORY = '512MB';

export interface BulkTable {
  /** A row's columns in COPY's text format: no value may contain a tab, a line break or a backslash. */
  write(values: readonly (string | number | null)[]): Promise<void>;
  /** Recreates the indexes and commits. */
  finish(): Promise<void>;
  /** Ends without writing anything. */
  abandon(): Promise<void>;
}

const BATCH_CHARS = 1 << 18;

/**
 * Fills a table by COPY, in a transaction on its own connection. Indexes are created once all rows are there; foreign
 * keys aren't checked, so the caller must supply consistent rows. The role must be allowed to set
 * session_replication_role: a superuser, as in the embedded PostgreSQL.
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
  const { rows: indexes } = await client.query<{
    name: string;
    definition: string;
    unmeasured: number[] | null;
  }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition,
       (select array_agg(a.attnum) from pg_attribute a where a.attrelid = i.indexrelid and a.attstattarget = 0) as unmeasured
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
      for (const { name, definition, unmeasured } of indexes) {
        await client.query(definition);
        // Columns without statistics, which the definition doesn't say.
        for (const at of unmeasured ?? [])
          await client.query(`alter index ${name} alter column ${at} set statistics 0`);
      }
      await client.query('commit');
      await client.end();
    },
    abandon: () => client.end(),
  };
}
