import { sql } from 'kysely';
import { renewChats } from '../../conversations/sla/renew-chats.ts';
import type { SiteContext } from '../../core/context.ts';
import { job } from '../../core/job.ts';
import type { JobData } from '../../core/job-data.ts';
import { waitForOlderTransactions } from '../../db/transactions/older-transactions.ts';
import { ticketsOfIds } from '../tickets.ts';
import { slaOfTicket, writeTicketSla } from './ticket-sla.ts';

/** Per transaction, so that the locks are short. */
const BATCH = 100;
/** The job hands over to the next of its kind well before it would count as stuck (jobs/queue.ts). */
const TURN_MS = 20_000;

/**
 * Computes the due times of the next tickets that aren't solved. Those that are late by the new times are marked, but
 * not reported: nobody could have prevented it.
 * @returns the last one's id; undefined after the last
 */
const renewTickets = (ctx: SiteContext, after: number): Promise<number | undefined> =>
  ctx.transaction(async (tx) => {
    const { rows } = await sql<{ id: number }>`
      select id from tickets
      where site_id = ${tx.site.id} and id > ${after}
        and (status in ('new', 'open', 'pending', 'hold') or sla_due_at is not null)
      order by id limit ${BATCH} for update`.execute(tx.db);
    for (const row of await ticketsOfIds(
      tx,
      rows.map(({ id }) => id),
    )) {
      const result = await slaOfTicket(tx, row, tx.now());
      if (result) await writeTicketSla(tx, row, result.columns);
    }
    return rows.at(-1)?.id;
  });

/** After all transactions that may still use the old policies have ended. A killed run starts over. */
async function renewAll(ctx: SiteContext, { after_ticket, after_chat }: JobData<'sla.renew'>): Promise<void> {
  if (after_ticket === undefined && after_chat === undefined) await waitForOlderTransactions(ctx.db);
  const end = performance.now() + TURN_MS;
  const { id: site } = ctx.site;
  let ticket: number | undefined = after_chat === undefined ? (after_ticket ?? 0) : undefined;
  while (ticket !== undefined) {
    ticket = await renewTickets(ctx, ticket);
    if (ticket !== undefined && performance.now() > end)
      return ctx.enqueue('sla.renew', { after_ticket: ticket }, { key: `${site}:${ticket}` });
  }
  let chat: number | undefined = after_chat ?? 0;
  while (chat !== undefined) {
    chat = await renewChats(ctx, chat);
    if (chat !== undefined && performance.now() > end)
      return ctx.enqueue('sla.renew', { after_chat: chat }, { key: `${site}:chat:${chat}` });
  }
  await ctx.emit({ notices: [{ kind: 'lists' }] });
}

export const slaJobs = [job({ name: 'sla.renew', run: renewAll })];
