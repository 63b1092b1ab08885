import { AppError } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { createSlugs, slugOf } from './slug.ts';

type SlugKind = 'article' | 'category';

const tableOf = { article: 'articles', category: 'categories' } as const;
const columnOf = { article: 'article_id', category: 'category_id' } as const;

/** All slugs in use or redirecting for this kind: those that begin like one, those of other records than one. */
export async function takenSlugs(
  { db, site }: SiteContext,
  kind: SlugKind,
  { like, notOf }: { like?: string; notOf?: number } = {},
): Promise<string[]> {
  let now = db.selectFrom(tableOf[kind]).select('slug').where('site_id', '=', site.id);
  let former = db
    .selectFrom('slug_redirects')
    .select('slug')
    .where('site_id', '=', site.id)
    .where('kind', '=', kind);
  if (notOf !== undefined) {
    now = now.where('id', '<>', notOf);
    former = former.where((eb) => eb.not(eb(columnOf[kind], 'is not distinct from', notOf)));
  }
  if (like !== undefined) {
    now = now.where((eb) => eb.or([eb('slug', '=', like), eb('slug', 'like', `${like}-%`)]));
    former = former.where((eb) => eb.or([eb('slug', '=', like), eb('slug', 'like', `${like}-%`)]));
  }
  return (await now.unionAll(former).execute()).map(({ slug }) => slug);
}

/** A slug for a title that no other record has or had. */
export async function freeSlug(
  tx: SiteContext,
  kind: SlugKind,
  title: string,
  recordId?: number,
): Promise<string> {
  const own = recordId === undefined ? {} : { notOf: recordId };
  return createSlugs(await takenSlugs(tx, kind, { like: slugOf(title), ...own })).take(title);
}

/**
 * Gives a record the chosen slug; the old one redirects to it.
 * @throws AppError 409 when another record has it, or a redirect from it.
 */
export async function takeSlug(
  tx: SiteContext,
  kind: SlugKind,
  { id, slug: before }: { id: number; slug: string },
  slug: string,
): Promise<void> {
  const column = columnOf[kind];
  // A record may return to a slug that it had itself.
  await tx.db
    .deleteFrom('slug_redirects')
    .where('site_id', '=', tx.site.id)
    .where('kind', '=', kind)
    .where('slug', '=', slug)
    .where(column, '=', id)
    .execute();
  if ((await takenSlugs(tx, kind, { like: slug })).includes(slug))
    throw new AppError('conflict', `The address ${JSON.stringify(slug)} is taken.`, {
      reason: 'address_taken',
      values: { name: slug },
      issues: [{ path: 'slug', message: 'is already taken', reason: 'taken' }],
    });
  await tx.db
    .insertInto('slug_redirects')
    .values({ site_id: tx.site.id, kind, slug: before, [column]: id })
    .execute();
}
