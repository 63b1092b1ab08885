import type { Category, OutputOf, ParsedInputOf } from '@foyer/protocol';
import { sql } from 'kysely';
import { AppError, notFound } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { decodeCursor, type Page, pageOf } from '../../db/keyset.ts';
import { lockKnowledge, nextVersion } from '../knowledge-version.ts';
import { categoryName } from '../transfer/import-text.ts';
import { createSlugs, slugOf } from './slug.ts';
import { freeSlug, takenSlugs, takeSlug } from './slugs.ts';

interface CategoryRow {
  id: number;
  name: string;
  slug: string;
  position: number;
  article_count: number;
  published_count: number;
}

const present = ({ id, name, slug, position, article_count, published_count }: CategoryRow): Category => ({
  id,
  name,
  slug,
  position,
  article_count,
  published_count,
});

const counted = ({ site }: SiteContext) => sql`
  from categories c, lateral (
    select count(*)::int as article_count, count(*) filter (where status = 'Published')::int as published_count
    from articles a where a.site_id = c.site_id and a.category_id = c.id
  ) counts
  where c.site_id = ${site.id}`;

/** By position, then id. */
export async function listCategories(
  ctx: SiteContext,
  { limit, cursor, order }: ParsedInputOf<'categories.list'>,
): Promise<Page<Category>> {
  const after = decodeCursor(cursor, 2);
  const [direction, compare] = order === 'asc' ? [sql`asc`, sql`>`] : [sql`desc`, sql`<`];
  const beyond = after
    ? sql`(c.position, c.id) ${compare} (${after[0]}::bigint, ${after[1]}::bigint)`
    : sql`true`;
  const { rows } = await sql<CategoryRow>`
    select c.*, counts.* ${counted(ctx)} and ${beyond}
    order by c.position ${direction}, c.id ${direction} limit ${limit + 1}`.execute(ctx.db);
  return pageOf(rows, limit, ({ position, id }) => [position, id], present);
}

/** @throws AppError 404, also for another site's. */
async function getCategory(ctx: SiteContext, id: number): Promise<Category> {
  const { rows } = await sql<CategoryRow>`select c.*, counts.* ${counted(ctx)} and c.id = ${id}`.execute(
    ctx.db,
  );
  if (!rows[0]) throw notFound('category');
  return present(rows[0]);
}

/**
 * The ids of categories by their names; missing ones are created, after the others, in the given order. In the caller's
 * transaction and under its lock of the knowledge.
 */
export async function categoryIds(tx: SiteContext, names: Iterable<string>): Promise<Map<string, number>> {
  const { db, site } = tx;
  const wanted = [...new Set(names)];
  if (wanted.length === 0) return new Map();
  const there = await db
    .selectFrom('categories')
    .select(['id', 'name'])
    .where('site_id', '=', site.id)
    .where(sql<boolean>`name = any (${wanted})`)
    .execute();
  const ids = new Map(there.map(({ id, name }) => [name, id]));
  const missing = wanted.filter((name) => !ids.has(name));
  if (missing.length === 0) return ids;
  const one = missing.length === 1 && missing[0] !== undefined ? { like: slugOf(missing[0]) } : {};
  const slugs = createSlugs(await takenSlugs(tx, 'category', one));
  const made = await sql<{ id: number; name: string }>`
    insert into categories (site_id, name, slug, position, created_at)
    select ${site.id}, m.name, m.slug, m.place + coalesce((select max(position) from categories where site_id = ${site.id}), 0), ${tx.now()}
    from unnest(${missing}::text[], ${missing.map(slugs.take)}::text[]) with ordinality as m (name, slug, place)
    returning id, name`.execute(db);
  for (const { id, name } of made.rows) ids.set(name, id);
  return ids;
}

/** As `categoryIds`, for one; null for none. */
export async function categoryIdOf(tx: SiteContext, category: string | null): Promise<number | null> {
  if (category === null) return null;
  const name = categoryName(category);
  return (await categoryIds(tx, [name])).get(name) ?? null;
}

async function refuseTaken(tx: SiteContext, name: string): Promise<void> {
  const there = await tx.db
    .selectFrom('categories')
    .select('id')
    .where('site_id', '=', tx.site.id)
    .where('name', '=', name)
    .executeTakeFirst();
  if (!there) return;
  const message = `A category named ${JSON.stringify(name)} already exists. You can merge the two.`;
  throw new AppError('conflict', message, { reason: 'name_taken', values: { name } });
}

/** @throws AppError 409 if there is one with that name. */
export async function createCategory(
  ctx: SiteContext,
  input: ParsedInputOf<'categories.create'>,
): Promise<Category> {
  const name = categoryName(input.name);
  return ctx.transaction(async (tx) => {
    await lockKnowledge(tx);
    await refuseTaken(tx, name);
    const ids = await categoryIds(tx, [name]);
    return getCategory(tx, ids.get(name) ?? 0);
  });
}

