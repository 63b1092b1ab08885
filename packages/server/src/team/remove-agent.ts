import { releaseChatsOf } from '../conversations/routing/release.ts';
import type { SiteContext } from '../core/context.ts';
import { markRemoved } from '../sites/agents/agents.ts';
import { deleteViewsOf } from '../tickets/views/view-rows.ts';

/**
 * Removes an agent from the site. Their open chats wait for the team at once; a job unassigns their open tickets.
 * Their private views are deleted; those they shared stay.
 * @throws AppError like `markRemoved`
 */
export function removeAgent(ctx: SiteContext, id: number): Promise<{ id: number; deleted: true }> {
  return ctx.transaction(async (tx) => {
    await markRemoved(tx, id);
    await releaseChatsOf(tx, id);
    await deleteViewsOf(tx, id);
    await tx.enqueue('tickets.release', { agent_id: id });
    await tx.emit({ notices: [{ kind: 'agents' }] });
    return { id, deleted: true };
  });
}
