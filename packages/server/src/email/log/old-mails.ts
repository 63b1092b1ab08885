import { sql } from 'kysely';
import type { RetentionPolicy } from '../../core/retention-policy.ts';

/** Mails as received, from which they can be processed again. Waiting and suspended ones stay. */
export const oldMailSources: RetentionPolicy = {
  batch: 50,
  old: ({ site }, before) => sql`
    received_mails r where r.site_id = ${site.id} and r.raw is not null and r.received_at < ${before}
      and r.state not in ('waiting', 'suspended')`,
  async purge({ db, site }, ids) {
    await sql`
      update received_mails set raw = null where site_id = ${site.id} and id = any (${ids}::bigint[])`.execute(
      db,
    );
  },
};

/** The mail log. Tickets and chats of the mails stay; the same mail counts as new afterwards. */
export const oldMailLog: RetentionPolicy = {
  batch: 200,
  old: ({ site }, before) => sql`
    received_mails r where r.site_id = ${site.id} and r.received_at < ${before} and r.state <> 'waiting'`,
  async purge({ db, site }, ids) {
    await sql`delete from received_mails where site_id = ${site.id} and id = any (${ids}::bigint[])`.execute(
      db,
    );
  },
};
