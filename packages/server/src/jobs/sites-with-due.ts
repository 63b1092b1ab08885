import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { DueItem } from './schedule.ts';

/** Rows that are looked at to find the sites that they are of. */
const LOOK_AHEAD = 10_000;

interface DueRows {
  table: 'tickets' | 'conversations';
  /** By the index of `since`. */
  isDue: RawBuilder<boolean>;
  since: RawBuilder<unknown>;
}

/**
 * One item a site, with any due row of it: a job that does all of them, many in a transaction, is done in seconds with a
 * crowd that is due at one moment.
 */
export async function sitesWithDue(
  db: Db,
  { table, isDue, since }: DueRows,
  limit: number,
): Promise<DueItem[]> {
  const { rows } = await sql<DueItem>`
    select site_id as "siteId", min(id) as id from (
      select site_id, id, ${since} as since from ${sql.table(table)} where ${isDue} order by ${since} limit ${LOOK_AHEAD}
    ) due group by site_id order by min(since) limit ${limit}`.execute(db);
  return rows;
}
