import { hash } from 'node:crypto';
import { ARTICLE_IMAGE_EDGE_MAX_PIXELS, ARTICLE_IMAGES_MAX, type OutputOf } from '@foyer/protocol';
import { sql } from 'kysely';
import { reencodeImage } from '../attachments/images.ts';
import type { SiteContext } from '../context.ts';
import type { Db } from '../db/database.ts';
import { AppError, invalidInput } from '../errors.ts';

const PREFIX = '/help/images/';
const DIGEST_CHARS = 32;
const NAME = /^(\d{1,15})-(\d{1,15})-([0-9a-f]{32})$/;

/** Whether an address is one of a picture that was kept here. */
export const isArticleImage = (address: string): boolean =>
  address.startsWith(PREFIX) && NAME.test(address.slice(PREFIX.length));

/**
 * Keeps a picture, drawn anew, for articles to show.
 * @throws AppError 400 for what is no picture; 409 when the site has ARTICLE_IMAGES_MAX already.
 */
export async function keepImage(
  ctx: SiteContext,
  content: Buffer,
): Promise<OutputOf<'article_images.create'>> {
  const image = await reencodeImage(content, { edgeMaxPixels: ARTICLE_IMAGE_EDGE_MAX_PIXELS });
  if (!image)
    throw invalidInput([
      { path: 'content', message: 'must be a JPEG, PNG, GIF or WebP picture that can be read' },
    ]);
  const { db, site } = ctx;
  const digest = hash('sha256', image.content, 'hex').slice(0, DIGEST_CHARS);
  const { contentType, width, height } = image;
  const { rows } = await sql<{ id: number }>`
    insert into article_images (site_id, digest, content_type, width, height, content, created_at)
    select ${site.id}, ${digest}, ${contentType}, ${width}, ${height}, ${image.content}, ${ctx.now()}
    where (select count(*) from (
      select from article_images where site_id = ${site.id} limit ${ARTICLE_IMAGES_MAX}) kept) < ${ARTICLE_IMAGES_MAX}
    on conflict (site_id, digest) do update set digest = excluded.digest
    returning id`.execute(db);
  const [row] = rows;
  if (!row)
    throw new AppError('conflict', `A site has at most ${ARTICLE_IMAGES_MAX} pictures in its articles.`);
  return { path: `${PREFIX}${site.id}-${row.id}-${digest}`, width, height };
}

export interface StoredImage {
  readonly contentType: string;
  readonly content: Buffer;
}

/** The picture of an address; undefined for any address that was not given out. */
export async function findImage(db: Db, name: string): Promise<StoredImage | undefined> {
  const [, site, id, digest = ''] = NAME.exec(name) ?? [];
  if (site === undefined) return undefined;
  const row = await db
    .selectFrom('article_images')
    .select(['content_type', 'content'])
    .where('site_id', '=', Number(site))
    .where('id', '=', Number(id))
    .where('digest', '=', digest)
    .executeTakeFirst();
  return row && { contentType: row.content_type, content: row.content };
}
