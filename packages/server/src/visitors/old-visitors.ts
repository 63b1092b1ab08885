import { sql } from 'kysely';
import type { RetentionPolicy } from '../core/retention-policy.ts';

/** Visitors without a key of the site's own, a name or an address, including erased and merged ones. */
const IS_ANONYMOUS = sql<boolean>`
  (r.key is null or starts_with(r.key, 'anon_')) and r.email is null and r.name is null`;

/** Visitors not seen since, without any chat or ticket: those keep their visitor. */
const unseen = (whether: 'anonymous' | 'known'): RetentionPolicy => ({
  batch: 500,
  scanById: 'visitors',
  old: ({ site }, before) => sql`
    visitors r where r.site_id = ${site.id} and r.last_seen_at < ${before}
      and ${whether === 'anonymous' ? IS_ANONYMOUS : sql`not (${IS_ANONYMOUS})`}
      and not exists (select from conversations c where c.site_id = r.site_id and c.visitor_id = r.id)
      and not exists (select from tickets t where t.site_id = r.site_id and t.requester_id = r.id)`,
  async purge({ db, site }, ids) {
    await sql`
      with gone as (
        delete from segment_members
        where site_id = ${site.id} and visitor_id = any (${ids}::bigint[]) returning segment_id
      )
      insert into segment_deltas (site_id, segment_id, delta)
      select ${site.id}, segment_id, -count(*) from gone group by segment_id`.execute(db);
    await sql`
      update visitors set merged_into_id = null
      where site_id = ${site.id} and merged_into_id = any (${ids}::bigint[])`.execute(db);
    await sql`delete from visitors where site_id = ${site.id} and id = any (${ids}::bigint[])`.execute(db);
  },
});

export const oldAnonymousVisitors = unseen('anonymous');
export const oldKnownVisitors = unseen('known');
