import { sql } from 'kysely';
import type { RetentionPolicy } from '../core/retention-policy.ts';

/**
 * The delivery log, by age of the events. Deliveries still being retried stay. Those waiting for a disabled
 * subscription are deleted too, or they would wait forever.
 */
export const oldWebhookLog: RetentionPolicy<string> = {
  batch: 200,
  old: ({ site }, before) => sql`
    webhook_events r where r.site_id = ${site.id} and r.created_at < ${before}
      and not exists (
        select from webhook_deliveries d
        join webhook_queue q on q.site_id = d.site_id and q.delivery_id = d.id
        join webhook_subscriptions w on w.site_id = d.site_id and w.id = d.subscription_id
        where d.site_id = r.site_id and d.event_id = r.id and w.disabled_at is null
      )`,
  async purge({ db, site }, ids, before) {
    await sql`delete from webhook_events where site_id = ${site.id} and id = any (${ids}::text[])`.execute(
      db,
    );
    await sql`delete from webhook_hours where site_id = ${site.id} and hour < ${before}`.execute(db);
  },
};
