import type { Article, ArticleCause, OutputOf, ParsedInputOf } from '@foyer/protocol';
import { type Selectable, sql } from 'kysely';
import { AppError, isUniqueViolation, notFound } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { contains, idPage } from '../../db/keyset.ts';
import type { Tables } from '../../db/tables.generated.ts';
import { lockKnowledge, nextVersion } from '../knowledge-version.ts';
import { categoryName, titleKey } from '../transfer/import-text.ts';
import { categoryIdOf } from './categories.ts';
import { putAway } from './deleted-articles.ts';
import { freeSlug, takeSlug } from './slugs.ts';
import { noteVersions } from './versions.ts';

/** An article with its category's name. */
export type ArticleRow = Selectable<Tables['articles']> & { category: string | null };

/** What REST shows; the desk's `version` is not part of it. */
export const presentArticle = (row: ArticleRow): Article => ({
  id: row.id,
  title: row.title,
  category: row.category,
  status: row.status,
  body: row.body,
  slug: row.slug,
  updated_utc: row.updated_at.toISOString(),
});

/** The site's articles with their categories' names. */
export const articlesOf = ({ db, site }: SiteContext) =>
  db
    .selectFrom('articles')
    .leftJoin('categories', (join) =>
      join
        .onRef('categories.site_id', '=', 'articles.site_id')
        .onRef('categories.id', '=', 'articles.category_id'),
    )
    .selectAll('articles')
    .select('categories.name as category')
    .where('articles.site_id', '=', site.id);

/** @throws AppError 404, also for another site's. */
export const getArticle = (ctx: SiteContext, id: number): Promise<ArticleRow> =>
  articlesOf(ctx)
    .where('articles.id', '=', id)
    .executeTakeFirstOrThrow(() => notFound('article'));

type List = ParsedInputOf<'articles.list'>;
type Filter = ParsedInputOf<'articles.count'>;

/** The articles that match the filters; a category of null selects those without one. */
export function filteredArticles(ctx: SiteContext, { q, status, category }: Filter) {
  let query = articlesOf(ctx);
  if (status !== undefined) query = query.where('articles.status', '=', status);
  if (category === null) query = query.where('articles.category_id', 'is', null);
  else if (category !== undefined) query = query.where('categories.name', '=', categoryName(category));
  return q === undefined ? query : query.where(contains(['articles.title', 'articles.body'], q));
}

/** One article if an id is given, else a page, newest first. */
export async function listArticles(ctx: SiteContext, list: List): Promise<OutputOf<'articles.list'>> {
  if (list.id !== undefined) return presentArticle(await getArticle(ctx, list.id));
  return idPage(filteredArticles(ctx, list), list, presentArticle, 'articles.id');
}

/** An article is identified by title and category, so a site has no two with the same. */
async function refuseTwins<T>(title: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isUniqueViolation(error, 'articles_same')) throw error;
    throw new AppError('conflict', `This category already has an article named ${JSON.stringify(title)}.`, {
      reason: 'article_title_taken',
      values: { name: title },
    });
  }
}

/** An article without its slug. */
export type ArticleText = Pick<Article, 'title' | 'category' | 'status' | 'body'>;

/**
 * Inserts an article. The caller's transaction holds the knowledge lock.
 * @throws AppError 409 when title and category are another article's.
 */
export async function insertArticle(
  tx: SiteContext,
  { title, category, status, body }: ArticleText,
  cause: ArticleCause,
): Promise<ArticleRow> {
  const values = {
    site_id: tx.site.id,
    title,
    title_key: titleKey(title),
    category_id: await categoryIdOf(tx, category),
    status,
    body,
    slug: await freeSlug(tx, 'article', title),
    version: await nextVersion(tx),
    created_at: tx.now(),
    updated_at: tx.now(),
  };
  const { id } = await refuseTwins(title, () =>
    tx.db.insertInto('articles').values(values).returning('id').executeTakeFirstOrThrow(),
  );
  await noteVersions(tx, [id], cause);
  return getArticle(tx, id);
}

/** @throws AppError 409 when title and category are another article's. */
export async function createArticle(
  ctx: SiteContext,
  input: ParsedInputOf<'articles.create'>,
): Promise<Article> {
  const { title, category = null, status = 'Draft', body = '' } = input;
  return ctx.transaction(async (tx) => {
    await lockKnowledge(tx);
    return presentArticle(await insertArticle(tx, { title, category, status, body }, 'created'));
  });
}

/**
 * Updates an article. The caller's transaction holds the knowledge lock. Without a difference, it writes nothing.
 * @throws AppError 409 when title and category are another article's, or the slug is.
 */
export async function changeArticle(
  tx: SiteContext,
  before: ArticleRow,
  { title, category, status, body, slug = before.slug }: ArticleText & { slug?: string | undefined },
  cause: ArticleCause,
): Promise<ArticleRow> {
  const name = category === null ? null : categoryName(category);
  const isSame =
    title === before.title &&
    name === before.category &&
    status === before.status &&
    body === before.body &&
    slug === before.slug;
  if (isSame) return before;
  if (slug !== before.slug) await takeSlug(tx, 'article', before, slug);
  const values = {
    title,
    title_key: titleKey(title),
    category_id: await categoryIdOf(tx, category),
    status,
    body,
    slug,
    version: await nextVersion(tx),
    updated_at: tx.now(),
  };
  await refuseTwins(title, () =>
    tx.db
      .updateTable('articles')
      .set(values)
      .where('site_id', '=', tx.site.id)
      .where('id', '=', before.id)
      .execute(),
  );
  await noteVersions(tx, [before.id], cause);
  return getArticle(tx, before.id);
}

/**
 * Changes the given fields; the slug stays, because pages link to it.
 * @throws AppError 404, and 409 when title and category are another article's.
 */
export async function updateArticle(
  ctx: SiteContext,
  input: ParsedInputOf<'articles.update'>,
): Promise<Article> {
  return ctx.transaction(async (tx) => {
    await lockKnowledge(tx);
    const before = await getArticle(tx, input.id);
    const { title = before.title, category = before.category, status = before.status } = input;
    const wanted = { title, category, status, body: input.body ?? before.body };
    return presentArticle(await changeArticle(tx, before, wanted, 'edited'));
  });
}

/**
 * Deletes an article, which can be restored for a while.
 * @throws AppError 404, also for another site's.
 */
export async function deleteArticle(ctx: SiteContext, id: number): Promise<{ id: number; deleted: true }> {
  await ctx.transaction(async (tx) => {
    await lockKnowledge(tx);
    if ((await putAway(tx, [id])).length === 0) throw notFound('article');
  });
  return { id, deleted: true };
}

/** Counts what `listArticles` would list with the same filter. */
export async function countArticles(ctx: SiteContext, filter: Filter): Promise<{ count: number }> {
  const { count } = await filteredArticles(ctx, filter)
    .clearSelect()
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  return { count };
}
