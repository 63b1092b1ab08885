import { sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import type { RecurringJob } from '../../jobs/schedule.ts';
import { scopeOf } from '../rows.ts';
import { type Settled, settle } from './settle.ts';

const WINDOWS_MS = 1_000;
const SIZES_MS = 5_000;
const REVIVAL_MS = 60_000;
/** A fill without progress for this long has lost its job. */
const STILL_MS = 120_000;

/** Re-evaluates a visitor for whom time has changed something: an event left its window. */
async function settleDue(ctx: SiteContext, id: number): Promise<void> {
  await ctx.transaction(async (tx) => {
    const scope = scopeOf(tx);
    const { rows } = await sql<Settled>`
      select id, key, email, name, attributes, first_seen_at, last_seen_at, segment_ids, segments_due_at
      from visitors where site_id = ${scope.siteId} and id = ${id} and segments_due_at <= ${scope.now}
      for no key update`.execute(tx.db);
    if (rows[0]) await settle(scope, rows[0], 'everything');
  });
}

const dueVisitors: RecurringJob['due'] = ({ now, limit }) => sql`
  select site_id as "siteId", id from visitors where segments_due_at <= ${now}
  order by segments_due_at limit ${limit}`;

async function foldDeltas(ctx: SiteContext, id: number): Promise<void> {
  await ctx.transaction(async ({ db, site }) => {
    await sql`
      select from segments where site_id = ${site.id} and id = ${id} for no key update`.execute(db);
    await sql`
      with gone as (
        delete from segment_deltas where site_id = ${site.id} and segment_id = ${id} returning delta
      )
      update segments set size = size + (select coalesce(sum(delta), 0) from gone)
      where site_id = ${site.id} and id = ${id}`.execute(db);
  });
}

const changedSizes: RecurringJob['due'] = ({ limit }) => sql`
  select site_id as "siteId", segment_id as id from segment_deltas group by 1, 2
  order by count(*) desc limit ${limit}`;

const stillFillings: RecurringJob['due'] = ({ now, limit }) => sql`
  select site_id as "siteId", id from segments
  where (filled_at is null or deleted_at is not null) and touched_at <= ${new Date(now.getTime() - STILL_MS)}
  order by touched_at limit ${limit}`;

async function revive(ctx: SiteContext, id: number): Promise<void> {
  await ctx.transaction(async (tx) => {
    await sql`
      update segments set touched_at = ${tx.now()} where site_id = ${tx.site.id} and id = ${id}`.execute(
      tx.db,
    );
    await tx.enqueue('segments.fill', { segment_id: id }, { key: `${tx.site.id}:${id}` });
  });
}

/** Segment changes caused by time. */
export const segmentClock: readonly RecurringJob[] = [
  { name: 'segments.windows', everyMs: WINDOWS_MS, due: dueVisitors, run: settleDue },
  { name: 'segments.sizes', everyMs: SIZES_MS, due: changedSizes, run: foldDeltas },
  { name: 'segments.revival', everyMs: REVIVAL_MS, due: stillFillings, run: revive },
];
