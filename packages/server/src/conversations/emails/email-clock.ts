import { sql } from 'kysely';
import { domainOf } from '../../base/email-address.ts';
import type { SiteContext } from '../../core/context.ts';
import { speechOf } from '../../i18n/phrases.ts';
import type { RecurringJob } from '../../jobs/schedule.ts';
import { canSend, findMailbox, onlyMailboxId, senderAddressOf } from '../../mail/mailboxes/mailboxes.ts';
import { messageIdOf } from '../../mail/mailboxes/message-ids.ts';
import { answerSubject } from '../../mail/reply-mail.ts';
import { getSite } from '../../sites/sites.ts';
import { decideMail, lockWaitingChat, type MailableChat } from './waiting-replies.ts';

/** How late an email may be. */
const EMAIL_EVERY_MS = 5_000;

/** The subject of the thread: the visitor's newest, else our first. */
async function subjectOf(tx: SiteContext, { id, language }: MailableChat): Promise<string> {
  const { rows } = await sql<{ subject: string }>`
    select subject from chat_mails
    where site_id = ${tx.site.id} and conversation_id = ${id} and subject <> ''
    order by is_outgoing, id desc limit 1`.execute(tx.db);
  if (rows[0]) return answerSubject(rows[0].subject);
  const site = await getSite(tx.db, tx.site.id);
  return speechOf(language ?? site.language).say('transcript', { site: site.name });
}

/**
 * Records the mail before its first attempt: its content, and its Message-ID, by which answers find the chat. Does
 * nothing if no mail can be sent.
 */
async function queueMail(tx: SiteContext, chat: MailableChat): Promise<void> {
  const { db, site, services } = tx;
  const mailboxId = chat.chat_mailbox_id ?? (await onlyMailboxId(tx));
  const mailbox = await findMailbox(tx, mailboxId);
  const from = await senderAddressOf(tx, mailbox);
  if (from === undefined || !(await canSend(tx, mailboxId))) return;
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('chat_mails', 'id')) as id`.execute(db);
  const id = Number(rows[0]?.id);
  await db
    .insertInto('chat_mails')
    .values({
      site_id: site.id,
      id,
      conversation_id: chat.id,
      is_outgoing: true,
      from_seq: chat.from_seq,
      to_seq: chat.to_seq,
      by_team: chat.by_team === true,
      mailbox_id: mailbox?.id ?? null,
      message_id: `${messageIdOf(services, 'chat', site.id, id)}@${domainOf(from)}`,
      subject: await subjectOf(tx, chat),
      from_address: from,
      to_address: chat.email,
      state: 'queued',
      created_at: tx.now(),
    })
    .execute();
  await tx.enqueue('mail.chat', { chat_mail_id: id }, { key: `${site.id}:${id}` });
  await tx.emit({ notices: [{ kind: 'session', sessionId: chat.session_id }], counts: false });
}

/**
 * Emails a chat's unread replies if its visitor is away. Under the lock of the chat: if the visitor reads them first,
 * nothing is sent.
 */
async function emailUnread(ctx: SiteContext, conversationId: number): Promise<void> {
  await ctx.transaction(async (tx) => {
    const chat = await lockWaitingChat(tx, conversationId);
    if (!chat) return;
    const decided = await decideMail(tx, chat);
    const ofChat = sql`site_id = ${tx.site.id} and conversation_id = ${conversationId}`;
    if (decided && 'lookAt' in decided) {
      await sql`update unread_replies set due_at = ${decided.lookAt} where ${ofChat}`.execute(tx.db);
      return;
    }
    if (decided) await queueMail(tx, decided.mail);
    await sql`delete from unread_replies where ${ofChat}`.execute(tx.db);
  });
}

/** Emails what visitors haven't read, in one email per chat. */
export const chatEmailClock: RecurringJob = {
  name: 'chats.email',
  everyMs: EMAIL_EVERY_MS,
  due: ({ now, limit }) => sql`
    select site_id as "siteId", conversation_id as id from unread_replies
    where due_at <= ${now} order by due_at limit ${limit}`,
  run: emailUnread,
};
