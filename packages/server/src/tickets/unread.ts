import { sql } from 'kysely';
import type { SiteContext } from '../core/context.ts';
import { getTicketRow, lockTicket, type TicketRow } from './tickets.ts';

const tell = (tx: SiteContext, ticketId: number): Promise<void> =>
  tx.emit({ notices: [{ kind: 'ticket', ticketId }], counts: false });

/**
 * Somebody of the team has opened a ticket.
 * @param seen the last reply that its page showed, 0 for none: what the requester has written since is still unread
 * @throws AppError 404
 */
export async function markTicketRead(ctx: SiteContext, id: number, seen: number): Promise<void> {
  // Most tickets that are opened are read already: none of them is locked.
  if ((await getTicketRow(ctx, id)).unread_since === null) return;
  await ctx.transaction(async (tx) => {
    // An answer that comes in this moment waits for the lock, or is seen by the statement behind it.
    await lockTicket(tx, id);
    const { rows } = await sql`
      update tickets t set unread_since = null
      where t.site_id = ${tx.site.id} and t.id = ${id} and t.unread_since is not null and not exists (
        select from ticket_replies r
        where r.site_id = t.site_id and r.ticket_id = t.id and r.id > ${seen} and r.author_type = 'requester'
      ) returning t.id`.execute(tx.db);
    if (rows.length > 0) await tell(tx, id);
  });
}

/** To come back to it: to the whole team it is as if nobody had opened it. @throws AppError 404 */
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
