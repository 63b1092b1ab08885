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
import { MailRefused } from '../../mail/mailer.ts';
import { composeReplyMail } from '../../mail/reply-mail.ts';
import { findMailer, sendsMail } from '../../mail/site-mailer.ts';
import { replyHtml, replyText } from '../../text/reply-markdown.ts';
import { keepPortalLink } from '../portal/links.ts';
import { getTicketRow, type TicketRow } from '../tickets.ts';

/** @returns the ticket of the reply; undefined when the reply is gone */
async function setMailState(
  { db, site }: SiteContext,
  replyId: number,
  mail_state: ReplyMailState,
): Promise<number | undefined> {
  const changed = await db
    .updateTable('ticket_replies')
    .set({ mail_state })
    .where('site_id', '=', site.id)
    .where('id', '=', replyId)
    .returning('ticket_id')
    .executeTakeFirst();
  return changed?.ticket_id;
}

/** How the requester of a ticket gets the team's replies. @throws AppError 404 */
export async function mailOfTicket(
  ctx: SiteContext,
  { id }: ParsedInputOf<'tickets.mail'>,
): Promise<OutputOf<'tickets.mail'>> {
  const ticket = await getTicketRow(ctx, id);
  const sends_mail = await sendsMail(ctx);
  const replies = await ctx.db
    .selectFrom('ticket_replies')
    .select(['id as reply_id', 'mail_state as state'])
    .where('site_id', '=', ctx.site.id)
    .where('ticket_id', '=', id)
    .where('mail_state', 'is not', null)
    .$narrowType<{ state: ReplyMailState }>()
    .orderBy('id', 'desc')
    .limit(REPLIES_SHOWN)
    .execute();
  return { goes_to: sends_mail ? ticket.requester_email : null, sends_mail, replies };
}

/**
 * Queues the mail of a reply in the reply's own transaction: there is no reply without its mail, whatever dies when.
 * The team's public replies are mailed, if there is an address and a server for mail.
 */
export async function queueReplyMail(
  tx: SiteContext,
  { requester_email }: Pick<TicketRow, 'requester_email'>,
  { id, type, author }: Reply,
): Promise<void> {
  if (type !== 'public' || author.type === 'requester') return;
  const isMailed = Boolean(requester_email) && (await sendsMail(tx));
  await setMailState(tx, id, isMailed ? 'queued' : 'not_sent');
  if (!isMailed) return;
  await tx.enqueue('mail.reply', { reply_id: id }, { key: `${tx.site.id}:${id}` });
}

interface Queued {
  ticket_id: number;
  subject: string;
  body: string;
  agent_name: string | null;
  requester_name: string | null;
  requester_email: string;
  site_name: string;
  site_color: string;
  language: Language;
}

/** As it is now: an address that was changed or erased meanwhile counts. */
async function findReply({ db, site }: SiteContext, replyId: number): Promise<Queued | undefined> {
  const { rows } = await sql<Queued>`
    select t.id as ticket_id, t.subject, r.body, a.name as agent_name, ${nameForVisitor} as requester_name,
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
 * Mails a reply. Done again after a failure it makes the same mail, with the same link and the same Message-ID.
 * @throws whatever may be mended by trying again
 */
export async function mailReply(ctx: SiteContext, replyId: number): Promise<void> {
  const reply = await findReply(ctx, replyId);
  // The ticket was deleted, or its requester erased.
  if (!reply) return;
  const mailer = await findMailer(ctx);
  const { derivedToken, address } = ctx.services;
  if (!mailer) throw new Error('a reply can’t be mailed: no mail server is set up');
  const files = await attachmentsOfReplies(ctx, [replyId]);
  const token = derivedToken(`portal link of reply ${ctx.site.id}-${replyId}`);
  // Two installations may share a sender's domain.
  const here = derivedToken('message ids').slice(0, 12);
  const options = { base: address.url, isOwnPicture: isArticleImage };
  const mail = composeReplyMail({
    siteName: reply.site_name,
    siteColor: reply.site_color,
    language: reply.language,
    requester: { name: reply.requester_name, address: reply.requester_email },
    subject: reply.subject,
    said: { html: replyHtml(reply.body, options), text: replyText(reply.body, options) },
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
    if (!(error instanceof MailRefused)) throw error;
    ctx.log.warn({ err: error, ...told }, 'sending a reply failed');
    return recordOutcome(ctx, replyId, 'refused');
  }
  // The mail is on its way: a retry for the sake of the record would send a second one. Only a process or queue that
  // dies between the server's yes and the end of the job can still send it twice, with the same Message-ID.
  await recordOutcome(ctx, replyId, 'sent').catch((error: unknown) =>
    ctx.log.error({ err: error, ...told }, 'a reply was sent, but recording it failed'),
  );
}

/** Keeps what became of a reply's mail, and shows it to the team; of a reply that is gone, nothing. */
async function recordOutcome(ctx: SiteContext, replyId: number, state: ReplyMailState): Promise<void> {
  await ctx.transaction(async (tx) => {
    const ticketId = await setMailState(tx, replyId, state);
    if (ticketId !== undefined) await tx.emit({ notices: [{ kind: 'ticket', ticketId }] });
  });
}

/** Five seconds, ten, twenty … an hour: about twelve hours in all. */
const RETRIES = { limit: 21, delayS: 5, maxDelayS: 3600 };

export const mailJobs = [
  job({
    name: 'mail.reply',
    retries: RETRIES,
    run: (ctx, { reply_id }) => mailReply(ctx, reply_id),
    giveUp: (ctx, { reply_id }) => recordOutcome(ctx, reply_id, 'failed'),
  }),
];
