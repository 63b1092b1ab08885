import { type RawBuilder, sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { notifyWaiting, settleChats } from '../../notifications/notify.ts';
import { movedEvent } from '../chat-events.ts';
import { loadSessions } from '../sessions.ts';
import { recordDecisions } from './decisions.ts';

/** Chats per step: each notifies the whole team, in one statement. */
const STEP = 50;

/** Which chats (as `c`) return, and why. */
interface Release {
  kind: 'agent_away' | 'agent_removed';
  which: RawBuilder<unknown>;
}

/** @returns whether there may be more */
function releaseSome(ctx: SiteContext, agentId: number, { kind, which }: Release): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    const { rows } = await sql<{ id: number; sessionId: string; name: string }>`
      with chosen as materialized (
        select c.id from conversations c
        where c.site_id = ${tx.site.id} and c.agent_id = ${agentId} and c.status = 'active' and ${which}
        order by c.id limit ${STEP} for no key update
      )
      update conversations c set status = 'waiting', agent_id = null, waiting_since = ${tx.now()}, snoozed_until = null,
        unanswered_since = coalesce(c.unanswered_since, ${tx.now()})
      from chosen where c.site_id = ${tx.site.id} and c.id = chosen.id
      returning c.id, c.session_id as "sessionId",
        (select name from agents where site_id = ${tx.site.id} and id = ${agentId}) as name`.execute(tx.db);
    if (rows.length === 0) return false;
    const ids = rows.map(({ id }) => id);
    await recordDecisions(
      tx,
      kind,
      ids.map((conversationId) => ({ conversationId, agentId })),
    );
    await settleChats(tx, ids);
    await notifyWaiting(tx, ids);
    await tx.emit({ notices: rows.map(({ sessionId }) => ({ kind: 'session', sessionId })) });
    const from = { id: agentId, name: rows[0]?.name ?? '' };
    for (const chat of await loadSessions(tx.db, tx.site.id, sql`c.id = any (${ids}::bigint[])`)) {
      const webhook = movedEvent(tx, chat, from, null);
      if (webhook) await tx.emit({ webhook });
    }
    return true;
  });
}

/** Returns an agent's chats (as `c`) that match the condition to the queue, each step in a transaction of its own. */
async function release(ctx: SiteContext, agentId: number, chats: Release): Promise<void> {
  while (await releaseSome(ctx, agentId, chats));
}

/** Returns the chats of a departing agent to the team; within the caller's transaction, if there is one. */
export const releaseChatsOf = (ctx: SiteContext, agentId: number): Promise<void> =>
  release(ctx, agentId, { kind: 'agent_removed', which: sql`true` });

/**
 * Returns chats to the queue that wait for an answer of an agent who has been away for as long as the site allows.
 * Snoozed chats stay theirs until they wake. An agent who returns meanwhile keeps the remaining chats, which each
 * statement checks.
 */
export const releaseChatsOfAbsent = (ctx: SiteContext, agentId: number): Promise<void> =>
  release(ctx, agentId, {
    kind: 'agent_away',
    which: sql`c.last_sender is distinct from 'agent' and c.snoozed_until is null and c.spam_at is null and exists (
      select from agents a join sites s on s.id = a.site_id
      where a.site_id = c.site_id and a.id = c.agent_id
        and a.at_desk_at < ${ctx.now()}::timestamptz - make_interval(secs => s.return_chats_after_s))`,
  });
