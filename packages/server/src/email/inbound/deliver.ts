import type { ReplyAuthor } from '@foyer/protocol';
import type { SiteContext } from '../../core/context.ts';
import { copiesAmong } from '../../mail/mailboxes/copies.ts';
import { escapeMarkdown } from '../../text/plain-text.ts';
import { addReply } from '../../tickets/replies/replies.ts';
import { markTicketIfBlocked } from '../../tickets/spam.ts';
import type { TicketRow } from '../../tickets/tickets.ts';
import { contentOf } from '../reading/content.ts';
import type { Known } from './known.ts';
import type { Incoming, Outcome } from './received.ts';
import { recordMails } from './record-mails.ts';
import { type Sender, senderOf } from './sender.ts';

/** Acts as the requester of a ticket, unverified, because an address proves no person. */
export const asVisitor = (tx: SiteContext, visitorId: number | null): SiteContext =>
  tx.as({ kind: 'visitor', visitorId, deviceId: null, verified: false });

const authorOf = (sender: Sender): ReplyAuthor => {
  switch (sender.kind) {
    case 'requester':
      return { type: 'requester', id: null, name: '' };
    case 'agent':
      return { type: 'agent', id: sender.agent.agentId, name: sender.agent.name };
    case 'participant':
      return { type: 'participant', id: null, name: sender.person.name ?? sender.person.address };
  }
};

/** The context in which the sender's reply is stored: Foyer doesn't know who a participant is. */
const actingAs = (tx: SiteContext, sender: Sender, ticket: TicketRow): SiteContext => {
  if (sender.kind === 'agent') return tx.as(sender.agent);
  return sender.kind === 'requester' ? asVisitor(tx, ticket.requester_id) : tx;
};

/** The thread continues with the newest recipients, and the requester's newest subject. */
async function continueThread(
  tx: SiteContext,
  incoming: Incoming,
  ticket: TicketRow,
  { sender, known }: { sender: Sender; known: Known },
): Promise<void> {
  if (sender.kind === 'agent') return;
  const { mail, mailbox } = incoming;
  const from = sender.kind === 'participant' ? [sender.person] : [];
  const people = [...from, ...mail.to, ...mail.cc];
  const copies = copiesAmong(tx, known.mailboxes, people, [ticket.requester_email ?? '']);
  const subject = sender.kind === 'requester' && mail.subject !== '' ? mail.subject : ticket.mail_subject;
  await tx.db
    .updateTable('tickets')
    .set({ mailbox_id: mailbox.id, cc_list: JSON.stringify(copies), mail_subject: subject })
    .where('site_id', '=', tx.site.id)
    .where('id', '=', ticket.id)
    .execute();
}

/** Adds a mail to the ticket that it continues; of a closed one, to its follow-up. */
export async function replyToThread(
  tx: SiteContext,
  ticket: TicketRow,
  incoming: Incoming,
  { known, isAutomatic }: { known: Known; isAutomatic: boolean },
): Promise<Outcome> {
  const sender = await senderOf(tx, ticket, incoming);
  const content = contentOf(incoming);
  const isByTeam = sender.kind === 'agent';
  // The team can't write in a closed ticket: this keeps its mail there, for the team.
  const isKept = isByTeam && ticket.status === 'closed';
  const isJudged = !isByTeam && incoming.received.accepted_at === null;
  const text = `${incoming.mail.subject}\n${content.body}`;
  const shown = isJudged ? await markTicketIfBlocked(tx, ticket, { text }) : ticket;
  const { reply, row } = await addReply(actingAs(tx, sender, ticket), shown, {
    type: isKept ? 'note' : 'public',
    // An agent's reply is shown as markdown.
    body: isByTeam ? content.body.split('\n').map(escapeMarkdown).join('\n') : content.body,
    author: authorOf(sender),
    participant: sender.kind === 'participant' ? sender.person : undefined,
    attachments: content.files,
    // Mail programs add their own.
    signed: false,
    isAutomatic: isAutomatic && !isByTeam,
    channel: 'email',
  });
  // A mailed reply of an agent is recorded by its outgoing mail.
  const isSent = isByTeam && reply.delivery === 'queued';
  if (!isSent) await recordMails(tx, [{ incoming, content, ticketId: row.id, replyId: reply.id }]);
  if (!isAutomatic) await continueThread(tx, incoming, row, { sender, known });
  return {
    state: 'reply',
    ticketId: row.id,
    replyId: reply.id,
    ...(isKept ? { reason: 'ticket_closed' } : isAutomatic ? { reason: 'automatic' } : {}),
  };
}
