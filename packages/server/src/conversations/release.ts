import type { SiteContext } from '../context.ts';

/** Gives the chats of an agent who leaves back to the team: their visitors wait for a person again. */
export async function releaseChatsOf(ctx: SiteContext, agentId: number): Promise<void> {
  const released = await ctx.db
    .updateTable('conversations')
    .set({ status: 'waiting', agent_id: null, waiting_since: ctx.now() })
    .where('site_id', '=', ctx.site.id)
    .where('agent_id', '=', agentId)
    .where('status', '=', 'active')
    .returning('session_id as sessionId')
    .execute();
  if (released.length === 0) return;
  await ctx.emit({ notices: released.map(({ sessionId }) => ({ kind: 'session', sessionId })) });
}
