import type { ParsedInputOf, Redacted } from '@foyer/protocol';
import { sql } from 'kysely';
import { notFound } from '../base/errors.ts';
import type { SiteContext } from '../core/context.ts';
import type { Notice } from '../core/domain-event.ts';
import { redactForBot } from './bot-copies.ts';
import { type Changed, type Conversation, redactCopies } from './copies.ts';
import { redactEvents } from './events.ts';
import { redactMails } from './mails.ts';
import { REDACTED, redactAll } from './needle.ts';
import { indexAgain, lockIndex } from './search-index.ts';
import { findTarget, mailsOf, type Target } from './target.ts';

/** The most chats and tickets of a conversation that are searched: merges can join any number. */
const LINKED_MAX = 200;

/**
 * Locks the chats and tickets that share a conversation's texts: tickets of chats, merged ones, follow-ups, and chats
 * that continue earlier ones.
 */
async function lockConversation(
  { db, site }: SiteContext,
  { chatId, ticketId }: Target,
): Promise<Conversation> {
  const { rows } = await sql<{ kind: 'chat' | 'ticket'; id: number }>`
    with recursive linked (kind, id) as (
      select ${chatId === null ? 'ticket' : 'chat'}::text, ${chatId ?? ticketId}::bigint
      union
      select other.kind, other.id from linked l cross join lateral (
        select 'chat'::text as kind, t.conversation_id as id from tickets t
        where l.kind = 'ticket' and t.site_id = ${site.id} and t.id = l.id and t.conversation_id is not null
        union all
        select 'chat', c.previous_id from conversations c
        where l.kind = 'chat' and c.site_id = ${site.id} and c.id = l.id and c.previous_id is not null
        union all
        select 'chat', c.id from conversations c
        where l.kind = 'chat' and c.site_id = ${site.id} and c.previous_id = l.id
        union all
        select 'ticket', t.id from tickets t
        where l.kind = 'chat' and t.site_id = ${site.id} and t.conversation_id = l.id
        union all
        select 'ticket', other.id from tickets t
        cross join lateral unnest(array[t.merged_into_id, t.follow_up_of_id]) as other (id)
        where l.kind = 'ticket' and t.site_id = ${site.id} and t.id = l.id and other.id is not null
        union all
        select 'ticket', t.id from tickets t
        where l.kind = 'ticket' and t.site_id = ${site.id} and t.merged_into_id = l.id
        union all
        select 'ticket', t.id from tickets t
        where l.kind = 'ticket' and t.site_id = ${site.id} and t.follow_up_of_id = l.id
      ) other
    )
    select kind, id from linked limit ${LINKED_MAX}`.execute(db);
  const idsOf = (kind: string): number[] => rows.filter((row) => row.kind === kind).map(({ id }) => id);
  const [chats, tickets] = [idsOf('chat'), idsOf('ticket')];
  for (const [table, ids] of [
    ['conversations', chats],
    ['tickets', tickets],
  ] as const)
    await sql`
      select from ${sql.table(table)}
      where site_id = ${site.id} and id = any (${ids}::bigint[]) order by id for update`.execute(db);
  return { chats, tickets };
}

/** Where a target's own text is stored. */
const textOf = ({ messageId, ticketId, replyId }: Target) => {
  if (messageId !== null) return { table: 'messages', column: 'text', id: messageId };
  if (replyId !== null) return { table: 'ticket_replies', column: 'body', id: replyId };
  return { table: 'tickets', column: 'description', id: ticketId };
};

/** The chosen message itself, of which even a very short text is redacted. */
async function redactOwnText({ db, site }: SiteContext, target: Target): Promise<void> {
  const { table, column, id } = textOf(target);
  const { rows } = await sql<{ text: string }>`
    select ${sql.ref(column)} as text from ${sql.table(table)} where site_id = ${site.id} and id = ${id}`.execute(
    db,
  );
  const before = rows[0]?.text ?? '';
  const after = redactOwn(before, target);
  if (after !== before)
    await sql`
      update ${sql.table(table)} set ${sql.ref(column)} = ${after} where site_id = ${site.id} and id = ${id}`.execute(
      db,
    );
}

function redactOwn(text: string, { kind, needle, files }: Target): string {
  if (kind === 'message') return REDACTED;
  if (kind === 'text') return needle ? redactAll(text, needle) : text;
  // A message of files alone would be empty.
  return text === '' && files.length > 0 ? REDACTED : text;
}

