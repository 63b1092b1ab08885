import { MINUTE_MS } from '@foyer/protocol/values/durations';
import { sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { noticeFailing, settleFailing } from '../mailboxes/notices.ts';

/** How often a working mailbox's time is written. */
const CHECKED_EVERY_S = 30;
/** Admins needn't know about a server that restarts, or a network that is away for a moment. */
const NOTICE_AFTER_MS = 5 * MINUTE_MS;

/** Records that a mailbox works; ends its problem, and the notifications of it. */
export async function noteWorking(ctx: SiteContext, id: number): Promise<void> {
  const now = ctx.now();
  await ctx.transaction(async (tx) => {
    const { rows } = await sql<{ was_noticed: boolean }>`
      update mailboxes m set checked_at = ${now}, failing_since = null, problem = null, failing_noticed_at = null
      from (
        select site_id, id, failing_noticed_at is not null as was_noticed from mailboxes
        where site_id = ${tx.site.id} and id = ${id}
          and (problem is not null or checked_at is null
            or checked_at < ${now}::timestamptz - ${CHECKED_EVERY_S} * interval '1 second')
        for update
      ) before
      where m.site_id = before.site_id and m.id = before.id
      returning before.was_noticed`.execute(tx.db);
    if (rows[0]?.was_noticed) await settleFailing(tx);
  });
}

/**
 * Records a mailbox's problem, and since when. Admins see this text, and are notified if the problem continues, or at
 * once if it can't end without them.
 */
export async function noteProblem(
  ctx: SiteContext,
  id: number,
  problem: string,
  isFinal = false,
): Promise<void> {
  const now = ctx.now();
  const noticedFrom = new Date(now.getTime() - NOTICE_AFTER_MS);
  await ctx.transaction(async (tx) => {
    const { rows } = await sql<{ is_due: boolean }>`
      update mailboxes set failing_since = coalesce(failing_since, ${now}), problem = ${problem}
      where site_id = ${tx.site.id} and id = ${id} and is_enabled
      returning failing_noticed_at is null and (${isFinal} or failing_since <= ${noticedFrom}) as is_due`.execute(
      tx.db,
    );
    if (rows[0]?.is_due) await noticeFailing(tx, id);
  });
}
