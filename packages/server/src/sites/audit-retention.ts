import { setTimeout as delay } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { SiteContext } from '../context.ts';
import type { Db } from '../db/database.ts';
import type { DueItem, RecurringJob } from '../jobs/schedule.ts';

/** Entries a step, and steps a run. */
const STEP = 500;
const STEPS = 100;
/** Between steps, so that whoever waits gets their turn. */
const PAUSE_MS = 20;
const EVERY_MS = 600_000;

/** What tickets tell of themselves is their history, and goes with them. */
const isOld = (now: Date, months: RawBuilder<unknown>) => sql<boolean>`
  e.subject <> 'ticket' and e.created_at < ${now}::timestamptz - ${months} * interval '1 month'`;

/** How many entries would go now if the log were kept for so many months. */
export async function countOlderAudit(ctx: SiteContext, months: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from audit_entries e
    where e.site_id = ${ctx.site.id} and ${isOld(ctx.now(), sql`${months}::int`)}`.execute(ctx.db);
  return rows[0]?.count ?? 0;
}

async function findOldAudit(db: Db, now: Date, limit: number): Promise<DueItem[]> {
  const { rows } = await sql<DueItem>`
    select s.id as "siteId", s.id from sites s
    where s.audit_log_months is not null and exists (
      select from audit_entries e where e.site_id = s.id and ${isOld(now, sql`s.audit_log_months`)}
    ) limit ${limit}`.execute(db);
  return rows;
}

/** Deletes in small steps, each a transaction of its own: a process that dies loses nothing but time. */
async function pruneAudit(ctx: SiteContext): Promise<void> {
  for (let step = 0; step < STEPS; step += 1) {
    const { rows } = await sql`
      delete from audit_entries where site_id = ${ctx.site.id} and id in (
        select e.id from audit_entries e join sites s on s.id = e.site_id
        where e.site_id = ${ctx.site.id} and ${isOld(ctx.now(), sql`s.audit_log_months`)}
        order by e.created_at limit ${STEP}::int
      ) returning id`.execute(ctx.db);
    if (rows.length < STEP) return;
    await delay(PAUSE_MS);
  }
}

export const auditClock: readonly RecurringJob[] = [
  { name: 'audit.prune', everyMs: EVERY_MS, due: findOldAudit, run: (ctx) => pruneAudit(ctx) },
];
