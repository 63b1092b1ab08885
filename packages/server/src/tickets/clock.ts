import { CLOSE_AFTER_DAYS } from '@foyer/protocol';
import { DAY_MS, MINUTE_MS } from '@foyer/protocol/values/durations';
import { type RawBuilder, sql } from 'kysely';
import type { SiteContext } from '../core/context.ts';
import { triggerRules } from '../core/rules/rule-events.ts';
import type { RecurringJob } from '../jobs/schedule.ts';
import { sitesWithDue } from '../jobs/sites-with-due.ts';
import { reportChange } from './changes.ts';
import { ticketRoutingClock } from './routing/route-tickets.ts';
import { ticketSlaClock } from './sla/clock.ts';
import { renewTicketSla } from './sla/ticket-sla.ts';
import { settled, woken } from './states.ts';
import { type TicketRow, ticketsOfIds } from './tickets.ts';

const WAKE_EVERY_MS = 1_000;
const CLOSE_EVERY_MS = MINUTE_MS;
/** Tickets per transaction: a thousand snoozes that end at nine o'clock take ten commits. */
const BATCH = 100;

interface Clockwork {
  name: string;
  everyMs: number;
  /** The condition on a ticket; an index must support it. */
  isDue(now: Date): RawBuilder<boolean>;
  /** The column with the due time. */
  since: RawBuilder<unknown>;
  next(row: TicketRow, now: Date): TicketRow;
  action: string;
}

/** Locks a batch of due tickets. One that is being changed right now is left for the next run. */
async function lockDue(tx: SiteContext, { isDue, since }: Clockwork, now: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from tickets where site_id = ${tx.site.id} and ${isDue(now)}
    order by ${since} limit ${BATCH} for update skip locked`.execute(tx.db);
  return rows.map(({ id }) => id);
}

/** @returns how many were due. Concurrent processes handle different tickets. */
async function runBatch(ctx: SiteContext, clockwork: Clockwork): Promise<number> {
  return ctx.transaction(async (tx) => {
    const now = tx.now();
    const ids = await lockDue(tx, clockwork, now);
    if (ids.length === 0) return 0;
    const before = await ticketsOfIds(tx, ids);
    const after = before.map((row) => ({ ...clockwork.next(row, now), updated_at: now }));
    await sql`
      update tickets t set status = n.status, solved_at = n.solved_at, unread_since = n.unread_since, snoozed_until = null,
        updated_at = ${now}
      from unnest(${after.map(({ id }) => id)}::bigint[], ${after.map(({ status }) => status)}::text[],
        ${after.map(({ solved_at }) => solved_at?.toISOString() ?? null)}::timestamptz[],
        ${after.map(({ unread_since }) => unread_since?.toISOString() ?? null)}::timestamptz[])
        as n (id, status, solved_at, unread_since)
      where t.site_id = ${tx.site.id} and t.id = n.id`.execute(tx.db);
    for (const [at, row] of before.entries()) {
      const woken = await renewTicketSla(tx, after[at] ?? row);
      await reportChange(tx, row, woken, { action: clockwork.action });
      if (row.snoozed_until && !woken.snoozed_until)
        await triggerRules(tx, { event: 'snooze_over', ticketId: row.id, sessionId: null, details: {} });
    }
    return ids.length;
  });
}

function recurring(clockwork: Clockwork): RecurringJob {
  return {
    name: clockwork.name,
    everyMs: clockwork.everyMs,
    due: (look) =>
      sitesWithDue({ table: 'tickets', since: clockwork.since, isDue: clockwork.isDue(look.now) }, look),
    async run(ctx) {
      while ((await runBatch(ctx, clockwork)) === BATCH);
    },
  };
}

/** Changes of tickets that are due to time: `docs/contract/decisions.md#ticket-states`. */
export const ticketClock: RecurringJob[] = [
  recurring({
    name: 'tickets.wake',
    everyMs: WAKE_EVERY_MS,
    isDue: (now) => sql`snoozed_until <= ${now}`,
    since: sql`snoozed_until`,
    // Unread, so that the agent who snoozed it sees it.
    next: (row, now) => ({
      ...row,
      status: woken(row.status),
      snoozed_until: null,
      unread_since: row.unread_since ?? now,
    }),
    action: 'woken',
  }),
  recurring({
    name: 'tickets.close',
    everyMs: CLOSE_EVERY_MS,
    isDue: (now) =>
      sql`status = 'solved' and solved_at <= ${new Date(now.getTime() - CLOSE_AFTER_DAYS * DAY_MS)}`,
    since: sql`solved_at`,
    next: (row, now) => ({ ...row, ...settled(row, 'closed', now) }),
    action: 'closed',
  }),
  ticketSlaClock,
  ticketRoutingClock,
];
