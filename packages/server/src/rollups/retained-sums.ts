import { type RawBuilder, sql } from 'kysely';
import type { SiteContext } from '../core/context.ts';

type Counted = 'conversations' | 'tickets';

const BACKLOG = { conversations: sql`chats_below`, tickets: sql`tickets_below` };

/** The rows `r` that the sums have whole: nothing of them is marked, and no count from the start has yet to reach them. */
export const isCounted = ({ site }: SiteContext, table: Counted): RawBuilder<boolean> => sql<boolean>`
  not exists (
    select from report_dirty_records k
    where k.site_id = r.site_id and k.record = ${table === 'tickets' ? sql`r.id::text` : sql`r.session_id`}
  ) and not exists (
    select from report_sites s where s.site_id = ${site.id} and r.id < s.${BACKLOG[table]}
  )`;

/** Nobody counts the site until the caller's transaction ends. */
export async function holdCounting({ db, site }: SiteContext): Promise<void> {
  await sql`select from report_sites where site_id = ${site.id} for update`.execute(db);
}

/**
 * What these records have added to the sums stays there, whatever becomes of them: they go for their age. The caller
 * holds the counting.
 */
export async function keepSums({ db, site }: SiteContext, records: readonly string[]): Promise<void> {
  await sql`
    delete from report_contributions where site_id = ${site.id} and record = any (${records}::text[])`.execute(
    db,
  );
}
