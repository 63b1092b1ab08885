import type { Message, Sender, Source, WebhookBody } from '@foyer/protocol';
import { type RawBuilder, sql } from 'kysely';
import type { AttachmentRow, FileLinks } from '../attachments/attachments.ts';
import { filesOfMessage, presentMessageFile } from '../attachments/uploads.ts';
import type { SiteContext } from '../core/context.ts';
import type { StoredEvent } from '../db/column-types.ts';
import type { Db } from '../db/database.ts';
import { constant, prepared } from '../db/prepared.ts';
import { picturePath } from '../sites/pictures.ts';

export interface MessageRow {
  seq: number;
  id: number;
  client_id: string;
  sender: Sender;
  agent_id: number | null;
  author_name: string | null;
  author_picture: string | null;
  text: string;
  sources: Source[] | null;
  event: StoredEvent | null;
  choices: string[] | null;
  created_at: Date;
  /** Null means no files. */
  files?: AttachmentRow[] | null;
}

/** The current picture of the message's author, if an agent wrote it. */
export const pictureOfAuthor = (
  message: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`case when ${message}.agent_id is not null then (
    select a.picture from agents a where a.site_id = ${message}.site_id and a.id = ${message}.agent_id) end as author_picture`;

/** The columns of a message `m`, with its files. */
export const messageColumns = constant(
  sql`m.seq, m.id, m.client_id, m.sender, m.agent_id, m.author_name, ${pictureOfAuthor(sql`m`)}, m.text, m.sources, m.event,
      m.choices, m.created_at, ${filesOfMessage} as files`,
);

/** Signs expiring links with `links`. Omits `not_known`, an internal mark of the bot. */
export function presentMessage(siteId: number, links: FileLinks, row: MessageRow): Message {
  return {
    id: row.id,
    seq: row.seq,
    client_id: row.client_id,
    sender: row.sender,
    author:
      row.author_name === null
        ? null
        : { id: row.agent_id, name: row.author_name, picture_url: picturePath(row.author_picture) },
    text: row.text,
    attachments: (row.files ?? []).map((file) => presentMessageFile(siteId, links, file)),
    sources: row.sources ?? [],
    event: row.event === 'not_known' ? null : row.event,
    ...(row.choices ? { choices: row.choices } : {}),
    created_utc: row.created_at.toISOString(),
  };
}

/** Creates links that are signed now. */
export const linksOf = (ctx: SiteContext): FileLinks => ({
  attachmentUrl: ctx.services.attachmentUrl,
  now: () => ctx.now(),
});

/** The author as REST and webhooks show them: without a picture. */
export const namedAuthor = ({ author }: Pick<Message, 'author'>) =>
  author && { id: author.id, name: author.name };

/** What a message cites as REST shows it: articles and documents in separate lists. */
export const citedIn = ({ sources }: Pick<Message, 'sources'>) => ({
  sources: sources.filter((source) => 'article_id' in source),
  documents: sources.filter((source) => 'document_id' in source),
});

/** The body of the `message_created` event. */
export const announcement = (
  sessionId: string,
  { id, seq, sender, text, attachments, created_utc, ...said }: Message,
  channel: 'chat' | 'email' = 'chat',
): WebhookBody<'message_created'> => ({
  session_id: sessionId,
  channel,
  message: { id, seq, sender, author: namedAuthor(said), text, attachments, created_utc },
});

/** Stored messages of a chat after `afterSeq`, in order, at most `limit`. */
export async function messageRowsAfter(
  db: Db,
  siteId: number,
  sessionId: string,
  afterSeq: number,
  limit: number,
): Promise<MessageRow[]> {
  const { rows } = await sql<MessageRow>`${prepared}
    select ${messageColumns}
    from messages m
    where m.site_id = ${siteId} and m.seq > ${afterSeq} and m.conversation_id = (
      select id from conversations where site_id = ${siteId} and session_id = ${sessionId}
    )
    order by m.seq limit ${limit}`.execute(db);
  return rows;
}

/** Messages of a chat after `afterSeq`, in order, at most `limit`. */
export async function messagesAfter(
  db: Db,
  links: FileLinks,
  siteId: number,
  sessionId: string,
  afterSeq: number,
  limit: number,
): Promise<Message[]> {
  const rows = await messageRowsAfter(db, siteId, sessionId, afterSeq, limit);
  return rows.map((row) => presentMessage(siteId, links, row));
}

/** The redacted messages of a chat up to `upTo`, in order. Most chats have none. */
export async function redactedMessages(
  db: Db,
  links: FileLinks,
  siteId: number,
  sessionId: string,
  upTo: number,
): Promise<Message[]> {
  const { rows } = await sql<MessageRow>`${prepared}
    select ${messageColumns}
    from conversations c cross join lateral unnest(c.redacted_seqs) as redacted (seq)
    join messages m on m.site_id = c.site_id and m.conversation_id = c.id and m.seq = redacted.seq
    where c.site_id = ${siteId} and c.session_id = ${sessionId} and redacted.seq <= ${upTo}
    order by m.seq`.execute(db);
  return rows.map((row) => presentMessage(siteId, links, row));
}
