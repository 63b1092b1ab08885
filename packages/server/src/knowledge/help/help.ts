import {
  HELP_HOME_ARTICLES_MAX,
  HELP_HOME_CATEGORIES_MAX,
  HELP_PAGE_ARTICLES,
  type HelpHit,
  type HelpLink,
  type OutputOf,
  type ParsedInputOf,
} from '@foyer/protocol';
import { sql } from 'kysely';
import { notFound } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { blocksOf } from '../../text/plain-text.ts';
import { lineText } from '../search/passages.ts';
import type { CatalogueCategory, CatalogueEntry } from './catalogue.ts';

const EXCERPT_CHARS = 200;
/** The first paragraph is within this many characters. */
const DESCRIBED_CHARS = 4_000;
/**
 * An article with none of the words must be as similar to them as a compound is to its parts ("giftcardbalance" 0.16).
 * The learned model finds every article a little similar to anything: unknown words reach 0.08 among the sample
 * articles.
 */
const CLOSENESS_LEAST = 0.12;
/** How many titles that match an incomplete word precede the matching texts; more would bury those. */
const TITLES_FIRST = 5;

const presentLink = ({ slug, title }: CatalogueEntry): HelpLink => ({ slug, title });

const presentCategory = ({ name, slug }: CatalogueCategory): { name: string; slug: string } | null =>
  name === null || slug === null ? null : { name, slug };

/** The help centre's first page: every category with its first articles, both limited. */
export async function getHelpHome(
  { services, site }: SiteContext,
  categoriesMax = HELP_HOME_CATEGORIES_MAX,
): Promise<OutputOf<'help.home'>> {
  const { categories, articleCount } = await services.catalogues.catalogueOf(site.id);
  return {
    categories: categories.slice(0, categoriesMax).map((category) => ({
      category: presentCategory(category),
      article_count: category.articles.length,
      articles: category.articles.slice(0, HELP_HOME_ARTICLES_MAX).map(presentLink),
    })),
    article_count: articleCount,
  };
}

/** By its current slug, or a former one. */
async function findCategory(
  { db, services, site }: SiteContext,
  slug: string | null,
): Promise<CatalogueCategory | undefined> {
  const catalogue = await services.catalogues.catalogueOf(site.id);
  const category = catalogue.category(slug);
  if (category || slug === null) return category;
  const { rows } = await sql<{ slug: string }>`
    select c.slug from slug_redirects f join categories c on c.site_id = f.site_id and c.id = f.category_id
    where f.site_id = ${site.id} and f.kind = 'category' and f.slug = ${slug}`.execute(db);
  return rows[0] && catalogue.category(rows[0].slug);
}

/** @throws AppError 404 for a category without published articles, and after its last page. */
export async function listHelpArticles(
  ctx: SiteContext,
  { category: slug, page }: ParsedInputOf<'help.articles'>,
): Promise<OutputOf<'help.articles'>> {
  const category = await findCategory(ctx, slug);
  const pages = Math.ceil((category?.articles.length ?? 0) / HELP_PAGE_ARTICLES);
  if (!category || page > pages) throw notFound('category');
  const from = (page - 1) * HELP_PAGE_ARTICLES;
  return {
    category: presentCategory(category),
    articles: category.articles.slice(from, from + HELP_PAGE_ARTICLES).map(presentLink),
    article_count: category.articles.length,
    page,
    pages,
  };
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= EXCERPT_CHARS) return line;
  const cut = line.slice(0, EXCERPT_CHARS - 1).toWellFormed();
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), EXCERPT_CHARS / 2)).trimEnd()}…`;
}

/** The beginning of an article, as plain text, for previews of links. */
export function descriptionOf(body: string): string {
  const first = blocksOf(body.slice(0, DESCRIBED_CHARS)).find(({ level }) => level === 0);
  return shortened(first?.lines.map(lineText).join(' ') ?? '');
}

/** Titles that match the incomplete text, then matching texts, best first. */
export async function searchHelp(
  { services, site }: SiteContext,
  { q, limit }: ParsedInputOf<'help.search'>,
): Promise<{ hits: HelpHit[] }> {
  const [catalogue, index] = await Promise.all([
    services.catalogues.catalogueOf(site.id),
    services.indexes.indexOf(site.id),
  ]);
  const found = index
    .search(q, limit)
    .filter(({ coverage, likeness }) => coverage > 0 || likeness.closeness >= CLOSENESS_LEAST);
  const excerpts = new Map(found.map(({ passage }) => [passage.articleId, passage.text]));
  const entries = new Set(catalogue.titled(q, Math.min(limit, TITLES_FIRST)));
  for (const id of excerpts.keys()) {
    const entry = catalogue.byId(id);
    if (entry) entries.add(entry);
  }
  return {
    hits: [...entries].slice(0, limit).map((entry) => ({
      ...presentLink(entry),
      category: presentCategory(entry.category),
      excerpt: shortened(excerpts.get(entry.id) ?? ''),
    })),
  };
}

const articlesOf = ({ db, site }: SiteContext) =>
  db
    .selectFrom('articles')
    .select(['id', 'slug', 'title', 'body', 'updated_at', 'status'])
    .where('site_id', '=', site.id);

/**
 * By its current slug, or a former one. Checks here whether it is published: with both conditions, a database without
 * statistics of a large import would read all published articles.
 */
async function findPublished(ctx: SiteContext, slug: string) {
  const row = await articlesOf(ctx).where('slug', '=', slug).executeTakeFirst();
  if (row) return row.status === 'Published' ? row : undefined;
  const former = await ctx.db
    .selectFrom('slug_redirects')
    .select('article_id')
    .where('site_id', '=', ctx.site.id)
    .where('kind', '=', 'article')
    .where('slug', '=', slug)
    .executeTakeFirst();
  if (!former?.article_id) return undefined;
  const moved = await articlesOf(ctx).where('id', '=', former.article_id).executeTakeFirst();
  return moved?.status === 'Published' ? moved : undefined;
}

/** A published article in its stored form. */
interface PublishedArticle {
  readonly id: number;
  readonly slug: string;
  readonly title: string;
  readonly category: { name: string; slug: string } | null;
  /** Markdown. */
  readonly body: string;
  readonly updated_utc: string;
}

/** @throws AppError 404 for an unpublished article. */
export async function getHelpArticle(
  ctx: SiteContext,
  { slug }: ParsedInputOf<'help.article'>,
): Promise<PublishedArticle> {
  const row = await findPublished(ctx, slug);
  if (!row) throw notFound('article');
  const category = (await ctx.services.catalogues.catalogueOf(ctx.site.id)).byId(row.id)?.category;
  return {
    id: row.id,
    slug: row.slug,
    title: row.title,
    category: category ? presentCategory(category) : null,
    body: row.body,
    updated_utc: row.updated_at.toISOString(),
  };
}
