import { sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import type { RecurringJob } from '../../jobs/schedule.ts';
import { sitesWithDue } from '../../jobs/sites-with-due.ts';
import { ticketsOfIds } from '../tickets.ts';
import { renewTicketSla } from './ticket-sla.ts';

const LOOK_EVERY_MS = 1_000;
const BATCH = 100;

/** @returns how many were due. Concurrent processes handle different tickets; one that is being changed waits. */
const runBatch = (ctx: SiteContext): Promise<number> =>
  ctx.transaction(async (tx) => {
    const { rows } = await sql<{ id: number }>`
      select id from tickets where site_id = ${tx.site.id} and sla_event_at <= ${tx.now()}
      order by sla_event_at limit ${BATCH} for update skip locked`.execute(tx.db);
    const due = await ticketsOfIds(
      tx,
      rows.map(({ id }) => id),
    );
    for (const row of due) await renewTicketSla(tx, row);
    return rows.length;
  });

/** Warns about tickets that are nearly due, and reports those that are late. */
export const ticketSlaClock: RecurringJob = {
  name: 'tickets.sla',
  everyMs: LOOK_EVERY_MS,
  due: (db, now, limit) =>
    sitesWithDue(
      db,
      { table: 'tickets', since: sql`sla_event_at`, isDue: sql`sla_event_at <= ${now}` },
      limit,
    ),
  async run(ctx) {
    while ((await runBatch(ctx)) === BATCH);
  },
};
