import type { ParsedInputOf, Ticket } from '@foyer/protocol';
import { sql } from 'kysely';
import { AppError, notFound } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { reportChange, writeTicket } from '../changes.ts';
import { insertTicket } from '../create.ts';
import { resolveRequester } from '../requester/requester.ts';
import { renewWords } from '../search/search.ts';
import { getTicketRow, lockTicket, presentTicket } from '../tickets.ts';

interface Message {
  author_type: string;
  participant_name: string | null;
  participant_address: string | null;
  subject: string | null;
}

async function lockMessage(tx: SiteContext, ticketId: number, replyId: number): Promise<Message> {
  const { rows } = await sql<Message>`
    select r.author_type, r.participant_name, r.participant_address, m.subject
    from ticket_replies r left join ticket_mails m on m.site_id = r.site_id and m.reply_id = r.id
    where r.site_id = ${tx.site.id} and r.ticket_id = ${ticketId} and r.id = ${replyId} and r.type = 'public'
    for update of r`.execute(tx.db);
  const [message] = rows;
  if (!message) throw notFound('reply');
  if (message.author_type === 'requester' || message.author_type === 'participant') return message;
  throw new AppError('conflict', 'Only a customer’s message can become a ticket of its own.', {
    reason: 'split_team',
  });
}

/** The message with its files and its mail, so that answers to that mail find the new ticket. */
async function move(tx: SiteContext, replyId: number, to: number): Promise<void> {
  const site = tx.site.id;
  await sql`
    update ticket_replies set ticket_id = ${to}, author_type = 'requester', participant_name = null,
      participant_address = null
    where site_id = ${site} and id = ${replyId}`.execute(tx.db);
  await sql`update ticket_mails set ticket_id = ${to} where site_id = ${site} and reply_id = ${replyId}`.execute(
    tx.db,
  );
  await sql`
    update received_mails set ticket_id = ${to} where site_id = ${site} and reply_id = ${replyId}`.execute(
    tx.db,
  );
}

/**
 * Moves a message into a ticket of its own, whose requester is its author.
 * @throws AppError 404, and 409 for a message of the team
 */
export function splitTicket(
  ctx: SiteContext,
  { ticket_id, reply_id, subject }: ParsedInputOf<'tickets.split'>,
): Promise<Ticket> {
  return ctx.transaction(async (tx) => {
    const row = await lockTicket(tx, ticket_id);
    const message = await lockMessage(tx, ticket_id, reply_id);
    const { participant_address: email, participant_name: name } = message;
    const requester =
      email === null
        ? { id: row.requester_id, ownEmail: row.own_email }
        : await resolveRequester(tx, { email, name });
    const made = await insertTicket(tx, {
      subject: subject ?? message.subject ?? row.subject,
      description: '',
      requesterId: requester.id,
      requesterEmail: requester.ownEmail,
      priority: row.priority,
      tags: row.tags,
      mail: { mailbox_id: row.mailbox_id, cc_list: [], mail_subject: message.subject },
    });
    await move(tx, reply_id, made.id);
    await renewWords(tx, ticket_id);
    await renewWords(tx, made.id);
    const after = await writeTicket(tx, row, { reply_count: row.reply_count - 1 });
    await writeTicket(tx, made, { reply_count: 1 });
    await tx.emit({
      audit: { subject: 'ticket', subjectId: ticket_id, action: 'split' },
      notices: [
        { kind: 'ticket', ticketId: ticket_id },
        { kind: 'ticket', ticketId: made.id },
      ],
    });
    await reportChange(tx, row, after);
    return presentTicket(await getTicketRow(tx, made.id));
  });
}
