import { sql } from 'kysely';
import type { RetentionPolicy } from '../../core/retention-policy.ts';

/** The audit log without tickets: their entries are the ticket's history and are deleted with it. */
export const oldAudit: RetentionPolicy = {
  batch: 500,
  old: ({ site }, before) => sql`
    audit_entries r where r.site_id = ${site.id} and r.subject <> 'ticket' and r.created_at < ${before}`,
  async purge({ db, site }, ids) {
    await sql`delete from audit_entries where site_id = ${site.id} and id = any (${ids}::bigint[])`.execute(
      db,
    );
  },
};
