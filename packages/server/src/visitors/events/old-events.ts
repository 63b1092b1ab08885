import { type RawBuilder, sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import type { RetentionPolicy } from '../../core/retention-policy.ts';

const LOOKED_AT = 10_001;

/** Ids increase over time, so old events have the lowest: an index by age would slow down every insert. */
const isAmongFirst = (
  { site }: SiteContext,
  table: 'visitor_events' | 'visitor_pages',
): RawBuilder<boolean> =>
  sql<boolean>`
    r.id <= (
      select max(id) from (
        select id from ${sql.table(table)} where site_id = ${site.id} order by id limit ${LOOKED_AT}
      ) first
    )`;

/** Visitors' events. Counts and segments are updated for visitors who lose some. */
export const oldEvents: RetentionPolicy = {
  batch: 500,
  old: (ctx, before) => sql`
    visitor_events r where r.site_id = ${ctx.site.id} and r.created_at < ${before}
      and ${isAmongFirst(ctx, 'visitor_events')}`,
  async purge(tx, ids) {
    const { db, site } = tx;
    // In the order of their ids, like everything that locks several visitors.
    await sql`
      select from visitors where site_id = ${site.id} and id in (
        select visitor_id from visitor_events where site_id = ${site.id} and id = any (${ids}::bigint[])
      ) order by id for no key update`.execute(db);
    await sql`
      with gone as (
        delete from visitor_events where site_id = ${site.id} and id = any (${ids}::bigint[]) returning visitor_id
      ), fewer as (
        select visitor_id, count(*)::int as count from gone group by visitor_id
      )
      update visitors v set event_count = greatest(0, v.event_count - f.count),
        segments_due_at = case when v.erased_at is null and exists (
          select from segments s where s.site_id = v.site_id and s.deleted_at is null
        ) then ${tx.now()} else v.segments_due_at end
      from fewer f where v.site_id = ${site.id} and v.id = f.visitor_id`.execute(db);
  },
};

/** Pages that visitors have viewed. A page that is still open is never old. */
export const oldPages: RetentionPolicy = {
  batch: 500,
  old: (ctx, before) => sql`
    visitor_pages r where r.site_id = ${ctx.site.id} and r.left_at < ${before}
      and ${isAmongFirst(ctx, 'visitor_pages')}`,
  async purge({ db, site }, ids) {
    await sql`delete from visitor_pages where site_id = ${site.id} and id = any (${ids}::bigint[])`.execute(
      db,
    );
  },
};
