import type { ParsedInputOf, RedactionTarget } from '@foyer/protocol';
import { sql } from 'kysely';
import { invalidInput, notFound } from '../base/errors.ts';
import type { SiteContext } from '../core/context.ts';
import { contains, type Needle, needleOf } from './needle.ts';

type Input = ParsedInputOf<'redactions.create'>;

interface File {
  id: number;
  name: string;
}

/** An agent's choice: a message of a chat, a reply of a ticket, or a ticket's first message. */
export interface Target {
  kind: RedactionTarget;
  chatId: number | null;
  seq: number | null;
  messageId: number | null;
  ticketId: number | null;
  replyId: number | null;
  /** The text to redact, in it and in copies; undefined for a message without text. */
  needle: Needle | undefined;
  files: readonly File[];
}

/** The stored message, before the part to redact is known. */
interface Found extends Pick<Target, 'chatId' | 'seq' | 'messageId' | 'ticketId' | 'replyId' | 'files'> {
  text: string;
}

const NONE = { chatId: null, seq: null, messageId: null, ticketId: null, replyId: null };

async function findMessage({ db, site }: SiteContext, input: Input): Promise<Found> {
  const { rows } = await sql<{ chat_id: number; seq: number; id: number; text: string }>`
    select c.id as chat_id, m.seq, m.id, m.text from conversations c
    join messages m on m.site_id = c.site_id and m.conversation_id = c.id
    where c.site_id = ${site.id} and c.session_id = ${input.session_id ?? ''} and m.id = ${input.message_id ?? 0}`.execute(
    db,
  );
  const row = rows[0];
  if (!row) throw notFound('message');
  const { rows: files } = await sql<File>`
    select id, name from attachments
    where site_id = ${site.id} and conversation_id = ${row.chat_id} and message_seq = ${row.seq}`.execute(db);
  return { ...NONE, chatId: row.chat_id, seq: row.seq, messageId: row.id, text: row.text, files };
}

async function findReply({ db, site }: SiteContext, input: Input): Promise<Found> {
  const ticketId = input.ticket_id ?? 0;
  const replyId = input.reply_id ?? null;
  const { rows } = await sql<{ text: string }>`
    ${
      replyId === null
        ? sql`select description as text from tickets where site_id = ${site.id} and id = ${ticketId}`
        : sql`select body as text from ticket_replies
            where site_id = ${site.id} and ticket_id = ${ticketId} and id = ${replyId}`
    }`.execute(db);
  const row = rows[0];
  if (!row) throw notFound(replyId === null ? 'ticket' : 'reply');
  const mails = await mailsOf({ db, site }, ticketId, replyId);
  const { rows: files } = await sql<File>`
    select id, name from attachments where site_id = ${site.id} and reply_id = ${replyId}::bigint
    union select id, name from attachments where site_id = ${site.id} and mail_id = any (${mails}::bigint[])`.execute(
    db,
  );
  return { ...NONE, ticketId, replyId, text: row.text, files };
}

/** The emails of a reply, or of a ticket's first message. */
export async function mailsOf(
  { db, site }: Pick<SiteContext, 'db' | 'site'>,
  ticketId: number,
  replyId: number | null,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from ticket_mails
    where site_id = ${site.id} and ticket_id = ${ticketId} and reply_id is not distinct from ${replyId}::bigint`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/** @throws AppError 400 if the message doesn't have the text or file, 404 */
export async function findTarget(ctx: SiteContext, input: Input): Promise<Target> {
  const { text, files, ...place } = await (input.session_id === undefined
    ? findReply(ctx, input)
    : findMessage(ctx, input));
  if (input.attachment_id !== undefined) {
    const file = files.find(({ id }) => id === input.attachment_id);
    if (!file) throw notFound('file');
    return { ...place, kind: 'file', needle: needleOf(file.name), files: [file] };
  }
  if (input.text === undefined) return { ...place, kind: 'message', needle: needleOf(text), files };
  const needle = needleOf(input.text);
  if (!needle || !contains(text, needle))
    throw invalidInput([{ path: 'text', message: 'isn’t in the message' }]);
  return { ...place, kind: 'text', needle, files: [] };
}
