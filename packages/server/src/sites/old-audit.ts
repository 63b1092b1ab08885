import { sql } from 'kysely';
import type { KeptKind } from '../retention/kept-kind.ts';

/** What tickets tell of themselves is their history, and goes with them. */
export const oldAudit: KeptKind = {
  batch: 500,
  old: ({ site }, before) => sql`
    audit_entries r where r.site_id = ${site.id} and r.subject <> 'ticket' and r.created_at < ${before}`,
  async forget({ db, site }, ids) {
    await sql`delete from audit_entries where site_id = ${site.id} and id = any (${ids}::bigint[])`.execute(
      db,
    );
  },
};
