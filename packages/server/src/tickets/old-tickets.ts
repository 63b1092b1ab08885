import { sql } from 'kysely';
import type { SiteContext } from '../core/context.ts';
import type { RetentionPolicy } from '../core/retention-policy.ts';
import { holdCounting, isCounted, keepSums } from '../rollups/retained-sums.ts';

/** Closed tickets that weren't changed since. Their histories are deleted with them. */
export const oldTickets: RetentionPolicy = {
  batch: 50,
  old: (ctx, before) => sql`
    tickets r where r.site_id = ${ctx.site.id} and not r.snoozed and r.status = 'closed' and r.updated_at < ${before}
      and ${isCounted(ctx, 'tickets')}`,
  purge: purgeTickets,
};

/** Tickets marked as spam, whatever their status: by the time of the mark. */
export const oldSpamTickets: RetentionPolicy = {
  batch: 50,
  old: (ctx, before) => sql`
    tickets r where r.site_id = ${ctx.site.id} and r.spam_at < ${before} and ${isCounted(ctx, 'tickets')}`,
  purge: purgeTickets,
};

async function purgeTickets(tx: SiteContext, ids: readonly number[]): Promise<void> {
  const { db, site } = tx;
  await holdCounting(tx);
  await keepSums(tx, ids.map(String));
  await sql`
      update conversations set ticket_id = null
      where site_id = ${site.id} and ticket_id = any (${ids}::bigint[])`.execute(db);
  await sql`
      delete from audit_entries
      where site_id = ${site.id} and subject = 'ticket' and subject_id = any (${ids}::bigint[])`.execute(db);
  await sql`delete from tickets where site_id = ${site.id} and id = any (${ids}::bigint[])`.execute(db);
}
