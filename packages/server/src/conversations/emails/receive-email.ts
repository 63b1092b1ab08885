import { randomUUID } from 'node:crypto';
import type { MailAuthentication } from '@foyer/protocol';
import { SUMMARY_LINES } from '@foyer/protocol/values/summary-lines';
import { sql } from 'kysely';
import type { NewAttachment } from '../../attachments/attachments.ts';
import type { SiteContext } from '../../core/context.ts';
import { ANY_OPEN, appendMessage } from '../append/append-message.ts';
import { ofChat } from '../chat-events.ts';
import { handOff } from '../handoffs.ts';
import { getSession, newSessionId } from '../sessions.ts';
import { markIfBlocked } from '../spam/blocked.ts';

/** A chat that an email answers, locked. */
export interface EmailedChat {
  id: number;
  session_id: string;
  status: string;
  visitor_id: number;
  is_blocked: boolean;
  is_erased: boolean;
  /** The addresses that belong to its visitor, in lower case: those that were emailed, and the one they left. */
  addresses: string[];
}

/**
 * Locks the chat that answers to a chat go to: itself, or the newest that follows it once it is closed.
 * @returns undefined if it was deleted
 */
export async function lockEmailedChat(tx: SiteContext, id: number): Promise<EmailedChat | undefined> {
  const { db, site } = tx;
  const { rows: chain } = await sql<{ id: number }>`
    with recursive chain as (
      select id, status from conversations where site_id = ${site.id} and id = ${id}
      union
      select c.id, c.status from chain join conversations c on c.site_id = ${site.id} and c.previous_id = chain.id
      where chain.status = 'closed'
    ) select id from chain order by id desc limit 1`.execute(db);
  const newest = chain[0]?.id;
  if (newest === undefined) return undefined;
  await sql`select from conversations where site_id = ${site.id} and id = ${newest} for update`.execute(db);
  const { rows } = await sql<EmailedChat>`
    select c.id, c.session_id, c.status, c.visitor_id, v.blocked_at is not null as is_blocked,
      v.erased_at is not null as is_erased, array(
        select lower(m.to_address) from chat_mails m
        where m.site_id = c.site_id and m.conversation_id in (c.id, ${id}) and m.is_outgoing and m.to_address is not null
        union select lower(c.contact_email) where c.contact_email is not null) as addresses
    from conversations c join visitors v on v.site_id = c.site_id and v.id = c.visitor_id
    where c.site_id = ${site.id} and c.id = ${newest}`.execute(db);
  return rows[0];
}

/** An email as its sender's message. */
export interface EmailToChat {
  receivedId: number;
  mailboxId: number;
  messageId: string;
  subject: string;
  from: string;
  /** Plain text without quoted text. */
  text: string;
  quoted: string | null;
  files: readonly NewAttachment[];
  authentication: MailAuthentication;
}

/** A closed chat continues in a new one, which links to it. */
async function openNext(tx: SiteContext, before: EmailedChat): Promise<{ id: number; session_id: string }> {
  const session_id = newSessionId();
  const { rows } = await sql<{ id: number; page_url: string | null }>`
    insert into conversations (site_id, session_id, visitor_id, device_id, verified, start_client_id, previous_id,
      spam_at, spam_by, spam_reason, page_url, language, contact_email, started_at)
    select site_id, ${session_id}, visitor_id, device_id, verified, ${randomUUID()}, id, spam_at, spam_by,
      spam_reason, page_url, language, contact_email,
      ${tx.now()}
    from conversations where site_id = ${tx.site.id} and id = ${before.id} returning id, page_url`.execute(
    tx.db,
  );
  const [row] = rows;
  if (!row) throw new Error('a locked chat is gone');
  await tx.emit({
    notices: [
      { kind: 'session', sessionId: session_id },
      { kind: 'session', sessionId: before.session_id },
    ],
    webhook: {
      event: 'conversation_started',
      body: {
        ...ofChat(await getSession(tx, session_id)),
        page_url: row.page_url,
        channel: 'email',
      },
    },
  });
  return { id: row.id, session_id };
}

/** The bot answers this many emails in a row; after that, a person must. That stops loops between two machines. */
const BOT_ROUNDS_MAX = 3;

async function botMayAnswer({ db, site }: SiteContext, chatId: number): Promise<boolean> {
  const { rows } = await sql<{ rounds: number }>`
    select count(*)::integer as rounds from chat_mails m
    where m.site_id = ${site.id} and m.conversation_id = ${chatId} and m.is_outgoing and not m.by_team
      and m.id > coalesce((select max(id) from chat_mails
        where site_id = ${site.id} and conversation_id = ${chatId} and is_outgoing and by_team), 0)`.execute(
    db,
  );
  return (rows[0]?.rounds ?? 0) < BOT_ROUNDS_MAX;
}

async function recordEmail(
  tx: SiteContext,
  email: EmailToChat,
  conversationId: number,
  seq: number,
): Promise<void> {
  await tx.db
    .insertInto('chat_mails')
    .values({
      site_id: tx.site.id,
      conversation_id: conversationId,
      is_outgoing: false,
      from_seq: seq,
      to_seq: seq,
      mailbox_id: email.mailboxId,
      received_id: email.receivedId,
      message_id: email.messageId,
      subject: email.subject,
      from_address: email.from,
      quoted: email.quoted,
      authentication: JSON.stringify(email.authentication),
      created_at: tx.now(),
    })
    .execute();
}

/**
 * Stores an email as the visitor's message in the chat that it answers; if that is closed, in a new one, which is for
 * people.
 * @returns its position in the chat, at which the visitor sees it in the widget
 */
export async function sayByEmail(
  tx: SiteContext,
  chat: EmailedChat,
  email: EmailToChat,
): Promise<{ conversationId: number; seq: number }> {
  const isNew = chat.status === 'closed';
  const { id, session_id } = isNew ? await openNext(tx, chat) : chat;
  const { text, files } = email;
  await markIfBlocked(tx, session_id, { text, emails: [email.from] });
  const said = await appendMessage(
    tx,
    session_id,
    { sender: 'visitor', clientId: randomUUID(), text, files, channel: 'email' },
    ANY_OPEN,
  );
  if (!said) throw new Error('a locked chat took no message');
  const { seq } = said.message;
  await recordEmail(tx, email, id, seq);
  if (said.status !== 'bot' || said.isSpam) return { conversationId: id, seq };
  if (isNew || !(await botMayAnswer(tx, id)))
    await handOff(tx, session_id, { reason: 'rule', why: SUMMARY_LINES.by_email });
  else await tx.enqueue('bot.answer', { session_id }, { key: session_id });
  return { conversationId: id, seq };
}
