import { sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';

/** How often a working mailbox's time is written. */
const CHECKED_EVERY_S = 30;

/** Records that a mailbox works; ends its problem. */
export async function noteWorking(ctx: SiteContext, id: number): Promise<void> {
  const now = ctx.now();
  await sql`
    update mailboxes set checked_at = ${now}, failing_since = null, problem = null
    where site_id = ${ctx.site.id} and id = ${id}
      and (problem is not null or checked_at is null
        or checked_at < ${now}::timestamptz - ${CHECKED_EVERY_S} * interval '1 second')`.execute(ctx.db);
}

/** Records what is wrong with a mailbox, and since when. Admins see these words. */
export async function noteProblem(ctx: SiteContext, id: number, problem: string): Promise<void> {
  await sql`
    update mailboxes set failing_since = coalesce(failing_since, ${ctx.now()}), problem = ${problem}
    where site_id = ${ctx.site.id} and id = ${id} and is_enabled`.execute(ctx.db);
}
