import type { OutputOf, ParsedInputOf, Reply, ReplyMailState } from '@foyer/protocol';
import { REPLIES_SHOWN } from '@foyer/protocol';
import type { SiteContext } from '../../core/context.ts';
import { job } from '../../core/job.ts';
import { noteMailFailure } from '../../mail/failures.ts';
import { canSend, findMailbox, findMailboxMailer, mailboxSender } from '../../mail/mailboxes/mailboxes.ts';
import { type Attempt, sendRecorded } from '../../mail/send-recorded.ts';
import { findMailer } from '../../mail/site-mailer.ts';
import { notify } from '../../notifications/notify.ts';
import { getTicketRow, lockTicket, type TicketRow } from '../tickets.ts';
import { recordAttempt } from './attempts.ts';
import { composeMail, findMailedReply } from './compose-mail.ts';
import { openChatOf, sayInChat } from './in-chat.ts';
import { type Copies, checkCopies, type MailedTicket, recordOutgoing } from './outgoing.ts';
import { endUndo } from './undo.ts';

interface Outcome {
  mail_state: ReplyMailState;
  mail_error: string | null;
}

/** @returns the ticket and the reply's author; undefined if the reply was deleted */
const setOutcome = ({ db, site }: SiteContext, replyId: number, outcome: Partial<Outcome>) =>
  db
    .updateTable('ticket_replies')
    .set(outcome)
    .where('site_id', '=', site.id)
    .where('id', '=', replyId)
    .returning(['ticket_id', 'agent_id'])
    .executeTakeFirst();

/** How a ticket's requester receives the team's replies. @throws AppError 404 */
export async function mailOfTicket(
  ctx: SiteContext,
  { id }: ParsedInputOf<'tickets.mail'>,
): Promise<OutputOf<'tickets.mail'>> {
  const ticket = await getTicketRow(ctx, id);
  const sends_mail = await canSend(ctx, ticket.mailbox_id);
  const rows = await ctx.db
    .selectFrom('ticket_replies')
    .select(['id as reply_id', 'mail_state as state', 'mail_error as error', 'undo'])
    .where('site_id', '=', ctx.site.id)
    .where('ticket_id', '=', id)
    .where('mail_state', 'is not', null)
    .$narrowType<{ state: ReplyMailState }>()
    .orderBy('id', 'desc')
    .limit(REPLIES_SHOWN)
    .execute();
  const replies = rows.map(({ undo, ...row }) => ({ ...row, undo_until_utc: undo?.until ?? null }));
  const goes_to = sends_mail ? ticket.requester_email : null;
  const chat = goes_to === null ? await openChatOf(ctx, id) : undefined;
  const mailbox = goes_to === null ? undefined : await findMailbox(ctx, ticket.mailbox_id);
  const from = mailbox ? await mailboxSender(ctx, mailbox) : null;
  const cc = mailbox ? ticket.cc_list : [];
  return { goes_to, sends_mail, from, cc, in_chat: chat !== undefined, replies };
}

const canMail = async (ctx: SiteContext, ticket: Pick<TicketRow, 'requester_email' | 'mailbox_id'>) =>
  Boolean(ticket.requester_email) && (await canSend(ctx, ticket.mailbox_id));

const queueMail = (tx: SiteContext, replyId: number, startAfterS = 0): Promise<void> =>
  tx.enqueue('mail.reply', { reply_id: replyId }, { key: `${tx.site.id}:${replyId}`, startAfterS });

interface Delivery {
  copies?: Copies | undefined;
  /** When the mail is sent. */
  afterS?: number;
}

/** Requesters and other participants wrote theirs by mail or on the ticket's page. */
const isOfTeam = ({ author }: Reply): boolean => ['agent', 'token', 'system'].includes(author.type);

/**
 * Delivers the team's public reply to its requester, in the reply's transaction, so that no crash can separate the
 * reply from its mail. Without an address or a mail server it becomes a message in the open chat that the ticket was
 * created from; otherwise it can only be read on the ticket's page.
 * @returns null for a reply that isn't for the requester
 */
export async function deliverReply(
  tx: SiteContext,
  ticket: MailedTicket,
  reply: Reply,
  { copies = {}, afterS }: Delivery = {},
): Promise<ReplyMailState | null> {
  if (reply.type !== 'public' || !isOfTeam(reply)) {
    checkCopies(copies, null, false);
    return null;
  }
  const isMailed = await canMail(tx, ticket);
  checkCopies(copies, ticket.mailbox_id, isMailed);
  const mail_state = isMailed ? 'queued' : (await sayInChat(tx, reply)) ? 'in_chat' : 'not_sent';
  await setOutcome(tx, reply.id, { mail_state });
  if (isMailed) {
    await recordOutgoing(tx, ticket, reply.id, copies);
    await queueMail(tx, reply.id, afterS);
  }
  return mail_state;
}

