import { sql } from 'kysely';
import type { Db } from '../src/db/database.ts';

/** A row, each column as JSON; binary data is read as text. */
export type StoredRow = Readonly<Record<string, unknown>>;

/** All rows of all tables, by the table's name; those of the queue as `foyer_jobs.job`. */
export type Rows = ReadonlyMap<string, readonly StoredRow[]>;

export interface ForeignKey {
  child: string;
  parent: string;
  columns: string[];
  parentColumns: string[];
}

export interface Column {
  table: string;
  name: string;
  generated: boolean;
}

const readable = (value: unknown): unknown =>
  typeof value === 'string' && value.startsWith('\\x')
    ? Buffer.from(value.slice(2), 'hex').toString()
    : value;

/** Reads the whole database. */
export async function readRows(db: Db): Promise<Rows> {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_schema in ('public', 'foyer_jobs') and table_type = 'BASE TABLE'`.execute(db);
  const found = new Map<string, StoredRow[]>();
  for (const { schema, name } of tables) {
    const { rows } = await sql<{ row: StoredRow }>`
      select to_jsonb(t) as row from ${sql.id(schema, name)} t order by to_jsonb(t)::text`.execute(db);
    const read = rows.map(({ row }) =>
      Object.fromEntries(Object.entries(row).map(([column, value]) => [column, readable(value)])),
    );
    found.set(schema === 'public' ? name : `${schema}.${name}`, read);
  }
  return found;
}

export async function foreignKeys(db: Db): Promise<ForeignKey[]> {
  const columns = (table: string, keys: string) => sql`array(
    select a.attname::text from unnest(${sql.ref(`c.${keys}`)}) with ordinality as k (number, at)
    join pg_attribute a on a.attrelid = ${sql.ref(`c.${table}`)} and a.attnum = k.number order by k.at)`;
  const { rows } = await sql<ForeignKey>`
    select conrelid::regclass::text as child, confrelid::regclass::text as parent,
      ${columns('conrelid', 'conkey')} as columns, ${columns('confrelid', 'confkey')} as "parentColumns"
    from pg_constraint c where contype = 'f' and connamespace = 'public'::regnamespace`.execute(db);
  return rows;
}

/** The columns that can contain text. */
export async function textColumns(db: Db): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select table_name as table, column_name as name, is_generated = 'ALWAYS' as generated
    from information_schema.columns
    where table_schema = 'public' and udt_name in ('text', '_text', 'varchar', 'json', 'jsonb', 'bytea', 'tsvector')
    order by 1, 2`.execute(db);
  return rows;
}

/** Whether a row, or one of its columns, contains a word in any case. */
export const mentions = (value: unknown, word: string): boolean =>
  (JSON.stringify(value) ?? '').toLowerCase().includes(word);

/**
 * The rows that belong to a row of `visitors`, by table: those that refer to it by foreign keys, directly or through
 * other tables, and those that contain one of the words.
 */
export function rowsOf(
  rows: Rows,
  keys: readonly ForeignKey[],
  visitorId: number,
  words: readonly string[],
): Map<string, Set<StoredRow>> {
  const own = new Map<string, Set<StoredRow>>();
  const isOwn = (table: string, row: StoredRow): boolean =>
    (table === 'visitors' && row.id === visitorId) ||
    words.some((word) => mentions(row, word)) ||
    keys.some(({ child, parent, columns, parentColumns }) => {
      if (child !== table || columns.some((column) => row[column] === null)) return false;
      return [...(own.get(parent) ?? [])].some((above) =>
        columns.every((column, at) => above[parentColumns[at] ?? ''] === row[column]),
      );
    });
  let grown = true;
  while (grown) {
    grown = false;
    for (const [table, all] of rows) {
      const known = own.get(table) ?? new Set();
      for (const row of all) {
        if (known.has(row) || !isOwn(table, row)) continue;
        own.set(table, known.add(row));
        grown = true;
      }
    }
  }
  return own;
}