/** A new name gives a new slug; the old one redirects. @throws AppError 404, 409 if there is one with that name. */
export async function renameCategory(
  ctx: SiteContext,
  input: ParsedInputOf<'categories.update'>,
): Promise<Category> {
  const name = categoryName(input.name);
  return ctx.transaction(async (tx) => {
    await lockKnowledge(tx);
    const before = await getCategory(tx, input.id);
    if (name === before.name) return before;
    await refuseTaken(tx, name);
    const isSlugSame = slugOf(name) === slugOf(before.name);
    const slug = isSlugSame ? before.slug : await freeSlug(tx, 'category', name, input.id);
    if (!isSlugSame) await takeSlug(tx, 'category', before, slug);
    await tx.db
      .updateTable('categories')
      .set({ name, slug })
      .where('site_id', '=', tx.site.id)
      .where('id', '=', input.id)
      .execute();
    await touchArticles(tx, input.id);
    return getCategory(tx, input.id);
  });
}

/** The category of its articles has changed, so indexes load them again. */
async function touchArticles(tx: SiteContext, categoryId: number): Promise<void> {
  const version = await nextVersion(tx);
  await tx.db
    .updateTable('articles')
    .set({ version })
    .where('site_id', '=', tx.site.id)
    .where('category_id', '=', categoryId)
    .execute();
}

/** @throws AppError 404 */
export async function moveCategory(
  ctx: SiteContext,
  { id, before_id }: ParsedInputOf<'categories.move'>,
): Promise<Category> {
  return ctx.transaction(async (tx) => {
    await lockKnowledge(tx);
    const { db, site } = tx;
    const rows = await db
      .selectFrom('categories')
      .select('id')
      .where('site_id', '=', site.id)
      .orderBy('position')
      .orderBy('id')
      .execute();
    const order = rows.map((row) => row.id).filter((other) => other !== id);
    const at = before_id === null ? order.length : order.indexOf(before_id);
    if (order.length === rows.length || (at < 0 && before_id !== id)) throw notFound('category');
    if (before_id === id) return getCategory(tx, id);
    order.splice(at, 0, id);
    await sql`
      update categories c set position = o.place
      from unnest(${order}::bigint[]) with ordinality as o (id, place)
      where c.site_id = ${site.id} and c.id = o.id and c.position <> o.place`.execute(db);
    await nextVersion(tx);
    return getCategory(tx, id);
  });
}

const NAMED_MAX = 3;

/** An article is identified by title and category, so one category can't hold two with the same title. */
async function refuseMeeting(tx: SiteContext, fromId: number, intoId: number | null): Promise<void> {
  const { rows } = await sql<{ title: string }>`
    select a.title from articles a
    where a.site_id = ${tx.site.id} and a.category_id = ${fromId} and exists (
      select from articles b
      where b.site_id = a.site_id and b.category_id is not distinct from ${intoId}::bigint and b.title_key = a.title_key)
    order by a.id limit ${NAMED_MAX + 1}`.execute(tx.db);
  if (rows.length === 0) return;
  const names = rows.slice(0, NAMED_MAX).map(({ title }) => JSON.stringify(title));
  const more = rows.length > NAMED_MAX ? ' and others' : '';
  throw new AppError(
    'conflict',
    `Both categories have an article named ${names.join(', ')}${more}. Rename or delete one of each first. Nothing was changed.`,
    { reason: 'categories_share_titles', values: { name: names.join(', ') } },
  );
}

async function moveArticles(tx: SiteContext, fromId: number, intoId: number | null): Promise<void> {
  await refuseMeeting(tx, fromId, intoId);
  await touchArticles(tx, fromId);
  await tx.db
    .updateTable('articles')
    .set({ category_id: intoId })
    .where('site_id', '=', tx.site.id)
    .where('category_id', '=', fromId)
    .execute();
}

/** @throws AppError 404; 409 if both have an article with the same title. */
export async function mergeCategories(
  ctx: SiteContext,
  { id, into_id }: ParsedInputOf<'categories.merge'>,
): Promise<Category> {
  return ctx.transaction(async (tx) => {
    await lockKnowledge(tx);
    const [from, into] = [await getCategory(tx, id), await getCategory(tx, into_id)];
    if (from.id === into.id)
      throw new AppError('conflict', 'You can’t merge a category into itself.', {
        reason: 'category_into_itself',
      });
    await moveArticles(tx, id, into_id);
    await tx.db
      .updateTable('slug_redirects')
      .set({ category_id: into_id })
      .where('site_id', '=', tx.site.id)
      .where('category_id', '=', id)
      .execute();
    await removeRow(tx, id);
    await tx.db
      .insertInto('slug_redirects')
      .values({ site_id: tx.site.id, kind: 'category', slug: from.slug, category_id: into_id })
      .execute();
    return getCategory(tx, into_id);
  });
}

async function removeRow(tx: SiteContext, id: number): Promise<void> {
  await tx.db.deleteFrom('categories').where('site_id', '=', tx.site.id).where('id', '=', id).execute();
}

/**
 * The articles stay, without a category.
 * @throws AppError 404; 409 if one has the title of another article without a category.
 */
export async function deleteCategory(ctx: SiteContext, id: number): Promise<OutputOf<'categories.delete'>> {
  await ctx.transaction(async (tx) => {
    await lockKnowledge(tx);
    await getCategory(tx, id);
    await moveArticles(tx, id, null);
    await removeRow(tx, id);
  });
  return { id, deleted: true };
}
