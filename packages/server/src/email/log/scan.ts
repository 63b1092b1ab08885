import { MINUTE_MS } from '@foyer/protocol/values/durations';
import { type RawBuilder, sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { cursorId, encodeCursor } from '../../db/keyset.ts';

/** How many index rows one page reads for filters without an index. */
const SCANNED_MAX = 2_000;

interface Paging {
  limit: number;
  cursor?: string | undefined;
  order: 'asc' | 'desc';
}

interface Scan {
  /** The rows to read by an index: `table t where …`. */
  rows: RawBuilder<unknown>;
  /** The column by which the index is ordered, an id. */
  id: string;
  /** Filters without an index; undefined if everything matches. */
  matches: RawBuilder<boolean> | undefined;
}

interface Found {
  ids: number[];
  next_cursor: string | null;
}

/**
 * A page of ids in the order of an index. Reads a limited number of rows: a page with few matches ends there, even
 * empty, and the next one continues.
 */
export async function scanPage(
  { db }: SiteContext,
  { rows, id, matches }: Scan,
  { limit, cursor, order }: Paging,
): Promise<Found> {
  const after = cursorId(cursor);
  const column = sql.ref(id);
  const [direction, behind] = order === 'asc' ? [sql`asc`, sql`>`] : [sql`desc`, sql`<`];
  const scanned = matches ? SCANNED_MAX : limit + 1;
  const result = await sql<{ id: number; matches: boolean }>`
    select ${column} as id, ${matches ?? sql`true`} as matches from ${rows}
      ${after === undefined ? sql`` : sql`and ${column} ${behind} ${after}`}
    order by ${column} ${direction} limit ${scanned}`.execute(db);
  const found = result.rows.filter((row) => row.matches).map((row) => row.id);
  const ids = found.slice(0, limit);
  const last =
    found.length > limit ? ids.at(-1) : result.rows.length === scanned ? result.rows.at(-1)?.id : undefined;
  return { ids, next_cursor: last === undefined ? null : encodeCursor([last]) };
}

/** Ids increase with time, except for concurrent transactions. */
const ID_SLACK_MS = 10 * MINUTE_MS;

/**
 * The ids that rows of these times can have, found by an index of times.
 * @param rows the rows of that index: `table where …`
 */
export function idsBetween(
  { rows, id, at, column }: { rows: RawBuilder<unknown>; id: string; at: string; column: string },
  { since, until }: { since?: string | undefined; until?: string | undefined },
): RawBuilder<unknown> {
  const from = since && new Date(Date.parse(since) - ID_SLACK_MS);
  const to = until && new Date(Date.parse(until) + ID_SLACK_MS);
  const [of, time] = [sql.ref(id), sql.ref(at)];
  const first = sql`(select ${of} from ${rows} and ${time} >= ${from} order by ${time} limit 1)`;
  const last = sql`(select ${of} from ${rows} and ${time} <= ${to} order by ${time} desc limit 1)`;
  const bounded = sql.ref(column);
  return sql`${from ? sql`and ${bounded} >= ${first}` : sql``} ${to ? sql`and ${bounded} <= ${last}` : sql``}`;
}

/** All of these conditions; undefined without any. */
export const allOf = (conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> | undefined =>
  conditions.length === 0 ? undefined : sql<boolean>`(${sql.join(conditions, sql` and `)})`;
