import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Counters } from './counters.ts';

interface Row {
  allowed: boolean;
  used: number;
  left_ms: number;
}

/**
 * In the database: for all processes, and over restarts.
 * @param clock replaces the database's clock, for tests that advance the time
 */
export function createPostgresCounters(db: Db, clock?: () => Date): Counters {
  const time = () => (clock ? sql`${clock()}::timestamptz` : sql`clock_timestamp()`);
  return {
    async take(key, { amount, max, windowMs }) {
      // The row's lock makes parallel attempts wait for each other, and the condition is checked after it. A refused
      // attempt writes nothing. A row that another transaction has just added and filled isn't visible to the last
      // part: without a row it is refused for a whole window. Each counted attempt deletes two expired rows, so the
      // table stays as small as the current activity, and needs no cleanup.
      const { rows } = await sql<Row>`
        with now as materialized (select ${time()} as at),
        taken as (
          insert into limit_counts as kept (key, used, ends_at)
          select ${key}, ${amount}::bigint, at + ${windowMs}::float8 * interval '1 millisecond'
          from now where ${amount}::bigint <= ${max}::bigint
          on conflict (key) do update set
            used = case when kept.ends_at <= (select at from now) then 0 else kept.used end + excluded.used,
            ends_at = case when kept.ends_at <= (select at from now) then excluded.ends_at else kept.ends_at end
          where kept.ends_at <= (select at from now) or kept.used + excluded.used <= ${max}::bigint
          returning used, ends_at
        ),
        swept as (
          delete from limit_counts where exists (select from taken) and key in (
            select key from limit_counts
            where ends_at <= (select at from now) and key <> ${key} order by ends_at limit 2 for update skip locked
          )
        )
        select true as allowed, used::float8, (extract(epoch from ends_at - at) * 1000)::float8 as left_ms
        from taken, now
        union all
        select false, used::float8, (extract(epoch from ends_at - at) * 1000)::float8
        from limit_counts, now
        where key = ${key} and not exists (select from taken)`.execute(db);
      const row = rows[0] ?? { allowed: false, used: max, left_ms: windowMs };
      return { allowed: row.allowed, used: row.used, leftMs: row.left_ms };
    },
    async giveBack(key) {
      await sql`
        update limit_counts set used = used - 1
        where key = ${key} and used > 0 and ends_at > ${time()}`.execute(db);
    },
  };
}
