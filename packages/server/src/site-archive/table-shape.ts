import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

/** A table as PostgreSQL knows it. */
export interface TableShape {
  /** What can be written, in the table's order; without `site_id`. */
  columns: string[];
  /** The primary key behind `site_id`, with the types of its columns. */
  key: { name: string; type: string }[];
  /** Columns that name an agent or a token. */
  agents: string[];
  tokens: string[];
  /** The column that is numbered, if there is one. */
  numbered: string | null;
}

const pointingAt = (table: 'agents' | 'api_tokens', name: string) => sql`array(
    select a.attname::text from pg_constraint f
    join pg_attribute a on a.attrelid = f.conrelid and a.attnum = any (f.conkey) and a.attname <> 'site_id'
    where f.contype = 'f' and f.conrelid = ${name}::regclass and f.confrelid = ${table}::regclass
  )`;

/** Read from the catalogue, so that a new column is in the archive from its migration on. */
export async function shapeOf(db: Db, name: string): Promise<TableShape> {
  const { rows } = await sql<TableShape>`
    select
      array(
        select a.attname::text from pg_attribute a
        where a.attrelid = ${name}::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
          and a.attname <> 'site_id' order by a.attnum
      ) as columns,
      (
        select coalesce(json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod))
          order by k.place), '[]')
        from pg_index i cross join lateral unnest(i.indkey::int2[]) with ordinality as k (number, place)
        join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
        where i.indrelid = ${name}::regclass and i.indisprimary and a.attname <> 'site_id'
      ) as key,
      ${pointingAt('agents', name)} as agents,
      ${pointingAt('api_tokens', name)} as tokens,
      (
        select a.attname::text from pg_attribute a
        where a.attrelid = ${name}::regclass and a.attnum > 0 and a.attidentity <> ''
      ) as numbered`.execute(db);
  const [shape] = rows;
  if (!shape) throw new Error(`no table ${name}`);
  return shape;
}
