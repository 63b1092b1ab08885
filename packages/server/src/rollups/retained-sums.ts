import { type RawBuilder, sql } from 'kysely';
import type { SiteContext } from '../core/context.ts';

type Counted = 'conversations' | 'tickets';

const BACKLOG = { conversations: sql`chats_below`, tickets: sql`tickets_below` };

/** Rows `r` that the sums fully include: not marked as changed, and already reached by any recount in progress. */
export const isCounted = ({ site }: SiteContext, table: Counted): RawBuilder<boolean> => sql<boolean>`
  not exists (
    select from report_dirty_records k
    where k.site_id = r.site_id and k.record = ${table === 'tickets' ? sql`r.id::text` : sql`r.session_id`}
  ) and not exists (
    select from report_sites s where s.site_id = ${site.id} and r.id < s.${BACKLOG[table]}
  )`;

/** Blocks counting of the site until the caller's transaction ends. */
export async function holdCounting({ db, site }: SiteContext): Promise<void> {
  await sql`select from report_sites where site_id = ${site.id} for update`.execute(db);
}

/** Keeps the sums of these records, because they are deleted only for their age. The caller holds the counting lock. */
export async function keepSums({ db, site }: SiteContext, records: readonly string[]): Promise<void> {
  await sql`
    delete from report_contributions where site_id = ${site.id} and record = any (${records}::text[])`.execute(
    db,
  );
}
