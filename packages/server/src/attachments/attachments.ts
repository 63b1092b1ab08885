import type { Attachment, NewAttachmentInput } from '@foyer/protocol';
import { sql } from 'kysely';
import type { Services, SiteContext } from '../core/context.ts';
import type { Db } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import { cleanContentType, cleanFileName } from '../files/file-name.ts';
import { IMAGE_HEAD_BYTES, imageTypeOf } from '../files/images.ts';

/** A file as it was sent. Name and type are the sender's claims and must be cleaned. */
export interface NewAttachment {
  name: string;
  contentType: string | undefined;
  content: Buffer;
  /** By which the HTML of its mail refers to it. */
  contentId?: string | null;
}

export interface AttachmentRow {
  id: number;
  name: string;
  content_type: string;
  size: number;
  /** Pixels of a picture that the server has encoded again; null for every other file. */
  width: number | null;
  height: number | null;
}

/** Creates a file's signed links: from a context's services, or a process's. */
export interface FileLinks {
  attachmentUrl: Services['attachmentUrl'];
  now(): Date;
}

/** How much of a file is in memory at a time. */
const CHUNK_BYTES = 1024 * 1024;
export const ATTACHMENT_COLUMNS = ['id', 'name', 'content_type', 'size', 'width', 'height'] as const;

/** Decodes files from REST, which sends them as base64 in JSON. */
export const decodeAttachments = (given: readonly NewAttachmentInput[]): NewAttachment[] =>
  given.map(({ name, content_type, content }) => ({
    name,
    contentType: content_type,
    content: Buffer.from(content, 'base64'),
  }));

/** Stores the files of a reply, or of the mail that began a ticket, in the transaction that creates it. */
export async function addAttachments(
  tx: SiteContext,
  of: { replyId: number } | { mailId: number },
  files: readonly NewAttachment[],
): Promise<AttachmentRow[]> {
  const rows: AttachmentRow[] = [];
  // One at a time: a statement with ten files would hold all of them in memory several times.
  for (const { name, contentType, content, contentId = null } of files) {
    const row = await tx.db
      .insertInto('attachments')
      .values({
        site_id: tx.site.id,
        reply_id: 'replyId' in of ? of.replyId : null,
        mail_id: 'mailId' in of ? of.mailId : null,
        content_id: contentId,
        name: cleanFileName(name),
        content_type: cleanContentType(contentType),
        size: content.length,
        content,
        created_at: tx.now(),
      })
      .returning(ATTACHMENT_COLUMNS)
      .modifyEnd(prepared)
      .executeTakeFirstOrThrow();
    rows.push(row);
  }
  return rows;
}

/** With a signed link that works for 24 hours without a sign-in. */
export const presentAttachment = (ctx: SiteContext, row: AttachmentRow): Attachment => ({
  id: row.id,
  name: row.name,
  content_type: row.content_type,
  size: row.size,
  url: ctx.services.attachmentUrl(ctx.site.id, row.id, ctx.now()),
});

/** The files of these replies by reply id, in the order in which they were sent. */
export async function attachmentsOfReplies(
  ctx: SiteContext,
  replyIds: readonly number[],
): Promise<Map<number, AttachmentRow[]>> {
  const found = new Map<number, AttachmentRow[]>();
  if (replyIds.length === 0) return found;
  const rows = await ctx.db
    .selectFrom('attachments')
    .select([...ATTACHMENT_COLUMNS, 'reply_id'])
    .where('site_id', '=', ctx.site.id)
    .where('reply_id', 'in', replyIds)
    .orderBy('id')
    .execute();
  for (const { reply_id: replyId, ...row } of rows)
    if (replyId !== null) found.set(replyId, [...(found.get(replyId) ?? []), row]);
  return found;
}

/** The files of the mail that began a ticket, in the order of the mail. */
export async function attachmentsOfDescription(
  { db, site }: SiteContext,
  ticketId: number,
): Promise<AttachmentRow[]> {
  // Two statements, because joined the planner may walk all files of the site. Most tickets have no mail.
  const mails = await db
    .selectFrom('ticket_mails')
    .select('id')
    .where('site_id', '=', site.id)
    .where('ticket_id', '=', ticketId)
    .where('reply_id', 'is', null)
    .execute();
  if (mails.length === 0) return [];
  return db
    .selectFrom('attachments')
    .select(ATTACHMENT_COLUMNS)
    .where('site_id', '=', site.id)
    .where(
      'mail_id',
      'in',
      mails.map(({ id }) => id),
    )
    .orderBy('id')
    .execute();
}

/** The file's row without its content; undefined for another site's id. Doesn't check who may see it. */
export async function findAttachment(db: Db, siteId: number, id: number): Promise<AttachmentRow | undefined> {
  return db
    .selectFrom('attachments')
    .select(ATTACHMENT_COLUMNS)
    .where('site_id', '=', siteId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/**
 * A picture that a mail's HTML may show: with the type that its first bytes say, whatever the mail calls it. Undefined
 * for every other file.
 */
export async function findInlineImage(
  db: Db,
  siteId: number,
  id: number,
): Promise<AttachmentRow | undefined> {
  const row = await db
    .selectFrom('attachments')
    .select(ATTACHMENT_COLUMNS)
    .select(sql<Buffer>`substring(content from 1 for ${IMAGE_HEAD_BYTES}::int)`.as('head'))
    .where('site_id', '=', siteId)
    .where('id', '=', id)
    .where('content_id', 'is not', null)
    .executeTakeFirst();
  if (!row) return undefined;
  const { head, ...file } = row;
  const content_type = imageTypeOf(head);
  return content_type && { ...file, content_type };
}

/** Reads a file's bytes in parts, so that a slow reader of a large file needs little memory. */
export async function* readAttachment(
  db: Db,
  siteId: number,
  { id, size }: AttachmentRow,
): AsyncGenerator<Buffer> {
  for (let from = 0; from < size; from += CHUNK_BYTES) {
    const { rows } = await sql<{ part: Buffer }>`
      select substring(content from ${from + 1}::int for ${CHUNK_BYTES}::int) as part from attachments
      where site_id = ${siteId} and id = ${id}`.execute(db);
    const part = rows[0]?.part;
    if (!part) throw new Error('the attachment was deleted while being read');
    yield part;
  }
}

/** Deletes the files that an erased visitor has sent. */
export async function eraseAttachmentsOf(db: Db, siteId: number, visitorId: number): Promise<void> {
  await sql`
    delete from attachments a using ticket_replies r, tickets t
    where t.site_id = ${siteId} and t.requester_id = ${visitorId}
      and r.site_id = t.site_id and r.ticket_id = t.id and r.author_type = 'requester'
      and a.site_id = r.site_id and a.reply_id = r.id`.execute(db);
}
