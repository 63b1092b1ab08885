import {
  type Language,
  type OutputOf,
  type ParsedInputOf,
  PORTAL_HOURS_DEFAULT,
  REPLIES_SHOWN,
  type Reply,
  type ReplyMailState,
} from '@foyer/protocol';
import { sql } from 'kysely';
import { attachmentsOfReplies } from '../../attachments/attachments.ts';
import { nameForVisitor } from '../../conversations/sessions.ts';
import type { SiteContext } from '../../core/context.ts';
import { job } from '../../core/job.ts';
import { isArticleImage } from '../../knowledge/articles/images.ts';
import { mailErrorWords, noteMailFailure } from '../../mail/failures.ts';
import { MailRefused } from '../../mail/mailer.ts';
import { composeReplyMail, type Said } from '../../mail/reply-mail.ts';
import { findMailer, sendsMail } from '../../mail/site-mailer.ts';
import { notify } from '../../notifications/notify.ts';
import { replyHtml, replyText } from '../../text/reply-markdown.ts';
import { keepPortalLink } from '../portal/links.ts';
import { getTicketRow, lockTicket, type TicketRow } from '../tickets.ts';
import { openChatOf, sayInChat } from './in-chat.ts';

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
  const sends_mail = await sendsMail(ctx);
  const replies = await ctx.db
    .selectFrom('ticket_replies')
    .select(['id as reply_id', 'mail_state as state', 'mail_error as error'])
    .where('site_id', '=', ctx.site.id)
    .where('ticket_id', '=', id)
    .where('mail_state', 'is not', null)
    .$narrowType<{ state: ReplyMailState }>()
    .orderBy('id', 'desc')
    .limit(REPLIES_SHOWN)
    .execute();
  const goes_to = sends_mail ? ticket.requester_email : null;
  const chat = goes_to === null ? await openChatOf(ctx, id) : undefined;
  return { goes_to, sends_mail, in_chat: chat !== undefined, replies };
}

const canMail = async (ctx: SiteContext, { requester_email }: Pick<TicketRow, 'requester_email'>) =>
  Boolean(requester_email) && (await sendsMail(ctx));

const queueMail = (tx: SiteContext, replyId: number): Promise<void> =>
  tx.enqueue('mail.reply', { reply_id: replyId }, { key: `${tx.site.id}:${replyId}` });

/**
 * Delivers the team's public reply to its requester, in the reply's transaction, so that no crash can separate the
 * reply from its mail. Without an address or a mail server it becomes a message in the open chat that the ticket
 * was created from; otherwise it can only be read on the ticket's page.
 * @returns null for a reply that goes to no requester
 */
export async function deliverReply(
  tx: SiteContext,
  ticket: Pick<TicketRow, 'requester_email'>,
  reply: Reply,
): Promise<ReplyMailState | null> {
  if (reply.type !== 'public' || reply.author.type === 'requester') return null;
  const isMailed = await canMail(tx, ticket);
  const mail_state = isMailed ? 'queued' : (await sayInChat(tx, reply)) ? 'in_chat' : 'not_sent';
  await setOutcome(tx, reply.id, { mail_state });
  if (isMailed) await queueMail(tx, reply.id);
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
        .where('mail_state', 'in', ['not_sent', 'refused', 'failed'])
        .returning('id')
        .executeTakeFirst());
    if (changed) {
      await queueMail(tx, reply_id);
      await tx.emit({ notices: [{ kind: 'ticket', ticketId: ticket_id }] });
    }
    return mailOfTicket(tx, { id: ticket_id });
  });
}

interface Queued {
  ticket_id: number;
  subject: string;
  body: string;
  signature: string | null;
  agent_name: string | null;
  requester_name: string | null;
  requester_email: string;
  site_name: string;
  site_color: string;
  language: Language;
}

/** The reply with the requester's current address, which may have been changed or erased. */
async function findReply({ db, site }: SiteContext, replyId: number): Promise<Queued | undefined> {
  const { rows } = await sql<Queued>`
    select t.id as ticket_id, t.subject, r.body, r.signature, a.name as agent_name, ${nameForVisitor} as requester_name,
      coalesce(t.requester_email, v.email) as requester_email, s.name as site_name, s.color as site_color, s.language
    from ticket_replies r
    join tickets t on t.site_id = r.site_id and t.id = r.ticket_id
    join visitors v on v.site_id = t.site_id and v.id = t.requester_id
    left join conversations c on c.site_id = t.site_id and c.id = t.conversation_id
    left join visitor_devices d on d.site_id = c.site_id and d.id = c.device_id
    join sites s on s.id = r.site_id
    left join agents a on a.site_id = r.site_id and a.id = r.agent_id
    where r.site_id = ${site.id} and r.id = ${replyId} and r.type = 'public' and r.author_type <> 'requester'
      and coalesce(t.requester_email, v.email) is not null`.execute(db);
  return rows[0];
}