/**
 * Mails a reply whose mail never went out, to the requester's current address. Changes nothing if it was mailed, is
 * about to be, or can't be: the result says so.
 * @throws AppError 404
 */
export async function retryReplyMail(
  ctx: SiteContext,
  { ticket_id, reply_id }: ParsedInputOf<'tickets.retry_mail'>,
): Promise<OutputOf<'tickets.mail'>> {
  return ctx.transaction(async (tx) => {
    // Concurrent retries wait here.
    const ticket = await lockTicket(tx, ticket_id);
    const changed =
      (await canMail(tx, ticket)) &&
      (await tx.db
        .updateTable('ticket_replies')
        .set({ mail_state: 'queued', mail_error: null })
        .where('site_id', '=', tx.site.id)
        .where('ticket_id', '=', ticket_id)
        .where('id', '=', reply_id)
        .where('mail_state', 'in', ['not_sent', 'refused', 'failed', 'bounced'])
        .returning('id')
        .executeTakeFirst());
    if (changed) {
      await recordOutgoing(tx, ticket, reply_id, {});
      await queueMail(tx, reply_id);
      await tx.emit({ notices: [{ kind: 'ticket', ticketId: ticket_id }] });
    }
    return mailOfTicket(tx, { id: ticket_id });
  });
}

/**
 * Mails a reply. A retry creates the same mail, with the same links and Message-ID.
 * @throws every error that a retry may fix
 */
export async function mailReply(ctx: SiteContext, replyId: number): Promise<void> {
  const reply = await findMailedReply(ctx, replyId);
  // The ticket was deleted, or its requester erased.
  if (!reply) return;
  const mailbox = await findMailbox(ctx, reply.mailbox_id);
  await sendRecorded(ctx, {
    kind: 'reply',
    about: { ticket_id: reply.ticket_id, reply_id: replyId },
    mailer: await (mailbox ? findMailboxMailer(ctx, mailbox) : findMailer(ctx)),
    compose: async () =>
      reply.can_undo && !(await endUndo(ctx, replyId)) ? undefined : composeMail(ctx, reply, mailbox),
    record: (attempt) => recordOutcome(ctx, replyId, outcomeOf(attempt), attempt),
  });
}

/** What an attempt makes of a reply's mail. */
function outcomeOf({ outcome, answer }: Attempt): Partial<Outcome> {
  if (outcome === 'delayed') return { mail_error: answer };
  return { mail_state: outcome, mail_error: outcome === 'sent' ? null : answer };
}

/** The states of a mail that never arrives: its author is notified. */
const LOST: readonly (ReplyMailState | undefined)[] = ['refused', 'failed', 'bounced'];

/**
 * Records the result of a reply's mail and shows it to the team; ignored if the reply was deleted. Notifies the
 * author of a mail that never arrives.
 * @returns the ticket
 */
async function recordOutcome(
  ctx: SiteContext,
  replyId: number,
  outcome: Partial<Outcome>,
  attempt: Attempt,
): Promise<number | undefined> {
  return ctx.transaction(async (tx) => {
    const reply = await setOutcome(tx, replyId, outcome);
    if (!reply) return undefined;
    const ticketId = reply.ticket_id;
    await recordAttempt(tx, replyId, attempt);
    if (LOST.includes(outcome.mail_state)) {
      const agentId = reply.agent_id ?? (await getTicketRow(tx, ticketId)).assignee_id;
      if (agentId !== null) await notify(tx, { kind: 'reply_failed', agentIds: [agentId], ticketId });
    }
    await tx.emit({ notices: [{ kind: 'ticket', ticketId }] });
    return ticketId;
  });
}

/**
 * Records that a reply's mail came back as undeliverable, and notifies its author.
 * @returns the ticket; undefined if the reply was deleted
 */
export const recordBounce = (ctx: SiteContext, replyId: number, error: string): Promise<number | undefined> =>
  recordOutcome(
    ctx,
    replyId,
    { mail_state: 'bounced', mail_error: error },
    { outcome: 'bounced', answer: error },
  );

/** Retries after 5, 10, 20 s … up to an hour: about twelve hours in all. */
const RETRIES = { limit: 21, delayS: 5, maxDelayS: 3600 };

export const mailJobs = [
  job({
    name: 'mail.reply',
    retries: RETRIES,
    run: (ctx, { reply_id }) => mailReply(ctx, reply_id),
    async giveUp(ctx, { reply_id }, error) {
      await noteMailFailure(ctx, 'reply', error);
      await recordOutcome(ctx, reply_id, { mail_state: 'failed' }, { outcome: 'failed', answer: null });
    },
  }),
];
