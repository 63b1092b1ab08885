import { hash } from 'node:crypto';
import { PICTURE_MAX_BYTES } from '@foyer/protocol';
import { sql } from 'kysely';
import { AppError, invalidInput } from '../base/errors.ts';
import type { SiteContext } from '../core/context.ts';
import type { Db } from '../db/database.ts';
import { type ImageForm, reencodeImage } from '../files/images.ts';

/** As large as pages show one, on screens with three dots a pixel. */
export const LOGO: ImageForm = { edgeMaxPixels: 256, as: 'image/webp' };
export const FACE: ImageForm = { edgeMaxPixels: 192, as: 'image/webp', isSquare: true };

const DIGEST_CHARS = 32;
const NAME = /^(\d{1,15})-[0-9a-f]{32}$/;

/** A picture that may show in a page, under the name that its content and whoever it stands for give it. */
export interface NewPicture {
  readonly name: string;
  readonly contentType: string;
  readonly content: Buffer;
}

/** Where a picture is, on this service; null for none. */
export const picturePath = (name: string | null): string | null =>
  name === null ? null : `/pictures/${name}`;

/** The name of a picture that came into another site. */
export const pictureIn = (siteId: number, name: string): string =>
  NAME.test(name) ? name.replace(/^\d+/, String(siteId)) : name;

/**
 * Outside of a transaction, because it takes its time.
 * @param agentId whose face it is; the address of one never leads to another's
 * @throws AppError 400 for what is no picture, is broken or decodes to too much; 413 for a file that is too large.
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

/** What is there already is kept once. The caller holds the site's lock. */
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

/** Deletes a picture that nobody has any more. The caller holds the site's lock. */
export async function dropPicture({ db, site }: SiteContext, name: string | null): Promise<void> {
  if (name === null) return;
  await sql`
    delete from pictures p where p.site_id = ${site.id} and p.name = ${name}
      and not exists (select from sites s where s.id = p.site_id and s.logo = p.name)
      and not exists (select from agents a where a.site_id = p.site_id and a.picture = p.name)`.execute(db);
}

/** The picture of a name, or the address of the one that has replaced it; undefined for any other that is gone. */
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
