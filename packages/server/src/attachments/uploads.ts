import {
  MESSAGE_FILES_MAX,
  type MessageAttachment,
  UPLOAD_MAX_BYTES,
  UPLOADS_UNSENT_MAX,
  type Upload,
  type UploadLimits,
  uploadKindOf,
} from '@foyer/protocol';
import { DAY_MS, MINUTE_MS } from '@foyer/protocol/values/durations';
import { type RawBuilder, sql } from 'kysely';
import { AppError, invalidInput, notFound } from '../base/errors.ts';
import type { Actor } from '../core/actor.ts';
import type { SiteContext } from '../core/context.ts';
import type { Db } from '../db/database.ts';
import { cleanContentType, cleanFileName } from '../files/file-name.ts';
import { reencodeImage } from '../files/images.ts';
import type { RecurringJob } from '../jobs/schedule.ts';
import { deviceOf, speakingVisitor } from '../visitors/identity/own-visitor.ts';
import { ATTACHMENT_COLUMNS, type AttachmentRow, type FileLinks, type NewAttachment } from './attachments.ts';
import { refuseMalware } from './scan.ts';

/** The longest edge that any screen shows in a chat. */
const CHAT_IMAGE = { edgeMaxPixels: 2048 };
/** How much one sender may upload per day. */
const DAY_MAX_BYTES = 500 * 1024 * 1024;
/** How long an unsent file is kept: a night without a network, with the tab closed. */
const UNSENT_KEEP_MS = DAY_MS;
/**
 * Limit for all unsent uploads of a site's visitors together, so that strangers can't fill the disk with files that
 * nobody sees. Room for 200 files of the default 10 MiB. A file stops counting once it is sent, or after a day.
 */
const SITE_UNSENT_MAX_BYTES = 2 * 1024 ** 3;
const PRUNE_EVERY_MS = 10 * MINUTE_MS;
const PRUNE_BATCH = 200;
const ENDINGS = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
} as const;
const SAME_ENDINGS: Record<string, string> = { jpeg: 'jpg', jpe: 'jpg', jfif: 'jpg' };

/** The owner of the caller's files: the browser that uploaded them, or the agent. */
function ownedBy({ actor, site }: SiteContext): {
  device_id: RawBuilder<number | null> | null;
  agent_id: number | null;
} {
  if (actor.kind === 'visitor' && (actor.guest || actor.deviceId !== null))
    return { device_id: deviceOf(site.id, actor), agent_id: null };
  if (actor.kind === 'agent') return { device_id: null, agent_id: actor.agentId };
  throw new AppError('insufficient_scope', 'Only a visitor or an agent can send files.');
}

const isOwn = (ctx: SiteContext): RawBuilder<boolean> => {
  const { device_id, agent_id } = ownedBy(ctx);
  return device_id === null ? sql`agent_id = ${agent_id}` : sql`device_id = ${device_id}`;
};

const presentUpload = (row: AttachmentRow, uploadId: string): Upload => ({
  upload_id: uploadId,
  name: row.name,
  content_type: row.content_type,
  size: row.size,
});

/** The largest file, in bytes, that this sender may upload. */
export const uploadMaxBytes = (actor: Actor, limits: UploadLimits): number =>
  actor.kind === 'visitor' ? limits.max_bytes : UPLOAD_MAX_BYTES;

/** @throws AppError 415 for a kind of file that the site doesn't accept from visitors */
export function checkUploadName({ actor }: SiteContext, name: string, limits: UploadLimits): void {
  if (actor.kind !== 'visitor' || limits.kinds.includes(uploadKindOf(cleanFileName(name)))) return;
  throw new AppError('unsupported_media_type', 'This file type isn’t allowed.');
}

/** The name with the extension of the encoded format. */
function renamed(name: string, ending: string): string {
  const [, stem, given] = /^(.*)\.([^.]*)$/.exec(name) ?? ['', name, ''];
  const known = given?.toLowerCase() ?? '';
  return (SAME_ENDINGS[known] ?? known) === ending ? name : cleanFileName(`${stem}.${ending}`);
}

/** Encodes an image again so that it can be shown inline. Every other file stays as it is, as a download. */
export async function prepareUpload({ name, contentType, content }: NewAttachment) {
  const clean = cleanFileName(name);
  const image = uploadKindOf(clean) === 'image' ? await reencodeImage(content, CHAT_IMAGE) : undefined;
  if (!image)
    return { name: clean, content_type: cleanContentType(contentType), content, width: null, height: null };
  const { contentType: content_type, width, height } = image;
  return { name: renamed(clean, ENDINGS[content_type]), content_type, content: image.content, width, height };
}

