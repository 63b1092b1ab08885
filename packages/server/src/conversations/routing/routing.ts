import { type RawBuilder, sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { notify, settleChats } from '../../notifications/notify.ts';
import { lockSite } from '../../sites/sites.ts';
import { isOffered } from '../../sites/teams/assignable.ts';
import { movedEvent } from '../chat-events.ts';
import { acceptHandoff, announce } from '../handoffs.ts';
import { getSession } from '../sessions.ts';

interface Given {
  id: number;
  session_id: string;
  agent_id: number;
  agent_name: string;
}

/** Chat `c` has waited so long for its team that anybody may get it. */
const fallsBack = (tx: SiteContext): RawBuilder<unknown> => sql`
  c.waiting_since <= ${tx.now()}::timestamptz - make_interval(secs => (
    select team_fallback_after_s from sites where id = ${tx.site.id}))`;

/**
 * Assigns the longest waiting chat for which somebody has capacity to the online agent who has waited longest for
 * one and has fewer active chats than their limit, not counting snoozed ones. A chat of a team goes to its members
 * only, until the site lets everybody have it. Runs under the site's lock, so that concurrent routing counts
 * correctly. Agents who take chats themselves may exceed their limit.
 */
async function giveNext(tx: SiteContext): Promise<Given | undefined> {
  const online = await tx.services.presence.onlineAgents(tx.site.id);
  const { rows } = await sql<Given>`
    with free as materialized (
      select a.id, a.site_id, a.last_routed_at from agents a
      where a.site_id = ${tx.site.id} and a.removed_at is null and a.id = any (${online}::bigint[])
        and a.chat_limit > (
          select count(*) from conversations c
          where c.site_id = a.site_id and c.agent_id = a.id and c.status = 'active' and c.snoozed_until is null
            and c.spam_at is null)
    ), chat as (
      select c.id, next.id as agent_id from conversations c
      cross join lateral (
        select a.id from free a where ${isOffered} or ${fallsBack(tx)} order by a.last_routed_at nulls first, a.id limit 1
      ) next
      where c.site_id = ${tx.site.id} and c.status = 'waiting' and c.closes_at is null and c.snoozed_until is null
        and c.spam_at is null
      order by c.waiting_since, c.id limit 1 for update of c skip locked
    ), agent as (
      update agents set last_routed_at = ${tx.now()} from chat
      where agents.site_id = ${tx.site.id} and agents.id = chat.agent_id
      returning agents.id, agents.name
    )
    update conversations c set status = 'active', agent_id = agent.id, waiting_since = null
    from chat, agent where c.site_id = ${tx.site.id} and c.id = chat.id
    returning c.id, c.session_id, c.agent_id, agent.name as agent_name`.execute(tx.db);
  return rows[0];
}

/** @returns whether a chat was assigned */
function routeOne(ctx: SiteContext): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    await lockSite(tx);
    const given = await giveNext(tx);
    if (!given) return false;
    const { session_id: sessionId, agent_id: id, agent_name: name } = given;
    await acceptHandoff(tx, given.id, id);
    await settleChats(tx, [given.id], id);
    await notify(tx, { kind: 'chat_assigned', agentIds: [id], conversationId: given.id });
    await announce(tx, sessionId, 'agent_joined', `${name} joined the chat.`, { id, name });
    const webhook = movedEvent(tx, await getSession(tx, sessionId), null, { id, name });
    await tx.emit({ notices: [{ kind: 'session', sessionId }], ...(webhook && { webhook }) });
    return true;
  });
}

/** Assigns waiting chats until none is left or no agent has capacity. */
export async function routeWaiting(ctx: SiteContext): Promise<void> {
  if ((await ctx.services.presence.onlineAgents(ctx.site.id)).length === 0) return;
  while (await routeOne(ctx));
}
