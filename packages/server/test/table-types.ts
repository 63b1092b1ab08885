import { readFileSync } from 'node:fs';
import type pg from 'pg';

interface Column {
  table: string;
  name: string;
  /** PostgreSQL's name of the type; of an array, that of its elements. */
  type: string;
  is_array: boolean;
  is_nullable: boolean;
  has_default: boolean;
  is_generated: boolean;
  /** The values that a check constraint allows. */
  values: string[] | null;
}

export const TABLES = new URL('../src/db/tables.generated.ts', import.meta.url);
const OVERRIDES = new URL('../src/db/column-types.ts', import.meta.url);

/** A check of one column against a list of texts allows only these. */
const COLUMNS = `
  select c.relname as "table", a.attname as name, coalesce(e.typname, t.typname) as type,
    e.oid is not null as is_array, not a.attnotnull as is_nullable,
    a.atthasdef or a.attidentity <> '' as has_default,
    a.attgenerated <> '' or a.attidentity = 'a' as is_generated,
    (select array_agg(found[1] order by at)
     from pg_constraint k,
       regexp_matches(pg_get_constraintdef(k.oid), '''([^'']*)''::text', 'g') with ordinality as m (found, at)
     where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]
       and pg_get_constraintdef(k.oid) ~ '^CHECK \\(\\("?\\w+"? = ANY \\(ARRAY\\[[^]]*\\]\\)\\)\\)$') as values
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  join pg_type t on t.oid = a.atttypid
  left join pg_type e on e.oid = t.typelem and t.typcategory = 'A'
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'foyer_migrations'
  order by c.relname, a.attnum`;

/** As the driver gives them (db/database.ts). */
const TYPES: Readonly<Record<string, string>> = {
  bool: 'boolean',
  bytea: 'Buffer',
  date: 'string',
  float4: 'number',
  float8: 'number',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  json: 'unknown',
  jsonb: 'unknown',
  text: 'string',
  timestamptz: 'Date',
  tsvector: 'string',
  uuid: 'string',
  xid8: 'string',
};

/** The columns whose types db/column-types.ts has. */
const overridden = (): Set<string> =>
  new Set([...readFileSync(OVERRIDES, 'utf8').matchAll(/^ {2}'(\w+\.\w+)':/gm)].map(([, name = '']) => name));

function plainType({ table, name, type, is_array, values }: Column, overrides: Set<string>): string {
  const path = `${table}.${name}`;
  if (overrides.delete(path)) return `ColumnTypes['${path}']`;
  const known = TYPES[type];
  if (!known) throw new Error(`${path}: no type for ${type}`);
  return (values?.map((value) => `'${value}'`).join(' | ') ?? known) + (is_array ? '[]' : '');
}

function columnType(column: Column, overrides: Set<string>): string {
  const orNull = column.is_nullable ? ' | null' : '';
  const type = plainType(column, overrides) + orNull;
  if (column.is_generated) return `GeneratedAlways<${type}>`;
  // JSON is written as text: the driver would turn an array into a PostgreSQL array.
  if (column.type.startsWith('json'))
    return `ColumnType<${type}, string${orNull}${column.has_default ? ' | undefined' : ''}, string${orNull}>`;
  return column.has_default ? `Generated<${type}>` : type;
}

/** The types of all tables, read from a migrated database. @throws Error for an override without a column. */
export async function tableTypes(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<Column>(COLUMNS);
  const overrides = overridden();
  const tables = [...Map.groupBy(rows, ({ table }) => table)].map(([table, columns]) => {
    const lines = columns.map((column) => `    ${column.name}: ${columnType(column, overrides)};\n`);
    return `  ${table}: {\n${lines.join('')}  };\n`;
  });
  if (overrides.size > 0) throw new Error(`db/column-types.ts names no column: ${[...overrides].join(', ')}`);
  return `// Written by \`npm run schema\` from the migrations.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

/** The tables as the migrations leave them; a row never goes over the wire. */
export interface Tables {
${tables.join('')}}
`;
}
