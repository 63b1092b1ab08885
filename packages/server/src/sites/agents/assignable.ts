import type { Role } from '@foyer/protocol';
import { notFound } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';

/** Whether all of these ids are current agents of the site. Removed agents don't count. */
export async function areAgents({ db, site }: SiteContext, ids: readonly number[]): Promise<boolean> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return true;
  const rows = await db
    .selectFrom('agents')
    .select('id')
    .where('site_id', '=', site.id)
    .where('id', 'in', wanted)
    .where('removed_at', 'is', null)
    .execute();
  return rows.length === wanted.length;
}

const presentAgent = ({ db, site }: SiteContext, id: number) =>
  db
    .selectFrom('agents')
    .select(['id', 'name'])
    .where('site_id', '=', site.id)
    .where('id', '=', id)
    .where('removed_at', 'is', null);

/**
 * The agent to assign work to.
 * @throws AppError 404 for an unknown id and for a removed agent
 */
export const assignableAgent = (ctx: SiteContext, id: number): Promise<{ id: number; name: string }> =>
  presentAgent(ctx, id).executeTakeFirstOrThrow(() => notFound('agent'));

/** The same with their role, to act in their name. @throws AppError 404 */
export const actingAgent = (
  ctx: SiteContext,
  id: number,
): Promise<{ id: number; name: string; role: Role }> =>
  presentAgent(ctx, id)
    .select('role')
    .executeTakeFirstOrThrow(() => notFound('agent'));

/**
 * Like `assignableAgent`, and prevents the agent's removal until the caller's transaction ends: a removal unassigns
 * the agent's chats in its own transaction and would miss one that is being assigned.
 */
export const holdAgent = (tx: SiteContext, id: number): Promise<{ id: number; name: string }> =>
  presentAgent(tx, id)
    .forShare()
    .executeTakeFirstOrThrow(() => notFound('agent'));
