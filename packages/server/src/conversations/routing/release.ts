import { type RawBuilder, sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { notifyWaiting, settleChats } from '../../notifications/notify.ts';

/** Makes the visitors of an agent's chats wait for a person again: of those chats (as `c`) that the condition names. */
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

/** Gives the chats of an agent who leaves back to the team. */
export const releaseChatsOf = (ctx: SiteContext, agentId: number): Promise<void> =>
  release(ctx, agentId, sql`true`);

/**
 * Gives back those chats in which something waits for an answer of an agent who has been gone for as long as the site
 * allows. What they have snoozed stays theirs until it wakes. Whoever has come back meanwhile keeps them: that is looked at in the same statement.
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
