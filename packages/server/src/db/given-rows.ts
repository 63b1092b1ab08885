import { type RawBuilder, sql } from 'kysely';
import { compiler } from './prepared.ts';

/** A value, or an expression of it in a statement that does the same for many rows. */
export type Given<T> = T | RawBuilder<T>;

/** Whether it is an expression. */
export const isExpression = <T>(value: Given<T>): value is RawBuilder<T> =>
  typeof value === 'object' && value !== null && 'toOperationNode' in value;

/** The most rows of one execution. */
export const ROWS_MAX = 32;

/**
 * The rows that a statement for `executeForRow` is given, as its part `given`. Its first parameter is their JSON list,
 * so this must come before any other parameter. `n` is a row's position in the list, from 1. The condition is always true,
 * and lets PostgreSQL expect one row instead of a hundred: it then looks each up in an index instead of reading tables.
 * @param types the PostgreSQL type of each column
 */
export function givenRows(types: Readonly<Record<string, string>>): RawBuilder<unknown> {
  const names = Object.keys(types);
  const columns = sql.join(names.map((name) => sql`${sql.ref(name)} ${sql.raw(types[name] ?? '')}`));
  return sql`given as (
      select * from rows from (json_to_recordset(${null}::json) as (${columns}))
        with ordinality as given (${sql.join([...names, 'n'].map((name) => sql.ref(name)))})
      where n between 1 and ${sql.lit(ROWS_MAX)}
    )`;
}

/**
 * A statement for any number of rows: `givenRows` is its first parameter. It does the same for each and answers with at
 * most one row for each, which has that row's `n`.
 */
export interface RowStatement {
  readonly text: string;
  /** Those after the rows, the same for all of them. */
  readonly parameters: readonly unknown[];
}

/** Compiles a statement for `executeForRow`. To be shared, it must be compiled once, not for each row. */
export function rowStatement(statement: RawBuilder<unknown>): RowStatement {
  const { sql: text, parameters } = statement.compile(compiler);
  return { text, parameters: parameters.slice(1) };
}
