import { checkSnoozeTime } from '../conversations/snooze/snooze-times.ts';
import type { SiteContext } from '../core/context.ts';
import { reportChange, writeTicket } from './changes.ts';
import { checkSnooze, woken } from './states.ts';
import type { TicketRow } from './tickets.ts';

/**
 * Hides a locked ticket from the queues until then. Null wakes it as open; a ticket that isn't snoozed stays
 * unchanged.
 * @throws AppError 400 for a time in the past or too far ahead, 409 for a solved or closed ticket
 */
export async function snoozeTicket(tx: SiteContext, row: TicketRow, until: Date | null): Promise<TicketRow> {
  if (until === null) {
    if (row.snoozed_until === null) return row;
    const after = await writeTicket(tx, row, { snoozed_until: null, status: woken(row.status) });
    await reportChange(tx, row, after, { action: 'woken' });
    return after;
  }
  checkSnoozeTime(tx.now(), until);
  checkSnooze(row.status);
  if (row.snoozed_until?.getTime() === until.getTime()) return row;
  const after = await writeTicket(tx, row, { snoozed_until: until });
  await reportChange(tx, row, after, { action: 'snoozed' });
  return after;
}
