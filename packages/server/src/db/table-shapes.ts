import { sql } from 'kysely';
import type pg from 'pg';
import type { Db } from './database.ts';
import { listMigrations, readMigration } from './migration-files.ts';

/** A table according to PostgreSQL's catalogue. */
export interface TableShape {
  name: string;
  /** Not in the write-ahead log, because its content may be lost: backups omit it. */
  unlogged: boolean;
  /** The writable columns, in the table's order. */
  columns: string[];
  /** The primary key without `site_id`. */
  key: { name: string; type: string }[];
  /** Columns filled by a sequence. */
  numbered: string[];
  references: { name: string; definition: string; to: string; columns: string[] }[];
}

/** Reads PostgreSQL's catalogue, so that backups and archives include new columns automatically. */
const SHAPES = `
  select c.relname as name, c.relpersistence = 'u' as unlogged, columns.columns, columns.numbered,
    (
      select coalesce(json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod))
        order by k.place), '[]')
      from pg_index i cross join lateral unnest(i.indkey::int2[]) with ordinality as k (number, place)
      join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
      where i.indrelid = c.oid and i.indisprimary and a.attname <> 'site_id'
    ) as key,
    (
      select coalesce(json_agg(json_build_object('name', f.conname, 'definition', pg_get_constraintdef(f.oid),
        'to', f.confrelid::regclass::text, 'columns', array(
          select a.attname from pg_attribute a
          where a.attrelid = f.conrelid and a.attnum = any (f.conkey) and a.attname <> 'site_id'
        ))), '[]')
      from pg_constraint f where f.conrelid = c.oid and f.contype = 'f'
    ) as "references"
  from pg_class c cross join lateral (
    select array_agg(a.attname::text order by a.attnum) filter (where a.attgenerated = '') as columns,
      coalesce(array_agg(a.attname::text order by a.attnum) filter (where a.attidentity <> ''), '{}') as numbered
    from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  ) columns
  where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'`;

/** @throws Error for an unknown table. */
export async function shapeOf(db: Db, name: string): Promise<TableShape> {
  const { rows } = await sql<TableShape>`${sql.raw(SHAPES)} and c.relname = ${name}`.execute(db);
  const [shape] = rows;
  if (!shape) throw new Error(`no table ${name}`);
  return shape;
}

const NAMES =
  /^\s*create (?:unlogged )?table (?:if not exists )?"?(\w+)"?|^\s*alter table .* rename to "?(\w+)"?/gim;

/**
 * Foyer's tables in this database, by name. Other programs may use the database too, so only tables created by a
 * migration count.
 */
export async function listOwnTables(client: pg.ClientBase): Promise<TableShape[]> {
  const texts = await Promise.all((await listMigrations()).map(readMigration));
  const names = texts.flatMap((text) =>
    [...text.matchAll(NAMES)].map(([, made, renamed]) => made ?? renamed),
  );
  return (await client.query<TableShape>(`${SHAPES} and c.relname = any ($1) order by 1`, [names])).rows;
}

/** Quotes any name as an SQL identifier. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
/** The columns, quoted and in order, for `insert` and `copy`. */
export const columnList = (columns: readonly string[]): string => columns.map(quoted).join(', ');
