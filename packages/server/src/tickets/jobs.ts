import { sql } from 'kysely';
import type { SiteContext } from '../core/context.ts';
import { job } from '../core/job.ts';
import { changeTicket } from './changes.ts';
import { actionMailJobs } from './macros/action-mail.ts';
import { indexFields } from './search/field-index.ts';
import { slaJobs } from './sla/renew-all.ts';
import { ticketsOfIds } from './tickets.ts';

/** Tickets per transaction, so that the locks are short. */
const BATCH = 50;

/** @returns how many there were */
async function releaseBatch(ctx: SiteContext, agentId: number): Promise<number> {
  return ctx.transaction(async (tx) => {
    const { rows } = await sql<{ id: number }>`
      select id from tickets
      where site_id = ${tx.site.id} and assignee_key = ${agentId} and status not in ('solved', 'closed')
      order by id limit ${BATCH} for update`.execute(tx.db);
    const tickets = await ticketsOfIds(
      tx,
      rows.map(({ id }) => id),
    );
    for (const ticket of tickets) await changeTicket(tx, ticket, { assignee_id: null });
    return tickets.length;
  });
}

export const releaseTickets = job({
  name: 'tickets.release',
  // Solved tickets stay assigned to the agent.
  async run(ctx, { agent_id }) {
    while ((await releaseBatch(ctx, agent_id)) === BATCH);
  },
});

export const ticketJobs = [releaseTickets, indexFields, ...slaJobs, ...actionMailJobs];
