import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { StoredCount } from './measures.ts';

const keyOf = ([measure, day, subject, bucket]: StoredCount): string =>
  [measure, day, subject, bucket].join('\n');

/** What must be added to the sums to turn `before` into `after`. Equal counts are left out. */
export function differenceOf(before: readonly StoredCount[], after: readonly StoredCount[]): StoredCount[] {
  const sums = new Map<string, StoredCount>();
  const add = (counts: readonly StoredCount[], sign: 1 | -1): void => {
    for (const one of counts) {
      const [measure, day, subject, bucket, count, total] = one;
      const key = keyOf(one);
      const [, , , , counted, totalled] = sums.get(key) ?? [measure, day, subject, bucket, 0, 0];
      sums.set(key, [measure, day, subject, bucket, counted + sign * count, totalled + sign * total]);
    }
  };
  add(before, -1);
  add(after, 1);
  return [...sums.values()].filter(([, , , , count, total]) => count !== 0 || total !== 0);
}

/** Adds to a site's sums, and deletes rows that become empty. The caller holds the site's counting lock. */
export async function addToSums(db: Db, siteId: number, difference: readonly StoredCount[]): Promise<void> {
  if (difference.length === 0) return;
  const [measures, days, subjects, buckets] = ([0, 1, 2, 3] as const).map((at) =>
    difference.map((one) => one[at]),
  );
  const [counts, totals] = ([4, 5] as const).map((at) => difference.map((one) => one[at]));
  await sql`
    insert into report_days (site_id, measure, day, subject, bucket, count, total)
    select ${siteId}, * from unnest(${measures}::text[], ${days}::date[], ${subjects}::text[], ${buckets}::smallint[],
      ${counts}::bigint[], ${totals}::bigint[])
    on conflict (site_id, measure, day, subject, bucket) do update set
      count = report_days.count + excluded.count, total = report_days.total + excluded.total`.execute(db);
  if (!difference.some(([, , , , count]) => count < 0)) return;
  await sql`
    delete from report_days d
    using unnest(${measures}::text[], ${days}::date[], ${subjects}::text[], ${buckets}::smallint[])
      as changed (measure, day, subject, bucket)
    where d.site_id = ${siteId} and d.measure = changed.measure and d.day = changed.day and d.subject = changed.subject
      and d.bucket = changed.bucket and d.count = 0`.execute(db);
}
