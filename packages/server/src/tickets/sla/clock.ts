import { sql } from 'kysely';
import type { RecurringJob } from '../../jobs/schedule.ts';
import { sitesWithDue } from '../../jobs/sites-with-due.ts';
import { type DueRecords, settleDueRecords } from '../../sla/settle-due.ts';
import { ticketsOfIds } from '../tickets.ts';
import { renewTicketSla } from './ticket-sla.ts';

const LOOK_EVERY_MS = 1_000;

const dueTickets: DueRecords = {
  name: 'ticket',
  async lock(tx, { limit, only }) {
    const { rows } = await sql<{ id: number }>`
      select id from tickets where site_id = ${tx.site.id} and sla_event_at <= ${tx.now()}
        ${only === undefined ? sql`` : sql`and id = ${only}`}
      order by sla_event_at limit ${limit} for update skip locked`.execute(tx.db);
    return rows.map(({ id }) => id);
  },
  async settle(tx, ids) {
    for (const row of await ticketsOfIds(tx, ids)) await renewTicketSla(tx, row);
  },
  async putOff({ db, site }, id, until) {
    await sql`
      update tickets set sla_event_at = ${until}
      where site_id = ${site.id} and id = ${id} and sla_event_at < ${until}`.execute(db);
  },
};

/** Warns about tickets that are nearly due, and reports those that are late. */
export const ticketSlaClock: RecurringJob = {
  name: 'tickets.sla',
  everyMs: LOOK_EVERY_MS,
  due: (look) =>
    sitesWithDue(
      { table: 'tickets', since: sql`sla_event_at`, isDue: sql`sla_event_at <= ${look.now}` },
      look,
    ),
  run: (ctx) => settleDueRecords(ctx, dueTickets),
};
