import { sql } from 'kysely';
import { notFound } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { areAgents } from '../agents/assignable.ts';

/**
 * Replaces a team's members, under the site's lock, which a removal of an agent takes too: no removed agent stays a
 * member.
 * @throws AppError 404 for somebody who isn't an agent of the site
 */
export async function setMembers(
  tx: SiteContext,
  teamId: number,
  agentIds: readonly number[],
): Promise<void> {
  if (!(await areAgents(tx, agentIds))) throw notFound('agent');
  const { rows: gone } = await sql<{ agent_id: number }>`
    delete from team_members
    where site_id = ${tx.site.id} and team_id = ${teamId} and agent_id <> all (${agentIds}::bigint[])
    returning agent_id`.execute(tx.db);
  for (const { agent_id } of gone) await tx.enqueue('tickets.leave_team', { agent_id, team_id: teamId });
  await sql`
    insert into team_members (site_id, team_id, agent_id, joined_at)
    select ${tx.site.id}, ${teamId}, wanted.id, ${tx.now()} from unnest(${agentIds}::bigint[]) as wanted (id)
    on conflict do nothing`.execute(tx.db);
}

/** Removes a departing agent from all teams. A team whose lead they were has none until somebody sets one. */
export async function leaveTeams(tx: SiteContext, agentId: number): Promise<void> {
  await sql`
    with led as (
      update teams set lead_id = null, updated_at = ${tx.now()} where site_id = ${tx.site.id} and lead_id = ${agentId}
    )
    delete from team_members where site_id = ${tx.site.id} and agent_id = ${agentId}`.execute(tx.db);
}
