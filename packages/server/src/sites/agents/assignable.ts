import { notFound } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';

/** Whether all of these ids are agents of the site today; a removed agent is not. */
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
 * The agent whom work can be assigned to.
 * @throws AppError 404 for an id that is unknown or belongs to an agent who was removed.
 */
export const assignableAgent = (ctx: SiteContext, id: number): Promise<{ id: number; name: string }> =>
  presentAgent(ctx, id).executeTakeFirstOrThrow(() => notFound('agent'));

/**
 * As `assignableAgent`, and until the caller's transaction ends nobody can remove the agent: a removal gives back the
 * agent's chats in its own transaction, and would not see the one that is given meanwhile.
 */
export const holdAgent = (tx: SiteContext, id: number): Promise<{ id: number; name: string }> =>
  presentAgent(tx, id)
    .forShare()
    .executeTakeFirstOrThrow(() => notFound('agent'));
