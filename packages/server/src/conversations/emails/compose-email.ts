import type { Language } from '@foyer/protocol';
import { sql } from 'kysely';
import type { AttachmentRow } from '../../attachments/attachments.ts';
import type { SiteContext } from '../../core/context.ts';
import { speechOf } from '../../i18n/phrases.ts';
import { isArticleImage } from '../../knowledge/articles/images.ts';
import { composeChatMail } from '../../mail/chat-mail.ts';
import { answersTo } from '../../mail/mailboxes/answers-to.ts';
import type { SendingMailbox } from '../../mail/mailboxes/mailboxes.ts';
import type { Mail } from '../../mail/mailer.ts';
import { referencesBefore } from '../../mail/references.ts';
import { replyHtml, replyText } from '../../text/reply-markdown.ts';
import { type MessageRow, messageRowsAfter } from '../messages.ts';
import { nameForVisitor } from '../sessions.ts';
import { MailFiles } from './mail-files.ts';

/** The record of a chat's mail, with its chat. */
export interface QueuedEmail {
  id: number;
  conversation_id: number;
  session_id: string;
  from_seq: number;
  to_seq: number;
  by_team: boolean;
  mailbox_id: number | null;
  message_id: string;
  subject: string;
  to_address: string;
  created_at: Date;
  is_read: boolean;
  page_url: string | null;
  visitor_name: string | null;
  language: Language;
  site_name: string;
  site_color: string;
}

/** The mail if it waits to be sent; undefined also if its chat was deleted or its visitor erased. */
export async function findQueuedEmail(
  { db, site }: SiteContext,
  id: number,
): Promise<QueuedEmail | undefined> {
  const { rows } = await sql<QueuedEmail>`
    select m.id, m.conversation_id, c.session_id, m.from_seq, m.to_seq, m.by_team, m.mailbox_id, m.message_id, m.subject,
      m.to_address, m.created_at, c.visitor_read_seq >= m.to_seq as is_read, c.page_url,
      ${nameForVisitor} as visitor_name, coalesce(c.language, s.language) as language, s.name as site_name,
      s.color as site_color
    from chat_mails m
    join conversations c on c.site_id = m.site_id and c.id = m.conversation_id
    join visitors v on v.site_id = c.site_id and v.id = c.visitor_id
    left join visitor_devices d on d.site_id = c.site_id and d.id = c.device_id
    join sites s on s.id = m.site_id
    where m.site_id = ${site.id} and m.id = ${id} and m.state = 'queued'`.execute(db);
  return rows[0];
}

/** More lines than anybody writes to an absent visitor. */
const LINES_MAX = 200;

const isShown = ({ sender }: MessageRow): boolean => sender === 'agent' || sender === 'bot';

async function linesOf(ctx: SiteContext, mail: QueuedEmail): Promise<MessageRow[]> {
  const after = Math.max(mail.from_seq - 1, mail.to_seq - LINES_MAX);
  const count = mail.to_seq - after;
  const rows = await messageRowsAfter(ctx.db, ctx.site.id, mail.session_id, after, count);
  return rows.filter(isShown);
}

/** Only addresses that a browser opens. */
function pageOf(url: string | null): string | null {
  const page = url === null ? null : URL.parse(url);
  return page && /^https?:$/.test(page.protocol) ? page.href : null;
}

/**
 * The mail of a chat's unread replies, the same for every attempt.
 * @param mailbox undefined: answers can't be received
 */
export async function composeEmail(
  ctx: SiteContext,
  mail: QueuedEmail,
  mailbox: SendingMailbox | undefined,
): Promise<Mail> {
  const { language } = mail;
  const { say } = speechOf(language);
  const options = { base: ctx.services.address.url, isOwnPicture: isArticleImage };
  const files = new MailFiles(ctx, mail.created_at);
  const rows = await linesOf(ctx, mail);
  const named = (attached: AttachmentRow[]): string => attached.map(({ name }) => `[${name}]`).join(' ');
  const lines = rows.map(({ sender, author_name, text, files: attached }) => {
    for (const file of attached ?? []) files.attach(file);
    const body = [text, named(attached ?? [])].filter(Boolean).join('\n\n');
    return {
      speaker: author_name ?? say(sender === 'bot' ? 'assistant' : 'team'),
      said: { html: replyHtml(body, options), text: replyText(body, options) },
    };
  });
  const composed = composeChatMail({
    siteName: mail.site_name,
    siteColor: mail.site_color,
    language,
    to: { name: mail.visitor_name, address: mail.to_address },
    subject: mail.subject,
    lines,
    linkedFiles: files.linked,
    pageUrl: pageOf(mail.page_url),
    isAnswerable: mailbox !== undefined,
    byTeam: mail.by_team,
    id: mail.message_id,
    thread: await referencesBefore(
      ctx,
      { mails: 'chat_mails', by: 'conversation_id', id: mail.conversation_id },
      mail.id,
    ),
  });
  return {
    ...composed,
    files: files.contained,
    ...(mailbox && (await answersTo(ctx, mailbox, 'chat', mail.conversation_id))),
  };
}
