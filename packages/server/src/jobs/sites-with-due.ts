import { type RawBuilder, sql } from 'kysely';
import type { DueItem, Look } from './schedule.ts';

/** How many rows are read to find the sites with due rows. */
const LOOK_AHEAD = 10_000;

interface DueRows {
  table: 'tickets' | 'conversations' | 'chat_slas';
  /** The column that identifies a row, by default `id`. */
  id?: string;
  /** Must be supported by the index on `since`. */
  isDue: RawBuilder<boolean>;
  since: RawBuilder<unknown>;
}

/**
 * One item per site, with any of its due rows. A job that handles all of a site's due rows, many per transaction,
 * takes seconds even if a crowd is due at once.
 */
export const sitesWithDue = (
  { table, id = 'id', isDue, since }: DueRows,
  { limit }: Look,
): RawBuilder<DueItem> => sql`
  select site_id as "siteId", min(id) as id from (
    select site_id, ${sql.ref(id)} as id, ${since} as since from ${sql.table(table)} where ${isDue} order by ${since} limit ${LOOK_AHEAD}
  ) due group by site_id order by min(since) limit ${limit}`;
