import type { Language } from '@foyer/protocol';
import { HOUR_MS, MINUTE_MS } from '@foyer/protocol/values/durations';
import { sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { canSend, onlyMailboxId } from '../../mail/mailboxes/mailboxes.ts';
import { knownFrom } from '../../visitors/identity/greeting.ts';
import { isOpen } from '../../visitors/pages/pages.ts';
import { QUIET_MS } from './note-unread.ts';

/**
 * Longer than all attempts take: a mail that is queued for longer has lost its job, or was imported with an archive.
 */
const SENDING_MAX_MS = 24 * HOUR_MS;

/** A chat with replies that wait to be emailed, locked. */
export interface WaitingChat {
  id: number;
  session_id: string;
  visitor_id: number;
  page_url: string | null;
  language: Language | null;
  after_min: number | null;
  chat_mailbox_id: number | null;
  /** The address that the visitor left here. */
  email: string | null;
  is_blocked: boolean;
  is_spam: boolean;
  ended_by_visitor: boolean;
  /** Whether a mail of the chat waits to be sent. */
  is_sending: boolean;
  /** Replies that the visitor hasn't read, and that no mail contains. */
  from_seq: number | null;
  to_seq: number | null;
  oldest_at: Date | null;
  newest_at: Date | null;
  by_team: boolean | null;
  /** Whether an agent has ever written. */
  has_team: boolean;
}

interface Address {
  contact_email: string | null;
  verified: boolean;
  visitor_email: string | null;
  reported: Parameters<typeof knownFrom>[0] | null;
}
type Row = Omit<WaitingChat, 'email'> & Address;

/** Data known about a person must not be used for somebody who only claims to be them. */
const emailOf = ({ contact_email, verified, visitor_email, reported }: Address): string | null =>
  contact_email ?? (verified ? visitor_email : knownFrom(reported ?? {}, null).email);

/** Locks the chat, so that its visitor reads and the team writes before or after. Undefined if nothing is due. */
export async function lockWaitingChat(
  tx: SiteContext,
  conversationId: number,
): Promise<WaitingChat | undefined> {
  await sql`
    select from conversations where site_id = ${tx.site.id} and id = ${conversationId} for update`.execute(
    tx.db,
  );
  const { rows } = await sql<Row>`
    select c.id, c.session_id, c.visitor_id, c.page_url, c.language, c.contact_email, c.verified,
      s.email_replies_after_min as after_min, s.chat_mailbox_id, v.email as visitor_email,
      d.reported_attributes as reported, v.blocked_at is not null as is_blocked,
      c.spam_at is not null as is_spam,
      c.status = 'closed' and c.last_sender = 'system' and exists (
        select from messages m where m.site_id = c.site_id and m.conversation_id = c.id and m.seq = c.last_seq
          and m.event = 'closed_by_visitor') as ended_by_visitor,
      coalesce(sent.is_sending, false) as is_sending, unread.*, exists (
        select from messages m where m.site_id = c.site_id and m.conversation_id = c.id and m.sender = 'agent') as has_team
    from unread_replies u
    join conversations c on c.site_id = u.site_id and c.id = u.conversation_id
    join sites s on s.id = c.site_id
    join visitors v on v.site_id = c.site_id and v.id = c.visitor_id
    left join visitor_devices d on d.site_id = c.site_id and d.id = c.device_id
    left join lateral (
      select max(w.to_seq) filter (where w.state <> 'failed') as seq, bool_or(w.state = 'queued' and w.created_at > ${new Date(tx.now().getTime() - SENDING_MAX_MS)}) as is_sending from chat_mails w
      where w.site_id = c.site_id and w.conversation_id = c.id and w.is_outgoing) sent on true
    left join lateral (
      select min(m.seq) as from_seq, max(m.seq) as to_seq, min(m.created_at) as oldest_at,
        max(m.created_at) as newest_at,
        bool_or(m.sender = 'agent') as by_team
      from messages m where m.site_id = c.site_id and m.conversation_id = c.id
        and m.seq > greatest(c.visitor_read_seq, sent.seq) and m.sender in ('agent', 'bot')) unread on true
    where u.site_id = ${tx.site.id} and u.conversation_id = ${conversationId} and u.due_at <= ${tx.now()}`.execute(
    tx.db,
  );
  const [row] = rows;
  if (!row) return undefined;
  return { ...row, email: emailOf(row) };
}

/** Where a chat's unread replies are emailed; null: nowhere, as long as nothing changes. */
export async function findReach(ctx: SiteContext, conversationId: number): Promise<string | null> {
  const { rows } = await sql<Address & Pick<WaitingChat, 'chat_mailbox_id'>>`
    select c.contact_email, c.verified, v.email as visitor_email, d.reported_attributes as reported, s.chat_mailbox_id
    from conversations c
    join sites s on s.id = c.site_id and s.email_replies_after_min is not null
    join visitors v on v.site_id = c.site_id and v.id = c.visitor_id and v.blocked_at is null
    left join visitor_devices d on d.site_id = c.site_id and d.id = c.device_id
    where c.site_id = ${ctx.site.id} and c.id = ${conversationId} and c.spam_at is null`.execute(ctx.db);
  const email = rows[0] ? emailOf(rows[0]) : null;
  if (email === null) return null;
  return (await canSend(ctx, rows[0]?.chat_mailbox_id ?? (await onlyMailboxId(ctx)))) ? email : null;
}

/** A chat whose unread replies can be emailed. */
export type MailableChat = WaitingChat & {
  email: string;
  after_min: number;
  from_seq: number;
  to_seq: number;
  oldest_at: Date;
  newest_at: Date;
};

/** How many of a visitor's newest pages are checked. */
const PAGES_LOOKED_AT = 20;
/** However long the team continues to write. */
const QUIET_MAX_MS = 10 * MINUTE_MS;
/** Mails with chats to one address: enough for a busy day, too few to annoy somebody whose address was made up. */
const PER_ADDRESS_DAY_MAX = 20;

/**
 * Since when the visitor is away: since they left their last page, or, if one is open, since the first reply that they
 * haven't looked at.
 */
async function awaySince(ctx: SiteContext, { visitor_id, oldest_at }: MailableChat): Promise<Date> {
  const { db, site } = ctx;
  const { rows } = await sql<{ is_here: boolean | null; left_at: Date | null }>`
    select bool_or(${isOpen(ctx.now())}) as is_here, max(coalesce(p.left_at, p.alive_at)) as left_at from (
      select left_at, alive_at from visitor_pages
      where site_id = ${site.id} and visitor_id = ${visitor_id} order by id desc limit ${PAGES_LOOKED_AT}
    ) p`.execute(db);
  const [page] = rows;
  return page?.is_here === true || !page?.left_at ? oldest_at : page.left_at;
}

async function wasSentOften(ctx: SiteContext, email: string): Promise<boolean> {
  const { db, site } = ctx;
  const { rows } = await sql<{ created_at: Date }>`
    select created_at from chat_mails
    where site_id = ${site.id} and lower(to_address) = ${email.toLowerCase()} and is_outgoing
    order by id desc offset ${PER_ADDRESS_DAY_MAX - 1} limit 1`.execute(db);
  const [last] = rows;
  return last !== undefined && last.created_at.getTime() > ctx.now().getTime() - 24 * HOUR_MS;
}

const isMailable = (chat: WaitingChat): chat is MailableChat =>
  chat.from_seq !== null &&
  chat.email !== null &&
  chat.after_min !== null &&
  chat.has_team &&
  !chat.is_blocked &&
  !chat.is_spam &&
  !chat.ended_by_visitor;

/**
 * What to do about a chat's unread replies: email them now, look again at a time, or nothing, because they were read,
 * or can't be emailed.
 */
export async function decideMail(
  tx: SiteContext,
  chat: WaitingChat,
): Promise<{ mail: MailableChat } | { lookAt: Date } | undefined> {
  if (!isMailable(chat)) return undefined;
  const now = tx.now().getTime();
  if (chat.is_sending) return { lookAt: new Date(now + MINUTE_MS) };
  const waits = chat.after_min * MINUTE_MS;
  const away = (await awaySince(tx, chat)).getTime() + waits;
  const quiet = Math.min(chat.newest_at.getTime() + QUIET_MS, chat.oldest_at.getTime() + QUIET_MAX_MS);
  const due = Math.max(away, quiet);
  if (due > now) return { lookAt: new Date(due) };
  if (await wasSentOften(tx, chat.email)) return { lookAt: new Date(now + HOUR_MS) };
  return { mail: chat };
}
