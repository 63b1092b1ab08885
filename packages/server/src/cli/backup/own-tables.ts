import type pg from 'pg';
import { listMigrations, readMigration } from '../../db/migrate.ts';

export interface OwnTable {
  name: string;
  columns: string[];
  /** Columns that a sequence numbers. */
  numbered: string[];
}

const NAMES = /^\s*create table (?:if not exists )?"?(\w+)"?|^\s*alter table .* rename to "?(\w+)"?/gim;

/** Every name that a table of ours has ever had: a database that others use too keeps theirs. */
export async function ownTableNames(): Promise<string[]> {
  const texts = await Promise.all((await listMigrations()).map(readMigration));
  return [
    ...new Set(
      texts.flatMap((text) => [...text.matchAll(NAMES)].map(([, made, renamed]) => made ?? renamed ?? '')),
    ),
  ];
}

/** Our tables as they are in this database, by name. */
export async function listOwnTables(client: pg.ClientBase): Promise<OwnTable[]> {
  const { rows } = await client.query<OwnTable>(
    `select c.relname as name,
       array_agg(a.attname::text order by a.attnum) filter (where a.attgenerated = '') as columns,
       coalesce(array_agg(a.attname::text order by a.attnum) filter (where a.attidentity <> ''), '{}') as numbered
     from pg_class c
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname = any ($1)
     group by c.relname order by c.relname`,
    [await ownTableNames()],
  );
  return rows;
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
export const columnList = (columns: readonly string[]): string => columns.map(quoted).join(', ');
