import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { type AppError, invalidInput } from '../base/errors.ts';

/** A page as the contract's `page()` has it. */
export interface Page<T> {
  items: T[];
  limit: number;
  next_cursor: string | null;
}

/**
 * The end of a page: the sort values of its last row, all integers, the id last. Opaque to callers. Unlike an
 * offset it stays correct while rows are added or deleted.
 */
export const encodeCursor = (values: readonly number[]): string =>
  Buffer.from(values.join('.')).toString('base64url');

const notOfList = (): AppError => invalidInput([{ path: 'cursor', message: 'isn’t a cursor of this list' }]);

/**
 * The values of a cursor, one per sort column; undefined without a cursor.
 * @throws AppError 400 with the path `cursor` for anything `encodeCursor` didn't create
 */
export function decodeCursor(cursor: string | undefined, length: number): number[] | undefined {
  if (cursor === undefined) return undefined;
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const values = text.split('.').map((part) => (/^\d{1,16}$/.test(part) ? Number(part) : Number.NaN));
  if (values.length !== length || !values.every(Number.isSafeInteger) || encodeCursor(values) !== cursor) {
    throw notOfList();
  }
  return values;
}

/** The id to continue from, in a list sorted by id alone. */
export const cursorId = (cursor: string | undefined): number | undefined => decodeCursor(cursor, 1)?.[0];

/** The end of the year 9999: no stored time is later. */
const TIME_MAX_MS = 253_402_300_799_999;

/** The time in a cursor. @throws AppError 400 for one that no list could have ended with */
export function cursorTime(ms = 0): Date {
  if (ms > TIME_MAX_MS) throw notOfList();
  return new Date(ms);
}

/** Makes a page of up to `limit + 1` rows. The extra row only shows that there is a next page. */
export function pageOf<Row, T>(
  rows: readonly Row[],
  limit: number,
  sortValues: (row: Row) => readonly number[],
  present: (row: Row) => T,
): Page<T> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const next = rows.length > limit && last !== undefined ? encodeCursor(sortValues(last)) : null;
  return { items: shown.map(present), limit, next_cursor: next };
}

/** The paging parameters of a list. */
interface Paging {
  limit: number;
  cursor?: string | undefined;
  order: 'asc' | 'desc';
}

/** A page of a query by id. `column` is the id column if the query has several. */
export async function idPage<DB, Table extends keyof DB, Row extends { id: number }, T>(
  query: SelectQueryBuilder<DB, Table, Row>,
  { limit, cursor, order }: Paging,
  present: (row: Row) => T,
  column = 'id',
): Promise<Page<T>> {
  const after = cursorId(cursor);
  const id = sql.ref(column);
  const behind = order === 'asc' ? sql.raw('>') : sql.raw('<');
  const rows = await query
    .$if(after !== undefined, (all) => all.where(sql<boolean>`${id} ${behind} ${after}`))
    .orderBy(id, order)
    .limit(limit + 1)
    .execute();
  return pageOf(rows, limit, (row) => [row.id], present);
}

/** Positions of lists that people arrange, with the id as tie-breaker. */
const POSITION_MAX = 10_000;

interface Positioned {
  id: number;
  position: number;
}

/** A page of a query by position, then id. */
export async function positionPage<DB, Table extends keyof DB, Row extends Positioned>(
  query: SelectQueryBuilder<DB, Table, Row>,
  { limit, cursor, order }: Paging,
): Promise<Page<Row>> {
  const after = decodeCursor(cursor, 2);
  const behind = order === 'asc' ? sql.raw('>') : sql.raw('<');
  const rows = await query
    .$if(after !== undefined, (all) =>
      all.where(sql<boolean>`(position, id) ${behind} (${after?.[0]}::bigint, ${after?.[1]}::bigint)`),
    )
    .orderBy(sql.ref('position'), order)
    .orderBy(sql.ref('id'), order)
    .limit(limit + 1)
    .execute();
  return pageOf(
    rows,
    limit,
    ({ position, id }) => [position, id],
    (row) => row,
  );
}

/** The position of a new record without a given one: after the last. */
export const positionBehind = (last: number | null | undefined): number =>
  Math.min(POSITION_MAX, (last ?? -1) + 1);

/** Matches `text` anywhere in one of these columns, ignoring case. `ilike` would take four times as long. */
export const contains = (columns: readonly string[], text: string): RawBuilder<SqlBool> =>
  sql`(${sql.join(
    columns.map((column) => sql`strpos(lower(${sql.ref(column)}), lower(${text}::text)) > 0`),
    sql` or `,
  )})`;
