import { hash } from 'node:crypto';
import { ARTICLE_IMAGE_EDGE_MAX_PIXELS, ARTICLE_IMAGES_MAX, type OutputOf } from '@foyer/protocol';
import { sql } from 'kysely';
import { invalidInput, tooMany } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import type { Db } from '../../db/database.ts';
import { reencodeImage } from '../../files/images.ts';
import type { RecurringJob } from '../../jobs/schedule.ts';
import { lockKnowledge } from '../knowledge-version.ts';

const PREFIX = '/help/images/';
const DIGEST_CHARS = 32;
const NAME = /^(\d{1,15})-(\d{1,15})-([0-9a-f]{32})$/;

/** Whether an address is that of a stored picture. */
export const isArticleImage = (address: string): boolean =>
  address.startsWith(PREFIX) && NAME.test(address.slice(PREFIX.length));

/** The name by which `findImage` finds the picture of such an address. */
export const imageName = (address: string): string => address.slice(PREFIX.length);

/** A picture of this installation, within a text: other servers' addresses have their host before the path. */
const IMAGE_IN_TEXT = /(?<![\w.:/-])\/help\/images\/\d{1,15}-(?=\d{1,15}-[0-9a-f]{32})/g;

/** Text that was imported into another site together with its pictures. */
export const withImagesOf = (siteId: number, text: string): string =>
  text.replace(IMAGE_IN_TEXT, `${PREFIX}${siteId}-`);

/**
 * Stores a picture, encoded again, for articles to show.
 * @throws AppError 400 for a file that is no picture; 409 when the site has ARTICLE_IMAGES_MAX already.
 */
export async function keepImage(
  ctx: SiteContext,
  content: Buffer,
): Promise<OutputOf<'article_images.create'>> {
  const image = await reencodeImage(content, { edgeMaxPixels: ARTICLE_IMAGE_EDGE_MAX_PIXELS });
  if (!image)
    throw invalidInput([
      {
        path: 'content',
        message: 'must be a valid JPEG, PNG, GIF or WebP picture',
        reason: 'picture',
      },
    ]);
  const { db, site } = ctx;
  const digest = hash('sha256', image.content, 'hex').slice(0, DIGEST_CHARS);
  const { contentType, width, height } = image;
  const { rows } = await sql<{ id: number }>`
    insert into article_images (site_id, digest, content_type, width, height, content, created_at, used_at)
    select ${site.id}, ${digest}, ${contentType}, ${width}, ${height}, ${image.content}, ${ctx.now()}, ${ctx.now()}
    where (select count(*) from (
      select from article_images where site_id = ${site.id} limit ${ARTICLE_IMAGES_MAX}) kept) < ${ARTICLE_IMAGES_MAX}
    on conflict (site_id, digest) do update set used_at = excluded.used_at
    returning id`.execute(db);
  const [row] = rows;
  if (!row)
    throw tooMany(
      ARTICLE_IMAGES_MAX,
      `A site can have at most ${ARTICLE_IMAGES_MAX} pictures in its articles.`,
    );
  return { path: `${PREFIX}${site.id}-${row.id}-${digest}`, width, height };
}

interface StoredImage {
  readonly contentType: string;
  readonly content: Buffer;
}

/** The picture of an address; undefined for an unknown address. */
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

const LOOK_EVERY_MS = 600_000;
/** How long a picture is kept that was just added to a text, or just removed from one. */
const LOOK_AFTER_MS = 7 * 86_400_000;
/** Pictures of a site per step. */
const LOOK_BATCH = 100;

/** Every text that can show a picture: published texts, drafts, and what can still be restored. */
const TEXTS = [
  ['articles', 'body'],
  ['article_drafts', 'body'],
  ['training_rows', 'answer'],
  ['deleted_articles', 'body'],
  ['deleted_article_versions', 'body'],
  // By far the largest, so it is only searched for those that are in none of the others.
  ['article_versions', 'body'],
] as const;

/** Those of these pictures that a text of the site shows. */
async function shownOf({ db, site }: SiteContext, digests: readonly string[]): Promise<Set<string>> {
  const shown = new Set<string>();
  for (const [table, column] of TEXTS) {
    const missing = digests.filter((digest) => !shown.has(digest));
    if (missing.length === 0) break;
    const { rows } = await sql<{ digest: string }>`
      select distinct found[1] as digest
      from ${sql.table(table)} t, regexp_matches(${sql.ref(`t.${column}`)}, '/help/images/\\d+-\\d+-([0-9a-f]{32})', 'g') as found
      where t.site_id = ${site.id} and position(${PREFIX} in ${sql.ref(`t.${column}`)}) > 0
        and found[1] = any (${missing})`.execute(db);
    for (const { digest } of rows) shown.add(digest);
  }
  return shown;
}

/** Removes those of the next LOOK_BATCH pictures that no text shows any longer. */
async function pruneImages(ctx: SiteContext): Promise<void> {
  await ctx.transaction(async (tx) => {
    // Prevents saving an article with one of them between the check and the removal.
    await lockKnowledge(tx);
    const before = new Date(tx.now().getTime() - LOOK_AFTER_MS);
    const { rows } = await sql<{ id: number; digest: string }>`
      select id, digest from article_images where site_id = ${tx.site.id} and used_at < ${before}
      order by used_at limit ${LOOK_BATCH} for update skip locked`.execute(tx.db);
    const shown = await shownOf(
      tx,
      rows.map(({ digest }) => digest),
    );
    const idsWhere = (isShown: boolean): number[] =>
      rows.filter(({ digest }) => shown.has(digest) === isShown).map(({ id }) => id);
    await sql`
      delete from article_images where site_id = ${tx.site.id} and id = any (${idsWhere(false)}::bigint[])`.execute(
      tx.db,
    );
    await sql`
      update article_images set used_at = ${tx.now()}
      where site_id = ${tx.site.id} and id = any (${idsWhere(true)}::bigint[])`.execute(tx.db);
  });
}

export const imageClock: RecurringJob = {
  name: 'article_images.prune',
  everyMs: LOOK_EVERY_MS,
  due: ({ now, limit }) => sql`
    select site_id as "siteId", min(id) as id from (
      select site_id, id from article_images where used_at < ${new Date(now.getTime() - LOOK_AFTER_MS)}
      order by used_at limit ${LOOK_BATCH}
    ) old group by site_id limit ${limit}`,
  run: (ctx) => pruneImages(ctx),
};