/** The file that this sender uploaded under this id; undefined for another sender's. */
export async function findUpload(ctx: SiteContext, uploadId: string): Promise<Upload | undefined> {
  const row = await ctx.db
    .selectFrom('attachments')
    .select(ATTACHMENT_COLUMNS)
    .where('site_id', '=', ctx.site.id)
    .where('upload_id', '=', uploadId)
    .where(isOwn(ctx))
    .executeTakeFirst();
  return row && presentUpload(row, uploadId);
}

/** A condition: the sender and the site have room for this many more bytes. */
function hasRoom(ctx: SiteContext, bytes: number): RawBuilder<boolean> {
  const own = sql`from attachments where site_id = ${ctx.site.id} and ${isOwn(ctx)}`;
  const since = new Date(ctx.now().getTime() - DAY_MS);
  const ofSite = sql`from attachments where site_id = ${ctx.site.id} and device_id is not null
    and conversation_id is null and reply_id is null`;
  return sql`(select count(*) from (select 1 ${own} and conversation_id is null and reply_id is null
      limit ${UPLOADS_UNSENT_MAX}) waiting) < ${UPLOADS_UNSENT_MAX}
    and (select coalesce(sum(size), 0) ${own} and created_at > ${since}) <= ${DAY_MAX_BYTES - bytes}
    and (${ctx.actor.kind !== 'visitor'}
      or (select coalesce(sum(size), 0) ${ofSite}) <= ${SITE_UNSENT_MAX_BYTES - bytes})`;
}

/**
 * Stores a file for the message that will name it. Uploading it again under the same id stores it once.
 * @throws AppError 403 for a blocked visitor, 429 if the sender or the site has too many unsent files, or the
 * sender has uploaded too much in a day, or the site's quota is used up
 */
export async function keepUpload(ctx: SiteContext, uploadId: string, file: NewAttachment): Promise<Upload> {
  const { actor } = ctx;
  // A guest gets a record only together with a stored file.
  if (actor.kind === 'visitor' && !actor.guest) await speakingVisitor(ctx, actor);
  if (!(await ctx.services.filesQuota.hasRoom(ctx, file.content.length)))
    throw new AppError('rate_limited', 'This site’s storage for files is full.', {
      reason: 'storage_full',
      headers: { 'retry-after': '3600' },
    });
  await refuseMalware(ctx, [file]);
  const { name, content_type, content, width, height } = await prepareUpload(file);
  const { device_id, agent_id } = ownedBy(ctx);
  return ctx.transaction(async (tx) => {
    if (actor.kind === 'visitor' && actor.guest) await speakingVisitor(tx, actor);
    const { rows } = await sql<{ id: number }>`
      insert into attachments (site_id, upload_id, device_id, agent_id, name, content_type, size, content, width, height, created_at)
      select ${tx.site.id}::bigint, ${uploadId}::uuid, ${device_id}::bigint, ${agent_id}::bigint, ${name}::text,
        ${content_type}::text, ${content.length}::int, ${content}::bytea, ${width}::int, ${height}::int, ${tx.now()}::timestamptz
      where ${hasRoom(tx, content.length)}
      on conflict do nothing returning id`.execute(tx.db);
    const kept = await findUpload(tx, uploadId);
    if (kept) return kept;
    if (rows.length > 0) throw notFound('file');
    throw new AppError(
      'rate_limited',
      'Too many files. Send the pending ones first, or try again tomorrow.',
      {
        headers: { 'retry-after': '60' },
      },
    );
  });
}

/** Deletes an unsent file of this sender; a file that was sent stays with its message. */
export async function dropUpload(ctx: SiteContext, uploadId: string): Promise<void> {
  await ctx.db
    .deleteFrom('attachments')
    .where('site_id', '=', ctx.site.id)
    .where('upload_id', '=', uploadId)
    .where('conversation_id', 'is', null)
    .where('reply_id', 'is', null)
    .where(isOwn(ctx))
    .execute();
}

/** The names of this sender's uploads, in the order of the ids. @throws AppError 404 for an unknown one. */
export async function namesOfUploads(ctx: SiteContext, uploadIds: readonly string[]): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom('attachments')
    .select(['upload_id', 'name'])
    .where('site_id', '=', ctx.site.id)
    .where('upload_id', 'in', uploadIds)
    .where(isOwn(ctx))
    .limit(MESSAGE_FILES_MAX)
    .execute();
  const names = new Map(rows.map(({ upload_id, name }) => [upload_id, name]));
  return uploadIds.map((uploadId) => {
    const name = names.get(uploadId);
    if (name === undefined) throw notFound('file');
    return name;
  });
}

