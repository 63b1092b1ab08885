import { sql } from 'kysely';
import type { SiteContext } from '../core/context.ts';
import { getTicketRow, lockTicket, type TicketRow } from './tickets.ts';

const tell = (tx: SiteContext, ticketId: number): Promise<void> =>
  tx.emit({ notices: [{ kind: 'ticket', ticketId }], counts: false });

/**
 * An agent has opened a ticket.
 * @param seen the last reply that the page showed, 0 for none: later replies from outside stay unread
 * @throws AppError 404
 */
export async function markTicketRead(ctx: SiteContext, id: number, seen: number): Promise<void> {
  // Most opened tickets are already read: they aren't locked.
  if ((await getTicketRow(ctx, id)).unread_since === null) return;
  await ctx.transaction(async (tx) => {
    // A reply arriving at this moment waits for the lock, or is seen by the next statement.
    await lockTicket(tx, id);
    const { rows } = await sql`
      update tickets t set unread_since = null
      where t.site_id = ${tx.site.id} and t.id = ${id} and t.unread_since is not null and not exists (
        select from ticket_replies r
        where r.site_id = t.site_id and r.ticket_id = t.id and r.id > ${seen}
          and r.author_type in ('requester', 'participant')
      ) returning t.id`.execute(tx.db);
    if (rows.length > 0) await tell(tx, id);
  });
}

/** Marks a ticket as unread for the whole team. @throws AppError 404 */
export function markTicketUnread(ctx: SiteContext, id: number): Promise<TicketRow> {
  return ctx.transaction(async (tx) => {
    const row = await lockTicket(tx, id);
    if (row.unread_since !== null) return row;
    const unread_since = tx.now();
    await tx.db
      .updateTable('tickets')
      .set({ unread_since })
      .where('site_id', '=', tx.site.id)
      .where('id', '=', id)
      .execute();
    await tell(tx, id);
    return { ...row, unread_since };
  });
}
