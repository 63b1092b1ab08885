import { hash } from 'node:crypto';
import { PICTURE_MAX_BYTES } from '@foyer/protocol';
import { sql } from 'kysely';
import { AppError, invalidInput } from '../base/errors.ts';
import type { SiteContext } from '../core/context.ts';
import type { Db } from '../db/database.ts';
import { type ImageForm, reencodeImage } from '../files/images.ts';

/** The largest size at which pages show a logo, on screens with three pixels per dot. */
export const LOGO: ImageForm = { edgeMaxPixels: 256, as: 'image/webp' };
export const FACE: ImageForm = { edgeMaxPixels: 192, as: 'image/webp', isSquare: true };

const DIGEST_CHARS = 32;
const NAME = /^(\d{1,15})-[0-9a-f]{32}$/;

/** An image that is safe to show, under a name derived from its content and its owner. */
export interface NewPicture {
  readonly name: string;
  readonly contentType: string;
  readonly content: Buffer;
}

/** The path of a picture on this server; null without one. */
export const picturePath = (name: string | null): string | null =>
  name === null ? null : `/pictures/${name}`;

/** The name of a picture that was imported into another site. */
export const pictureIn = (siteId: number, name: string): string =>
  NAME.test(name) ? name.replace(/^\d+/, String(siteId)) : name;

/**
 * Call it outside of a transaction, because it takes time.
 * @param agentId the agent shown; undefined for a logo. Pictures of different agents never share an address
 * @throws AppError 400 for a file that is no image, is broken or decodes to too much; 413 for a file that is too
 * large
 */
export async function drawPicture(
  { site }: SiteContext,
  base64: string,
  form: ImageForm,
  agentId?: number,
): Promise<NewPicture> {
  const given = Buffer.from(base64, 'base64');
  if (given.length > PICTURE_MAX_BYTES)
    throw new AppError(
      'payload_too_large',
      `The picture is larger than ${PICTURE_MAX_BYTES / 1024 / 1024} MB.`,
      { reason: 'picture_large', values: { megabytes: PICTURE_MAX_BYTES / 1024 / 1024 } },
    );
  const image = await reencodeImage(given, form);
  if (!image)
    throw invalidInput([
      {
        path: 'content',
        message: 'must be a JPEG, PNG, GIF or WebP picture with at most 40 megapixels',
        reason: 'picture',
      },
    ]);
  const { contentType, content } = image;
  const named = agentId === undefined ? content : Buffer.concat([Buffer.from(`${agentId}:`), content]);
  const digest = hash('sha256', named, 'hex').slice(0, DIGEST_CHARS);
  return { name: `${site.id}-${digest}`, contentType, content };
}

/** Stores a picture, once if it exists already. The caller holds the site's lock. */
export async function keepPicture(
  tx: SiteContext,
  { name, contentType, content }: NewPicture,
): Promise<void> {
  await tx.db
    .insertInto('pictures')
    .values({ site_id: tx.site.id, name, content_type: contentType, content, created_at: tx.now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Deletes a picture that is no longer used. The caller holds the site's lock. */
export async function dropPicture({ db, site }: SiteContext, name: string | null): Promise<void> {
  if (name === null) return;
  await sql`
    delete from pictures p where p.site_id = ${site.id} and p.name = ${name}
      and not exists (select from sites s where s.id = p.site_id and s.logo = p.name)
      and not exists (select from agents a where a.site_id = p.site_id and a.picture = p.name)`.execute(db);
}

/**
 * The picture with this name, or the address of the one that replaced it; undefined for any other deleted picture.
 */
export async function findPicture(
  db: Db,
  name: string,
): Promise<{ contentType: string; content: Buffer } | { movedTo: string } | undefined> {
  const site = NAME.exec(name)?.[1];
  if (site === undefined) return undefined;
  const row = await db
    .selectFrom('pictures')
    .select(['content_type', 'content'])
    .where('site_id', '=', Number(site))
    .where('name', '=', name)
    .executeTakeFirst();
  if (row) return { contentType: row.content_type, content: row.content };
  const agent = await db
    .selectFrom('agents')
    .select('picture')
    .where('site_id', '=', Number(site))
    .where(sql<boolean>`${name} = any (earlier_pictures)`)
    .executeTakeFirst();
  const movedTo = picturePath(agent?.picture ?? null);
  return movedTo === null ? undefined : { movedTo };
}