/** @throws AppError 400 for more files than the site accepts with one message of a visitor. */
async function checkCount({ db, site }: SiteContext, count: number): Promise<void> {
  const { upload_max_files: max } = await db
    .selectFrom('sites')
    .select('upload_max_files')
    .where('id', '=', site.id)
    .executeTakeFirstOrThrow();
  if (count > max)
    throw invalidInput([
      {
        path: 'attachments',
        message: `must have at most ${max} files`,
        reason: 'too_many',
        values: { count: max },
      },
    ]);
}

/**
 * Attaches files to a message or a reply, in the transaction that stores it, so that neither exists without the other.
 * @throws AppError 404 for a file that doesn't exist or no longer exists, is another sender's, or belongs to another
 *   message.
 */
export async function bindUploads(
  tx: SiteContext,
  to: { conversationId: number; seq: number } | { replyId: number },
  uploadIds: readonly string[],
): Promise<AttachmentRow[]> {
  if (tx.actor.kind === 'visitor') await checkCount(tx, uploadIds.length);
  const place =
    'replyId' in to
      ? sql`reply_id = ${to.replyId}`
      : sql`conversation_id = ${to.conversationId}, message_seq = ${to.seq}`;
  const { rows } = await sql<AttachmentRow & { position: number }>`
    update attachments set ${place}, position = array_position(${uploadIds}::uuid[], upload_id)
    where site_id = ${tx.site.id} and upload_id = any (${uploadIds}::uuid[]) and conversation_id is null
      and reply_id is null and ${isOwn(tx)}
    returning id, name, content_type, size, width, height, position`.execute(tx.db);
  if (rows.length !== uploadIds.length) throw notFound('file');
  return rows.sort((one, other) => one.position - other.position).map(({ position: _, ...row }) => row);
}

/** The files of a message `m` as a JSON column; null without files. */
export const filesOfMessage = sql<AttachmentRow[] | null>`(
      select json_agg(json_build_object('id', f.id, 'name', f.name, 'content_type', f.content_type, 'size', f.size,
        'width', f.width, 'height', f.height) order by f.position)
      from attachments f
      where f.site_id = m.site_id and f.conversation_id = m.conversation_id and f.message_seq = m.seq
    )`;

/** With signed links that expire. `image` is set only for pictures that the server has encoded again. */
export function presentMessageFile(siteId: number, links: FileLinks, row: AttachmentRow): MessageAttachment {
  const { id, name, content_type, size, width, height } = row;
  const now = links.now();
  const image =
    width === null || height === null
      ? null
      : { url: links.attachmentUrl(siteId, id, now, 'image'), width, height };
  return { id, name, content_type, size, url: links.attachmentUrl(siteId, id, now), image };
}

/**
 * Deletes a visitor's uploads, sent or not, before their browsers are erased. A sent file may have lost its browser
 * or come from an import: then its message identifies the visitor.
 * @returns the names of those that were sent
 */
export async function eraseUploadsOf(db: Db, siteId: number, visitorId: number): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    with gone as (
      delete from attachments a where a.site_id = ${siteId} and (
        a.device_id in (select id from visitor_devices where site_id = ${siteId} and visitor_id = ${visitorId})
        or a.id in (
          select f.id from conversations c
          join attachments f on f.site_id = c.site_id and f.conversation_id = c.id
          join messages m on m.site_id = f.site_id and m.conversation_id = f.conversation_id and m.seq = f.message_seq
          where c.site_id = ${siteId} and c.visitor_id = ${visitorId} and m.sender = 'visitor'))
      returning a.name, a.conversation_id
    ) select distinct name from gone where conversation_id is not null`.execute(db);
  return rows.map(({ name }) => name);
}

/** Deletes uploads that were never sent. */
export const uploadClock: RecurringJob[] = [
  {
    name: 'uploads.prune',
    everyMs: PRUNE_EVERY_MS,
    due: ({ now, limit }) => sql`
      select site_id as "siteId", min(id) as id from (
        select site_id, id from attachments
        where reply_id is null and conversation_id is null and mail_id is null and created_at < ${new Date(now.getTime() - UNSENT_KEEP_MS)}
        order by created_at limit ${PRUNE_BATCH}
      ) old group by site_id limit ${limit}`,
    async run(ctx) {
      await sql`
        delete from attachments a using (
          select site_id, id from attachments
          where site_id = ${ctx.site.id} and reply_id is null and conversation_id is null
            and mail_id is null and created_at < ${new Date(ctx.now().getTime() - UNSENT_KEEP_MS)}
          order by created_at limit ${PRUNE_BATCH} for update skip locked
        ) old where a.site_id = old.site_id and a.id = old.id`.execute(ctx.db);
    },
  },
];
