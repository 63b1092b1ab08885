import type { SpamMark } from '@foyer/protocol';
import { sql } from 'kysely';
import { presentSpam } from '../conversations/spam/mark.ts';
import { markerOf, reportSpam } from '../conversations/spam/mark-chat.ts';
import type { SiteContext } from '../core/context.ts';
import { notify, settle } from '../notifications/notify.ts';
import { findBlock, reasonOf } from '../sites/blocks/find-block.ts';
import type { Suspect } from '../sites/blocks/rules.ts';
import { renewTicketSla } from './sla/ticket-sla.ts';
import { getTicketRow, lockTicket, type TicketRow } from './tickets.ts';

/**
 * Marks a locked ticket as spam or as not spam. Marked, it is only in the queue Spam: nobody is notified of it, and
 * reports don't count it. Its requester doesn't notice.
 */
export async function setTicketSpam(
  tx: SiteContext,
  row: TicketRow,
  reason: SpamMark['reason'] | null,
): Promise<TicketRow> {
  if ((row.spam_at === null) === (reason === null)) return row;
  const { id } = row;
  await tx.db
    .updateTable('tickets')
    .set(
      reason === null
        ? { spam_at: null, spam_by: null, spam_reason: null }
        : { spam_at: tx.now(), spam_by: markerOf(tx), spam_reason: reason },
    )
    .where('site_id', '=', tx.site.id)
    .where('id', '=', id)
    .execute();
  if (reason !== null) await settle(tx, sql`n.ticket_id = ${id}`);
  else if (row.assignee_id !== null && row.unread_since !== null)
    await notify(tx, { kind: 'ticket_reply', agentIds: [row.assignee_id], ticketId: id });
  await tx.emit({
    audit: {
      subject: 'ticket',
      subjectId: id,
      action: reason === null ? 'unmarked_spam' : 'marked_spam',
    },
    notices: [{ kind: 'ticket', ticketId: id }],
  });
  const after = await renewTicketSla(tx, await getTicketRow(tx, id));
  await reportSpam(tx, { session_id: row.session_id, ticket_id: id }, presentSpam(after));
  return after;
}

/** @throws AppError 404 */
export const markTicket = (ctx: SiteContext, id: number, isSpam: boolean): Promise<TicketRow> =>
  ctx.transaction(async (tx) => setTicketSpam(tx, await lockTicket(tx, id), isSpam ? 'team' : null));

/**
 * Marks a locked ticket as spam if its sender or what they write now is blocked. A phrase counts only until the team
 * has taken the ticket: then somebody decides.
 */
export async function markTicketIfBlocked(
  tx: SiteContext,
  row: TicketRow,
  suspect: Omit<Suspect, 'caller'>,
): Promise<TicketRow> {
  if (row.spam_at !== null) return row;
  const { text, ...who } = suspect;
  const block = await findBlock(tx, row.status === 'new' ? suspect : who);
  return block ? setTicketSpam(tx, row, reasonOf(block)) : row;
}
