import type { Agent, ChosenPresence, Role } from '@foyer/protocol';
import { sql } from 'kysely';
import { agentActor } from '../../core/actor.ts';
import type { SiteContext } from '../../core/context.ts';
import type { Db } from '../../db/database.ts';
import { getAgent } from './agents.ts';

/** What the sockets of an agent must go by. */
interface Standing {
  role: Role;
  presence: ChosenPresence;
}

/**
 * The agents of a site as they are now: after a notice of kind `agents` it tells which sockets, whose rights were fixed
 * at the handshake, are to be closed, and who has chosen to be away.
 */
export async function standingOfAgents(db: Db, siteId: number): Promise<Map<number, Standing>> {
  const rows = await db
    .selectFrom('agents')
    .innerJoin('sites', 'sites.id', 'agents.site_id')
    .innerJoin('auth_users', 'auth_users.id', 'agents.user_id')
    .select(['agents.id', 'agents.role', 'agents.presence'])
    .where('agents.site_id', '=', siteId)
    .where('agents.removed_at', 'is', null)
    // Who has yet to set up the code that the site wants has no socket either.
    .where((where) =>
      where.or([
        where('sites.two_factor_required_at', 'is', null),
        where('auth_users.two_factor_enabled', '=', true),
      ]),
    )
    .execute();
  return new Map(rows.map(({ id, ...standing }) => [id, standing]));
}

/** An agent says what they are while their desk is open; remembered until they say otherwise. */
export async function choosePresence(ctx: SiteContext, presence: ChosenPresence): Promise<void> {
  const { agentId } = agentActor(ctx);
  await ctx.transaction(async (tx) => {
    await tx.db
      .updateTable('agents')
      .set({ presence })
      .where('site_id', '=', tx.site.id)
      .where('id', '=', agentId)
      .execute();
    await tx.emit({ notices: [{ kind: 'agents' }] });
  });
}

export function setChatLimit(ctx: SiteContext, id: number, limit: number): Promise<Agent> {
  return ctx.transaction(async (tx) => {
    const before = await getAgent(tx, id);
    await tx.db
      .updateTable('agents')
      .set({ chat_limit: limit })
      .where('site_id', '=', tx.site.id)
      .where('id', '=', id)
      .execute();
    return { ...before, chat_limit: limit };
  });
}

/** Keeps when these agents were last seen at work; theirs are the chats that are not given back. */
export async function noteAtDesk(
  db: Db,
  seats: readonly { siteId: number; agentId: number }[],
  now: Date,
): Promise<void> {
  await sql`
    update agents a set at_desk_at = ${now}
    from unnest(${seats.map(({ siteId }) => siteId)}::bigint[], ${seats.map(({ agentId }) => agentId)}::bigint[])
      as seat (site_id, id)
    where a.site_id = seat.site_id and a.id = seat.id and a.at_desk_at < ${now}`.execute(db);
}