/**
 * Mails a reply. A retry creates the same mail, with the same link and Message-ID.
 * @throws every error that a retry may fix
 */
export async function mailReply(ctx: SiteContext, replyId: number): Promise<void> {
  const reply = await findReply(ctx, replyId);
  // The ticket was deleted, or its requester erased.
  if (!reply) return;
  const mailer = await findMailer(ctx);
  const { derivedToken, address } = ctx.services;
  if (!mailer) {
    const error = new Error('No mail server is set up.');
    await recordOutcome(ctx, replyId, { mail_error: error.message });
    throw error;
  }
  const files = await attachmentsOfReplies(ctx, [replyId]);
  const token = derivedToken(`portal link of reply ${ctx.site.id}-${replyId}`);
  // Two installations may share a sender's domain.
  const here = derivedToken('message ids').slice(0, 12);
  const options = { base: address.url, isOwnPicture: isArticleImage };
  const shown = (markdown: string): Said => ({
    html: replyHtml(markdown, options),
    text: replyText(markdown, options),
  });
  const mail = composeReplyMail({
    siteName: reply.site_name,
    siteColor: reply.site_color,
    language: reply.language,
    requester: { name: reply.requester_name, address: reply.requester_email },
    subject: reply.subject,
    said: shown(reply.body),
    signature: reply.signature === null ? null : shown(reply.signature),
    agentName: reply.agent_name,
    fileNames: (files.get(replyId) ?? []).map(({ name }) => name),
    url: await keepPortalLink(ctx, reply.ticket_id, token, PORTAL_HOURS_DEFAULT),
    id: `reply-${ctx.site.id}-${replyId}.${here}`,
    threadId: `ticket-${ctx.site.id}-${reply.ticket_id}.${here}`,
  });
  const told = { ticket_id: reply.ticket_id, reply_id: replyId };
  try {
    await mailer.send(mail);
  } catch (error) {
    const mail_error = mailErrorWords(error);
    if (!(error instanceof MailRefused)) {
      await recordOutcome(ctx, replyId, { mail_error });
      throw error;
    }
    ctx.log.warn({ err: error, ...told }, 'sending a reply failed');
    await noteMailFailure(ctx, 'reply', error);
    return recordOutcome(ctx, replyId, { mail_state: 'refused', mail_error });
  }
  // The mail has been sent: retrying only to record that would send it twice. It can still be sent twice, with the
  // same Message-ID, if the process or queue dies between the server's response and the end of the job.
  await recordOutcome(ctx, replyId, { mail_state: 'sent', mail_error: null }).catch((error: unknown) =>
    ctx.log.error({ err: error, ...told }, 'a reply was sent, but recording it failed'),
  );
}

/**
 * Records the result of a reply's mail and shows it to the team; ignored if the reply was deleted. Notifies the
 * author of a mail that will never go out.
 */
async function recordOutcome(ctx: SiteContext, replyId: number, outcome: Partial<Outcome>): Promise<void> {
  await ctx.transaction(async (tx) => {
    const reply = await setOutcome(tx, replyId, outcome);
    if (!reply) return;
    const ticketId = reply.ticket_id;
    if (outcome.mail_state === 'refused' || outcome.mail_state === 'failed') {
      const agentId = reply.agent_id ?? (await getTicketRow(tx, ticketId)).assignee_id;
      if (agentId !== null) await notify(tx, { kind: 'reply_failed', agentIds: [agentId], ticketId });
    }
    await tx.emit({ notices: [{ kind: 'ticket', ticketId }] });
  });
}

/** Retries after 5, 10, 20 s … up to an hour: about twelve hours in all. */
const RETRIES = { limit: 21, delayS: 5, maxDelayS: 3600 };

export const mailJobs = [
  job({
    name: 'mail.reply',
    retries: RETRIES,
    run: (ctx, { reply_id }) => mailReply(ctx, reply_id),
    async giveUp(ctx, { reply_id }, error) {
      await noteMailFailure(ctx, 'reply', error);
      await recordOutcome(ctx, reply_id, { mail_state: 'failed' });
    },
  }),
];