/** Deletes files, and every file of the conversation with the same content. @returns their ids */
async function deleteFiles(
  { db, site }: SiteContext,
  { chats, tickets }: Conversation,
  files: Target['files'],
): Promise<number[]> {
  if (files.length === 0) return [];
  const ids = files.map(({ id }) => id);
  const { rows } = await sql<{ id: number }>`
    delete from attachments a using attachments f
    where f.site_id = ${site.id} and f.id = any (${ids}::bigint[]) and a.site_id = f.site_id
      and (a.id = f.id or (a.size = f.size and a.content = f.content and (
        a.conversation_id = any (${[...chats]}::bigint[])
        or a.reply_id in (select id from ticket_replies where site_id = ${site.id} and ticket_id = any (${[...tickets]}::bigint[]))
        or a.mail_id in (select id from ticket_mails where site_id = ${site.id} and ticket_id = any (${[...tickets]}::bigint[])))))
    returning a.id`.execute(db);
  return rows.map(({ id }) => id);
}

async function sessionIdsOf(
  { db, site }: SiteContext,
  chats: readonly number[],
): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; session_id: string }>`
    select id, session_id from conversations where site_id = ${site.id} and id = any (${[...chats]}::bigint[])`.execute(
    db,
  );
  return new Map(rows.map((row) => [row.id, row.session_id]));
}

/**
 * Marks changed messages, so that browsers that have them receive them again.
 * @returns the notices for desks and widgets
 */
async function noticesOf(
  { db, site }: SiteContext,
  { tickets }: Conversation,
  sessions: ReadonlyMap<number, string>,
  changed: readonly Changed[],
): Promise<Notice[]> {
  const notices: Notice[] = tickets.map((ticketId) => ({ kind: 'ticket', ticketId }));
  for (const [chatId, sessionId] of sessions) {
    const own = changed.filter(({ conversationId }) => conversationId === chatId);
    const seqs = own.flatMap(({ table, seq }) => (table === 'messages' && seq !== null ? [seq] : []));
    await sql`
      update conversations set redacted_seqs = array(
        select distinct seq from unnest(redacted_seqs || ${seqs}::integer[]) as seq order by seq)
      where site_id = ${site.id} and id = ${chatId}`.execute(db);
    for (const { table, id } of own)
      if (table === 'notes' && id !== null) notices.push({ kind: 'note', sessionId, noteId: id });
    notices.push({ kind: 'redacted', sessionId }, { kind: 'session', sessionId });
  }
  return notices;
}

interface Outcome {
  redacted: Redacted;
  notices: Notice[];
}

async function redactLocked(tx: SiteContext, input: ParsedInputOf<'redactions.create'>): Promise<Outcome> {
  const target = await findTarget(tx, input);
  const conversation = await lockConversation(tx, target);
  const { kind, needle, seq, chatId, messageId, ticketId, replyId } = target;
  const own: Changed = { table: textOf(target).table, id: null, conversationId: chatId, seq };
  const mails = ticketId === null ? [] : await mailsOf(tx, ticketId, replyId);
  const files = await deleteFiles(tx, conversation, target.files);
  await redactOwnText(tx, target);
  const changed = [own, ...(needle ? await redactCopies(tx, conversation, needle) : [])];
  const sessions = await sessionIdsOf(tx, conversation.chats);
  const isWhole = kind === 'message';
  const others =
    (needle ? await redactForBot(tx, conversation.chats, needle) : 0) +
    (await redactMails(tx, conversation, needle, isWhole ? mails : [])) +
    (await redactEvents(
      tx,
      { sessionIds: [...sessions.values()], tickets: conversation.tickets },
      { needle, messageId: isWhole ? messageId : null, replyId: isWhole ? replyId : null, files },
    ));
  await indexAgain(tx, conversation);
  return {
    redacted: {
      session_id: input.session_id ?? null,
      ticket_id: ticketId,
      message_id: messageId,
      reply_id: replyId,
      target: kind,
      places: changed.length + files.length + others,
    },
    notices: await noticesOf(tx, conversation, sessions, changed),
  };
}

/**
 * Redacts a part of a message, all of it or one of its files, and every copy of that in its conversation: other
 * messages, notes, excerpts, summaries, emails, the bot's questions, search and webhooks. Can't be undone. The audit
 * log records who did it where, but not the text.
 * @throws AppError 400 if the message doesn't have the text, 404
 */
export const redactContent = (
  ctx: SiteContext,
  input: ParsedInputOf<'redactions.create'>,
): Promise<Redacted> =>
  ctx.transaction(async (tx) => {
    if (tx.actor.kind === 'visitor') throw notFound('message');
    // Redactions of a site wait for each other here, so the found text can't change.
    await lockIndex(tx);
    const { redacted, notices } = await redactLocked(tx, input);
    const { places: _, ...where } = redacted;
    const by = tx.actor.kind === 'agent' ? { id: tx.actor.agentId, name: tx.actor.name } : null;
    await tx.emit({
      notices,
      audit: {
        subject: 'redaction',
        subjectId: redacted.message_id ?? redacted.reply_id ?? redacted.ticket_id,
        label: redacted.session_id ?? `#${redacted.ticket_id}`,
        action: `redactions.${redacted.target}`,
      },
      webhook: { event: 'content_redacted', body: { ...where, by } },
    });
    return redacted;
  });
