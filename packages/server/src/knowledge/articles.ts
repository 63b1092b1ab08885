import type { Article, OutputOf, ParsedInputOf } from '@foyer/protocol';
import type { Selectable } from 'kysely';
import type { SiteContext } from '../context.ts';
import { containsPattern, cursorId, type Page, pageOf } from '../db/keyset.ts';
import type { Tables } from '../db/tables.ts';
import { AppError, isUniqueViolation, notFound } from '../errors.ts';
import { articleKey } from './import-text.ts';
import { lockKnowledge, nextVersion } from './knowledge-version.ts';
import { createSlugs, slugOf } from './slug.ts';

export type ArticleRow = Selectable<Tables['articles']>;

export const presentArticle = (row: ArticleRow): Article => ({
  id: row.id,
  title: row.title,
  category: row.category,
  status: row.status,
  body: row.body,
  slug: row.slug,
  updated_utc: row.updated_at.toISOString(),
});

/** @throws AppError 404, also for another site's. */
export async function getArticle({ db, site }: SiteContext, id: number): Promise<ArticleRow> {
  const row = await db
    .selectFrom('articles')
    .selectAll()
    .where('site_id', '=', site.id)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw notFound('article');
  return row;
}

type List = ParsedInputOf<'articles.list'>;

async function pageOfArticles({ db, site }: SiteContext, list: List): Promise<Page<Article>> {
  const { limit, cursor, order, q, status, category } = list;
  const after = cursorId(cursor);
  let query = db.selectFrom('articles').selectAll().where('site_id', '=', site.id);
  if (after !== undefined) query = query.where('id', order === 'asc' ? '>' : '<', after);
  if (status !== undefined) query = query.where('status', '=', status);
  if (category !== undefined) query = query.where('category', '=', category);
  if (q !== undefined) {
    const pattern = containsPattern(q);
    query = query.where((eb) => eb.or([eb('title', 'ilike', pattern), eb('body', 'ilike', pattern)]));
  }
  const rows = await query
    .orderBy('id', order)
    .limit(limit + 1)
    .execute();
  return pageOf(rows, limit, (row) => [row.id], presentArticle);
}

/** One article by its id, else a page, newest first. */
export async function listArticles(ctx: SiteContext, list: List): Promise<OutputOf<'articles.list'>> {
  return list.id === undefined ? pageOfArticles(ctx, list) : presentArticle(await getArticle(ctx, list.id));
}

/** Title and category are what makes an article itself (decisions 7), so no two have the same. */
async function refuseTwins<T>(title: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isUniqueViolation(error, 'articles_same')) throw error;
    throw new AppError(
      'conflict',
      `There is an article named ${JSON.stringify(title)} in this category already.`,
    );
  }
}

async function freeSlug({ db, site }: SiteContext, title: string): Promise<string> {
  const plain = slugOf(title);
  const taken = await db
    .selectFrom('articles')
    .select('slug')
    .where('site_id', '=', site.id)
    .where((eb) => eb.or([eb('slug', '=', plain), eb('slug', 'like', `${plain}-%`)]))
    .execute();
  return createSlugs(taken.map(({ slug }) => slug)).take(title);
}

/** @throws AppError 409 when title and category are another article's. */
export async function createArticle(
  ctx: SiteContext,
  input: ParsedInputOf<'articles.create'>,
): Promise<Article> {
  const { title, category = null, status = 'Draft', body = '' } = input;
  return ctx.transaction(async (tx) => {
    await lockKnowledge(tx);
    const values = {
      site_id: tx.site.id,
      title,
      category,
      status,
      body,
      article_key: articleKey(title, category),
      slug: await freeSlug(tx, title),
      version: await nextVersion(tx),
      created_at: tx.now(),
      updated_at: tx.now(),
    };
    return refuseTwins(title, async () =>
      presentArticle(
        await tx.db.insertInto('articles').values(values).returningAll().executeTakeFirstOrThrow(),
      ),
    );
  });
}

/**
 * Changes what is given; the slug stays, because pages link to it. What changes nothing leaves no trace.
 * @throws AppError 404, and 409 when title and category are another article's.
 */
export async function updateArticle(
  ctx: SiteContext,
  input: ParsedInputOf<'articles.update'>,
): Promise<Article> {
  return ctx.transaction(async (tx) => {
    await lockKnowledge(tx);
    const before = await getArticle(tx, input.id);
    const title = input.title ?? before.title;
    const category = input.category === undefined ? before.category : input.category;
    const status = input.status ?? before.status;
    const body = input.body ?? before.body;
    const isSame =
      title === before.title &&
      category === before.category &&
      status === before.status &&
      body === before.body;
    if (isSame) return presentArticle(before);
    const version = await nextVersion(tx);
    return refuseTwins(title, async () =>
      presentArticle(
        await tx.db
          .updateTable('articles')
          .set({
            title,
            category,
            status,
            body,
            article_key: articleKey(title, category),
            version,
            updated_at: tx.now(),
          })
          .where('site_id', '=', tx.site.id)
          .where('id', '=', input.id)
          .returningAll()
          .executeTakeFirstOrThrow(),
      ),
    );
  });
}

/** @throws AppError 404, also for another site's. */
export async function deleteArticle(ctx: SiteContext, id: number): Promise<{ id: number; deleted: true }> {
  await ctx.transaction(async (tx) => {
    await lockKnowledge(tx);
    const gone = await tx.db
      .deleteFrom('articles')
      .where('site_id', '=', tx.site.id)
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    if (!gone) throw notFound('article');
    await nextVersion(tx);
  });
  return { id, deleted: true };
}
