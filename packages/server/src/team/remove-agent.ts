import { releaseChatsOf } from '../conversations/routing/release.ts';
import type { SiteContext } from '../core/context.ts';
import { markRemoved } from '../sites/agents/agents.ts';
import { deletePrivateOf } from '../sites/teams/visibility.ts';

/**
 * Removes an agent from the site. Their open chats wait for the team at once; a job unassigns their open tickets.
 * Their private macros and views are deleted; what they shared stays.
 * @throws AppError like `markRemoved`
 */
export function removeAgent(ctx: SiteContext, id: number): Promise<{ id: number; deleted: true }> {
  return ctx.transaction(async (tx) => {
    await markRemoved(tx, id);
    await releaseChatsOf(tx, id);
    await deletePrivateOf(tx, id);
    await tx.enqueue('tickets.release', { agent_id: id });
    await tx.emit({ notices: [{ kind: 'agents' }] });
    return { id, deleted: true };
  });
}
