import { sql } from 'kysely';
import type { RetentionPolicy } from '../core/retention-policy.ts';

/** The log of calls. A call that is under way is always younger than the shortest retention time. */
export const oldCalls: RetentionPolicy = {
  batch: 500,
  old: ({ site }, before) => sql`action_calls r where r.site_id = ${site.id} and r.started_at < ${before}`,
  async purge({ db, site }, ids) {
    await sql`delete from action_calls where site_id = ${site.id} and id = any (${ids}::bigint[])`.execute(
      db,
    );
  },
};
