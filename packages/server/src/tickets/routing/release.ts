import { type RawBuilder, sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { job } from '../../core/job.ts';
import { changeTicket } from '../changes.ts';
import { ticketsOfIds } from '../tickets.ts';

/** Tickets per transaction, so that the locks are short. */
const BATCH = 50;

/** Which tickets (as `t`) of an agent are unassigned, and why. */
interface Release {
  action: 'agent_removed' | 'left_team';
  which: RawBuilder<unknown>;
}

/** @returns how many there were */
async function releaseBatch(ctx: SiteContext, agentId: number, { action, which }: Release): Promise<number> {
  return ctx.transaction(async (tx) => {
    const { rows } = await sql<{ id: number }>`
      select t.id from tickets t
      where t.site_id = ${tx.site.id} and t.assignee_key = ${agentId} and t.status not in ('solved', 'closed')
        and ${which}
      order by t.id limit ${BATCH} for update`.execute(tx.db);
    const tickets = await ticketsOfIds(
      tx,
      rows.map(({ id }) => id),
    );
    for (const ticket of tickets) await changeTicket(tx, ticket, { assignee_id: null }, { action });
    return tickets.length;
  });
}

async function release(ctx: SiteContext, agentId: number, tickets: Release): Promise<void> {
  while ((await releaseBatch(ctx, agentId, tickets)) === BATCH);
}

export const releaseTickets = job({
  name: 'tickets.release',
  // Solved tickets stay assigned to the agent.
  run: (ctx, { agent_id }) => release(ctx, agent_id, { action: 'agent_removed', which: sql`true` }),
});

/** If agents take tickets themselves, nobody would take these over: they stay with the agent who left the team. */
export const leaveTeam = job({
  name: 'tickets.leave_team',
  run: (ctx, { agent_id, team_id }) =>
    release(ctx, agent_id, {
      action: 'left_team',
      which: sql`t.team_id = ${team_id} and t.unanswered_since is not null and t.spam_at is null and exists (
        select from teams m join sites s on s.id = m.site_id
        where m.site_id = t.site_id and m.id = t.team_id and m.archived_at is null
          and coalesce(m.ticket_routing, s.ticket_routing) <> 'manual'
          and not exists (select from team_members tm
            where tm.site_id = m.site_id and tm.team_id = m.id and tm.agent_id = ${agent_id}))`,
    }),
});
