import type { ReplyAuthor } from '@foyer/protocol';
import { addAttachments } from '../../attachments/attachments.ts';
import { newMark } from '../../conversations/spam/blocked.ts';
import type { SiteContext } from '../../core/context.ts';
import { prepared } from '../../db/prepared.ts';
import { copiesAmong } from '../../mail/mailboxes/copies.ts';
import { areAgents } from '../../sites/agents/assignable.ts';
import { findBlock } from '../../sites/blocks/find-block.ts';
import { areTeams } from '../../sites/teams/assignable.ts';
import { escapeMarkdown } from '../../text/plain-text.ts';
import { insertTicket } from '../../tickets/create.ts';
import { addReply } from '../../tickets/replies/replies.ts';
import { resolveRequester } from '../../tickets/requester/requester.ts';
import { markTicketIfBlocked } from '../../tickets/spam.ts';
import type { TicketRow } from '../../tickets/tickets.ts';
import { type Content, contentOf, subjectOf } from '../reading/content.ts';
import type { Known } from './known.ts';
import type { Incoming, Outcome } from './received.ts';
import { type Sender, senderOf } from './sender.ts';

/** The requester of a ticket speaks: told, not vouched, because an address proves no person. */
const asVisitor = (tx: SiteContext, visitorId: number | null): SiteContext =>
  tx.as({ kind: 'visitor', visitorId, deviceId: null, verified: false });

interface Recorded {
  ticketId: number;
  replyId: number | null;
}

/** Records what the mail adds to its ticket, and how the next mails of the thread find it. */
async function recordMail(
  tx: SiteContext,
  { received, mail, mailbox, authentication }: Incoming,
  { html, isRich, quoted }: Content,
  { ticketId, replyId }: Recorded,
): Promise<number> {
  const { id } = await tx.db
    .insertInto('ticket_mails')
    .values({
      site_id: tx.site.id,
      ticket_id: ticketId,
      reply_id: replyId,
      mailbox_id: mailbox.id,
      received_id: received.id,
      is_outgoing: false,
      message_id: mail.messageId ?? `none-${received.id}`,
      subject: mail.subject,
      from_address: mail.from?.address ?? null,
      from_name: mail.from?.name ?? null,
      to_list: JSON.stringify(mail.to),
      cc_list: JSON.stringify(mail.cc),
      html,
      is_rich: isRich,
      quoted,
      authentication: JSON.stringify(authentication),
      created_at: tx.now(),
    })
    .returning('id')
    .modifyEnd(prepared)
    .executeTakeFirstOrThrow();
  return id;
}

/** A new ticket of the person that the mail is from. */
export async function openTicket(tx: SiteContext, incoming: Incoming, known: Known): Promise<Outcome> {
  const { mail, mailbox } = incoming;
  const isAccepted = incoming.received.accepted_at !== null;
  const content = contentOf(incoming);
  const { address = '', name = null } = mail.from ?? {};
  const { id, ownEmail } = await resolveRequester(
    asVisitor(tx, null),
    { email: address, name },
    known.requesters,
  );
  const assigneeId =
    mailbox.assignee_id !== null && (await areAgents(tx, [mailbox.assignee_id])) ? mailbox.assignee_id : null;
  const teamId = mailbox.team_id !== null && (await areTeams(tx, [mailbox.team_id])) ? mailbox.team_id : null;
  const subject = subjectOf(mail, content.body);
  const block = isAccepted ? undefined : await findBlock(tx, { text: `${subject}\n${content.body}` });
  const row = await insertTicket(asVisitor(tx, id), {
    subject,
    description: content.body,
    requesterId: id,
    requesterEmail: ownEmail,
    assigneeId,
    teamId,
    spamLike: block && newMark(tx, block),
    channel: 'email',
    mail: {
      mailbox_id: mailbox.id,
      cc_list: copiesAmong(tx, known.mailboxes, [...mail.to, ...mail.cc], [address]),
      mail_subject: null,
    },
  });
  const mailId = await recordMail(tx, incoming, content, { ticketId: row.id, replyId: null });
  await addAttachments(tx, { mailId }, content.files);
  return { state: 'ticket', ticketId: row.id };
}

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

/** The context in which the sender's reply is stored: a participant's changes are nobody's we know. */
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
  // The team can't write in a closed ticket: its words are kept there for the team.
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
  // A mailed reply of an agent has the row of the mail that it becomes.
  const isSent = isByTeam && reply.delivery === 'queued';
  if (!isSent) await recordMail(tx, incoming, content, { ticketId: row.id, replyId: reply.id });
  if (!isAutomatic) await continueThread(tx, incoming, row, { sender, known });
  return {
    state: 'reply',
    ticketId: row.id,
    replyId: reply.id,
    ...(isKept ? { reason: 'ticket_closed' } : isAutomatic ? { reason: 'automatic' } : {}),
  };
}
