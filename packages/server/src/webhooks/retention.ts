import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { SiteContext } from '../context.ts';
import type { Db } from '../db/database.ts';
import type { DueItem } from '../jobs/schedule.ts';

/** Events a step, each with its deliveries and their attempts, and steps a run. */
const STEP = 200;
const STEPS = 100;
/** Between steps, so that whoever waits gets their turn. */
const PAUSE_MS = 20;

/**
 * Past the site's time, and nothing under way: what is still being tried stays. What waits for a disabled subscription
 * goes with the rest, or it would wait for ever.
 */
const isOld = (now: Date) => sql<boolean>`
  e.created_at < ${now}::timestamptz - s.webhook_log_days * interval '1 day'
  and not exists (
    select from webhook_deliveries d
    join webhook_queue q on q.site_id = d.site_id and q.delivery_id = d.id
    join webhook_subscriptions w on w.site_id = d.site_id and w.id = d.subscription_id
    where d.site_id = e.site_id and d.event_id = e.id and w.disabled_at is null
  )`;

export async function findOldLogs(db: Db, now: Date, limit: number): Promise<DueItem[]> {
  const { rows } = await sql<DueItem>`
    select s.id as "siteId", s.id from sites s
    where exists (select from webhook_events e where e.site_id = s.id and ${isOld(now)}) limit ${limit}`.execute(
    db,
  );
  return rows;
}

/** Deletes in small steps, each a transaction of its own: a process that dies loses nothing but time. */
export async function pruneLog(ctx: SiteContext): Promise<void> {
  const now = ctx.now();
  for (let step = 0; step < STEPS; step += 1) {
    const { rows } = await sql`
      delete from webhook_events where site_id = ${ctx.site.id} and id in (
        select e.id from webhook_events e join sites s on s.id = e.site_id
        where e.site_id = ${ctx.site.id} and ${isOld(now)} order by e.created_at limit ${STEP}::int
      ) returning id`.execute(ctx.db);
    if (rows.length < STEP) break;
    await delay(PAUSE_MS);
  }
  await sql`
    delete from webhook_hours h using sites s
    where h.site_id = ${ctx.site.id} and s.id = h.site_id
      and h.hour < ${now}::timestamptz - s.webhook_log_days * interval '1 day'`.execute(ctx.db);
}
