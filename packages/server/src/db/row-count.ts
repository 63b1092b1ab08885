import { type RawBuilder, sql } from 'kysely';
import type { Db } from './database.ts';

/**
 * How many rows a query finds: exactly up to `most`, because counting more could read a million; beyond that the
 * estimate of PostgreSQL's planner, which is at least `most + 1`.
 * @param tail the query from its `from` on
 */
export async function countRows(db: Db, tail: RawBuilder<unknown>, most: number): Promise<number> {
  const counted = await sql<{ count: number }>`
    select count(*)::int as count from (select ${tail} limit ${most + 1}) own`.execute(db);
  const count = counted.rows[0]?.count ?? 0;
  if (count <= most) return count;
  const { rows } = await sql<{ 'QUERY PLAN': readonly [{ Plan: { 'Plan Rows': number } }] }>`
    explain (format json) select ${tail}`.execute(db);
  return Math.max(count, rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0);
}
