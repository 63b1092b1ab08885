import type { Agent, ChosenPresence, Role } from '@foyer/protocol';
import type { Permission } from '@foyer/protocol/values/sign-in/permissions';
import { sql } from 'kysely';
import { agentActor } from '../../core/actor.ts';
import type { SiteContext } from '../../core/context.ts';
import type { Db } from '../../db/database.ts';
import { getAgent } from './agents.ts';

/** What an agent's sockets must comply with. */
interface Standing {
  role: Role;
  /** Those of a custom role. */
  permissions: Permission[] | null;
  presence: ChosenPresence;
  /** The only sign-ins that may have sockets; null: all. */
  signIns: string[] | null;
}

/**
 * The agents of a site now. After a notice of kind `agents`, it decides which sockets to close, because their rights
 * were fixed at the handshake, and who is away.
 */
export async function standingOfAgents(db: Db, siteId: number): Promise<Map<number, Standing>> {
  const rows = await db
    .selectFrom('agents')
    .innerJoin('sites', 'sites.id', 'agents.site_id')
    .innerJoin('auth_users', 'auth_users.id', 'agents.user_id')
    .leftJoin('roles', (join) =>
      join.onRef('roles.site_id', '=', 'agents.site_id').onRef('roles.id', '=', 'agents.custom_role_id'),
    )
    .select(['agents.id', 'agents.role', 'agents.presence', 'roles.permissions'])
    // An agent who must set up two-factor sign-in first has no sockets either, except through a provider that counts
    // as a second factor.
    .select(
      sql<
        string[] | null
      >`case when sites.two_factor_required_at is not null and not auth_users.two_factor_enabled
        then array(
          select s.id from auth_sessions s
          join identity_providers p on p.site_id = s.site_id and p.id = s.provider_id
          where s.user_id = agents.user_id and s.site_id = agents.site_id
            and p.disabled_at is null and not p.asks_code) end`.as('signIns'),
    )
    .where('agents.site_id', '=', siteId)
    .where('agents.removed_at', 'is', null)
    .execute();
  return new Map(rows.map(({ id, ...standing }) => [id, standing]));
}

/** Sets an agent's presence while their desk is open; it is kept until they change it. */
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

/** How many chats or tickets routing assigns to an agent at a time; those above it stay theirs. @throws AppError 404 */
export function setLimit(
  ctx: SiteContext,
  { id, ...limit }: { id: number; chat_limit: number } | { id: number; ticket_limit: number },
): Promise<Agent> {
  return ctx.transaction(async (tx) => {
    const before = await getAgent(tx, id);
    await tx.db
      .updateTable('agents')
      .set(limit)
      .where('site_id', '=', tx.site.id)
      .where('id', '=', id)
      .execute();
    return { ...before, ...limit };
  });
}

/** Records when these agents were last at their desk; their chats are not returned to the queue. */
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
