import { type Language, type MailPerson, PORTAL_HOURS_DEFAULT } from '@foyer/protocol';
import { sql } from 'kysely';
import { type AttachmentRow, attachmentsOfReplies } from '../../attachments/attachments.ts';
import { MailFiles } from '../../conversations/emails/mail-files.ts';
import { nameForVisitor } from '../../conversations/sessions.ts';
import type { SiteContext } from '../../core/context.ts';
import { isArticleImage } from '../../knowledge/articles/images.ts';
import { answersTo } from '../../mail/mailboxes/answers-to.ts';
import type { SendingMailbox } from '../../mail/mailboxes/mailboxes.ts';
import { messageIdOf } from '../../mail/mailboxes/message-ids.ts';
import type { Mail } from '../../mail/mailer.ts';
import { referencesBefore } from '../../mail/references.ts';
import { composeReplyMail, type ReplyToMail, type Said } from '../../mail/reply-mail.ts';
import { replyHtml, replyText } from '../../text/reply-markdown.ts';
import { keepPortalLink } from '../portal/links.ts';
import { lockTicket } from '../tickets.ts';
import { recordOutgoing } from './outgoing.ts';

/** A reply and its recorded mail. */
export interface MailedReply {
  reply_id: number;
  ticket_id: number;
  body: string;
  signature: string | null;
  created_at: Date;
  /** Its author could undo it until now. */
  can_undo: boolean;
  agent_name: string | null;
  requester_name: string | null;
  requester_email: string;
  site_name: string;
  site_color: string;
  language: Language;
  mail_id: number;
  mailbox_id: number | null;
  message_id: string;
  subject: string;
  cc_list: MailPerson[];
  bcc_list: MailPerson[];
}

/** Without a recorded mail if an earlier version queued it. */
type FoundReply = Omit<MailedReply, 'mail_id'> & { mail_id: number | null };

/** The reply with the requester's current address, which may have been changed or erased. */
async function findReply({ db, site }: SiteContext, replyId: number): Promise<FoundReply | undefined> {
  const { rows } = await sql<FoundReply>`
    select r.id as reply_id, t.id as ticket_id, r.body, r.signature, r.created_at, r.undo is not null as can_undo, a.name as agent_name,
      ${nameForVisitor} as requester_name, coalesce(t.requester_email, v.email) as requester_email,
      s.name as site_name, s.color as site_color, s.language,
      m.id as mail_id, m.mailbox_id, m.message_id, m.subject, m.cc_list, m.bcc_list
    from ticket_replies r
    join tickets t on t.site_id = r.site_id and t.id = r.ticket_id
    join visitors v on v.site_id = t.site_id and v.id = t.requester_id
    left join conversations c on c.site_id = t.site_id and c.id = t.conversation_id
    left join visitor_devices d on d.site_id = c.site_id and d.id = c.device_id
    join sites s on s.id = r.site_id
    left join agents a on a.site_id = r.site_id and a.id = r.agent_id
    left join ticket_mails m on m.site_id = r.site_id and m.reply_id = r.id
    where r.site_id = ${site.id} and r.id = ${replyId} and r.type = 'public'
      and r.author_type in ('agent', 'token', 'system')
      and coalesce(t.requester_email, v.email) is not null`.execute(db);
  return rows[0];
}

const isRecorded = (reply: FoundReply): reply is MailedReply => reply.mail_id !== null;

/** @returns undefined if the reply was deleted, or its requester erased */
export async function findMailedReply(ctx: SiteContext, replyId: number): Promise<MailedReply | undefined> {
  const reply = await findReply(ctx, replyId);
  if (!reply || isRecorded(reply)) return reply;
  await ctx.transaction(async (tx) => recordOutgoing(tx, await lockTicket(tx, reply.ticket_id), replyId, {}));
  const recorded = await findReply(ctx, replyId);
  return recorded && isRecorded(recorded) ? recorded : undefined;
}

type Rendered = Pick<ReplyToMail, 'said' | 'signature'>;

/** @param pictureAddress of a picture that the mail contains */
function render(
  ctx: SiteContext,
  { body, signature }: MailedReply,
  pictureAddress: (path: string) => string | undefined,
): Rendered {
  const options = { base: ctx.services.address.url, isOwnPicture: isArticleImage };
  const shown = (markdown: string): Said => ({
    html: replyHtml(markdown, { ...options, pictureAddress }),
    text: replyText(markdown, options),
  });
  return { said: shown(body), signature: signature === null ? null : shown(signature) };
}

/** Its recipients and subject, however it is answered. */
function frameOf(reply: MailedReply): Omit<ReplyToMail, keyof Rendered | 'answer' | 'thread'> {
  return {
    siteName: reply.site_name,
    siteColor: reply.site_color,
    language: reply.language,
    requester: { name: reply.requester_name, address: reply.requester_email },
    subject: reply.subject,
    agentName: reply.agent_name,
    id: reply.message_id,
  };
}

/** Anyone who gets a copy could answer as the requester by the ticket's link, so the mail has none. */
async function composeFromMailbox(
  ctx: SiteContext,
  reply: MailedReply,
  mailbox: SendingMailbox,
  attached: readonly AttachmentRow[],
): Promise<Mail> {
  const { site, services } = ctx;
  const files = new MailFiles(ctx, reply.created_at);
  const paths: string[] = [];
  render(ctx, reply, (path) => {
    paths.push(path);
    return undefined;
  });
  const shown = await files.show(paths);
  for (const file of attached) files.attach(file);
  const thread = await referencesBefore(
    ctx,
    { mails: 'ticket_mails', by: 'ticket_id', id: reply.ticket_id },
    reply.mail_id,
  );
  const mail = composeReplyMail({
    ...frameOf(reply),
    ...render(ctx, reply, (path) => shown.get(path)),
    answer: { by: 'mail', linkedFiles: files.linked },
    thread: thread.length > 0 ? thread : [messageIdOf(services, 'ticket', site.id, reply.ticket_id)],
  });
  return {
    ...mail,
    cc: reply.cc_list,
    bcc: reply.bcc_list,
    files: files.contained,
    ...(await answersTo(ctx, mailbox, 'ticket', reply.ticket_id)),
  };
}

/** The mail of a reply, the same for every attempt. @param mailbox undefined: it is answered on the ticket's page */
export async function composeMail(
  ctx: SiteContext,
  reply: MailedReply,
  mailbox: SendingMailbox | undefined,
): Promise<Mail> {
  const { site, services } = ctx;
  const { reply_id, ticket_id } = reply;
  const files = (await attachmentsOfReplies(ctx, [reply_id])).get(reply_id) ?? [];
  if (mailbox) return composeFromMailbox(ctx, reply, mailbox, files);
  const token = services.derivedToken(`portal link of reply ${site.id}-${reply_id}`);
  return composeReplyMail({
    ...frameOf(reply),
    ...render(ctx, reply, () => undefined),
    answer: {
      by: 'page',
      url: await keepPortalLink(ctx, ticket_id, token, PORTAL_HOURS_DEFAULT),
      fileNames: files.map(({ name }) => name),
    },
    thread: [messageIdOf(services, 'ticket', site.id, ticket_id)],
  });
}
