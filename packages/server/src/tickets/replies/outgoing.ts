import type { MailPerson } from '@foyer/protocol';
import { sql } from 'kysely';
import { domainOf } from '../../base/email-address.ts';
import { AppError } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { copiesOf } from '../../mail/mailboxes/copies.ts';
import { findMailbox, senderAddressOf } from '../../mail/mailboxes/mailboxes.ts';
import { messageIdOf } from '../../mail/mailboxes/message-ids.ts';
import { answerSubject } from '../../mail/reply-mail.ts';
import type { TicketRow } from '../tickets.ts';

/** The recipients of copies of one reply. */
export interface Copies {
  /** Undefined: those who got one so far. */
  cc?: readonly MailPerson[] | undefined;
  bcc?: readonly MailPerson[] | undefined;
}

export type MailedTicket = Pick<
  TicketRow,
  | 'id'
  | 'subject'
  | 'description'
  | 'mail_subject'
  | 'mailbox_id'
  | 'cc_list'
  | 'requester_email'
  | 'requester_name'
>;

/** @throws AppError 409 for copies of a reply that isn't emailed from a mailbox */
export function checkCopies(
  { cc = [], bcc = [] }: Copies,
  mailboxId: number | null,
  isMailed: boolean,
): void {
  if (cc.length + bcc.length === 0) return;
  if (isMailed && mailboxId !== null) return;
  throw new AppError(
    'conflict',
    'Cc and Bcc need a mailbox: this ticket’s replies aren’t emailed from one.',
    {
      reason: 'copies_need_mailbox',
    },
  );
}

/** The first mail of a ticket that the team started has the subject as it is. */
function subjectOf({ mail_subject, subject, description }: MailedTicket, isFirst: boolean): string {
  return isFirst && description === '' && mail_subject === null
    ? subject
    : answerSubject(mail_subject ?? subject);
}

/**
 * Records the mail of a reply before its first attempt: its Message-ID, by which answers find the ticket, and its
 * recipients, who get the next replies too. Does nothing if it is recorded.
 */
export async function recordOutgoing(
  tx: SiteContext,
  ticket: MailedTicket,
  replyId: number,
  { cc = ticket.cc_list, bcc = [] }: Copies,
): Promise<void> {
  const { db, site, services } = tx;
  const mailbox = await findMailbox(tx, ticket.mailbox_id);
  const from = await senderAddressOf(tx, mailbox);
  if (from === undefined || ticket.requester_email === null) return;
  const requester = ticket.requester_email;
  const ccList = mailbox ? await copiesOf(tx, cc, [requester]) : [];
  const inCopy = ccList.map(({ address }) => address);
  const bccList = mailbox ? await copiesOf(tx, bcc, [requester, ...inCopy]) : [];
  const { rows } = await sql<{ has_mails: boolean }>`
    select exists (select from ticket_mails where site_id = ${site.id} and ticket_id = ${ticket.id}) as has_mails`.execute(
    db,
  );
  await db
    .insertInto('ticket_mails')
    .values({
      site_id: site.id,
      ticket_id: ticket.id,
      reply_id: replyId,
      mailbox_id: mailbox?.id ?? null,
      is_outgoing: true,
      message_id: `${messageIdOf(services, 'reply', site.id, replyId)}@${domainOf(from)}`,
      subject: subjectOf(ticket, !rows[0]?.has_mails),
      from_address: from,
      from_name: mailbox?.name ?? null,
      to_list: JSON.stringify([{ name: ticket.requester_name, address: ticket.requester_email }]),
      cc_list: JSON.stringify(ccList),
      bcc_list: JSON.stringify(bccList),
      created_at: tx.now(),
    })
    .onConflict((conflict) =>
      conflict.columns(['site_id', 'reply_id']).where('reply_id', 'is not', null).doNothing(),
    )
    .execute();
  if (mailbox && JSON.stringify(ccList) !== JSON.stringify(ticket.cc_list))
    await db
      .updateTable('tickets')
      .set({ cc_list: JSON.stringify(ccList) })
      .where('site_id', '=', site.id)
      .where('id', '=', ticket.id)
      .execute();
}
