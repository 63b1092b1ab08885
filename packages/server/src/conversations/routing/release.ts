import { type RawBuilder, sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { notifyWaiting, settleChats } from '../../notifications/notify.ts';

/** Returns an agent's chats (as `c`) that match the condition to the queue. */
function release(ctx: SiteContext, agentId: number, which: RawBuilder<unknown>): Promise<void> {
  return ctx.transaction(async (tx) => {
    const { rows } = await sql<{ id: number; sessionId: string }>`
      update conversations c set status = 'waiting', agent_id = null, waiting_since = ${tx.now()}, snoozed_until = null,
        unanswered_since = coalesce(c.unanswered_since, ${tx.now()})
      where c.site_id = ${tx.site.id} and c.agent_id = ${agentId} and c.status = 'active' and ${which}
      returning c.id, c.session_id as "sessionId"`.execute(tx.db);
    if (rows.length === 0) return;
    const ids = rows.map(({ id }) => id);
    await settleChats(tx, ids);
    await notifyWaiting(tx, ids);
    await tx.emit({ notices: rows.map(({ sessionId }) => ({ kind: 'session', sessionId })) });
  });
}

/** Returns the chats of a departing agent to the team. */
export const releaseChatsOf = (ctx: SiteContext, agentId: number): Promise<void> =>
  release(ctx, agentId, sql`true`);

/**
 * Returns chats to the queue that wait for an answer of an agent who has been away for as long as the site allows.
 * Snoozed chats stay theirs until they wake. An agent who has come back meanwhile keeps the chats, which the same
 * statement checks.
 */
export const releaseChatsOfAbsent = (ctx: SiteContext, agentId: number): Promise<void> =>
  release(
    ctx,
    agentId,
    sql`c.last_sender is distinct from 'agent' and c.snoozed_until is null and exists (
      select from agents a join sites s on s.id = a.site_id
      where a.site_id = c.site_id and a.id = c.agent_id
        and a.at_desk_at < ${ctx.now()}::timestamptz - make_interval(secs => s.return_chats_after_s))`,
  );
