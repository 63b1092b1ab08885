import { sql } from 'kysely';
import { createBoundedCache } from '../../base/bounded-cache.ts';
import type { Db } from '../../db/database.ts';
import { wordsOf } from '../../text/words.ts';
import { knowledgeVersionOf } from '../knowledge-version.ts';

/** One published article, without its text. */
export interface CatalogueEntry {
  readonly id: number;
  readonly slug: string;
  readonly title: string;
  readonly category: CatalogueCategory;
  readonly updatedAt: Date;
  /** The title's words, each with a space before it, for searches by prefix. */
  readonly words: string;
}

export interface CatalogueCategory {
  /** Null for the articles that have none. */
  readonly name: string | null;
  readonly slug: string | null;
  /** By title, as the site's language sorts. */
  readonly articles: readonly CatalogueEntry[];
}

/** A site's published articles: all titles, no texts. A new one is created when the site's knowledge changes. */
export class HelpCatalogue {
  /** The site's knowledge_version that it is at least as new as. */
  readonly version: number;
  /** Categories with published articles, in order, the one without a name last. */
  readonly categories: readonly CatalogueCategory[];
  readonly articleCount: number;
  readonly #byId = new Map<number, CatalogueEntry>();

  constructor(version: number, categories: readonly CatalogueCategory[]) {
    this.version = version;
    this.categories = categories;
    for (const { articles } of categories) for (const entry of articles) this.#byId.set(entry.id, entry);
    this.articleCount = this.#byId.size;
  }

  byId(id: number): CatalogueEntry | undefined {
    return this.#byId.get(id);
  }

  category(slug: string | null): CatalogueCategory | undefined {
    return this.categories.find((category) => category.slug === slug);
  }

  /** Articles whose titles have words that begin with each word of the question, so that incomplete words match. */
  titled(question: string, limit: number): CatalogueEntry[] {
    const asked = wordsOf(question).map((word) => ` ${word}`);
    const found: CatalogueEntry[] = [];
    if (asked.length === 0) return found;
    for (const entry of this.#byId.values()) {
      if (!asked.every((word) => entry.words.includes(word))) continue;
      found.push(entry);
      if (found.length === limit) break;
    }
    return found;
  }
}

/** A limit for the list of titles in memory, which sites hardly reach. */
const ENTRIES_MAX = 50_000;

interface Row {
  id: number;
  slug: string;
  title: string;
  category_id: number | null;
  updated_at: Date;
}

async function load(db: Db, siteId: number): Promise<HelpCatalogue> {
  // Read before the articles: changes between the two make it load again.
  const version = await knowledgeVersionOf(db, siteId);
  const { rows } = await sql<Row>`
    select id, slug, title, category_id, updated_at from articles
    where site_id = ${siteId} and status = 'Published' order by id limit ${ENTRIES_MAX}`.execute(db);
  const named = await db
    .selectFrom('categories')
    .select(['id', 'name', 'slug'])
    .where('site_id', '=', siteId)
    .orderBy('position')
    .orderBy('id')
    .execute();
  const byTitle = new Intl.Collator('en', { numeric: true });
  const members = Map.groupBy(rows, (row) => row.category_id);
  const categories = [...named, { id: null, name: null, slug: null }].map(({ id, name, slug }) => {
    const articles: CatalogueEntry[] = [];
    const category = { name, slug, articles };
    for (const row of (members.get(id) ?? []).sort((a, b) => byTitle.compare(a.title, b.title))) {
      const words = ` ${wordsOf(row.title).join(' ')}`;
      const { slug: own, updated_at: updatedAt } = row;
      articles.push({ id: row.id, slug: own, title: row.title, category, updatedAt, words });
    }
    return category;
  });
  return new HelpCatalogue(
    version,
    categories.filter(({ articles }) => articles.length > 0),
  );
}

interface HelpCatalogues {
  /**
   * The titles of the site's published articles as they are committed now, on any node.
   * @throws AppError 404 for an unknown site.
   */
  catalogueOf(siteId: number): Promise<HelpCatalogue>;
}

/** Titles kept in memory for all sites; one takes about 500 bytes. */
const TITLES_MAX = 200_000;
/** A site's own weight, counted in titles. */
const SITE_WEIGHT = 4;

/** Catalogues are kept in memory; the least recently used is dropped first. */
export function createHelpCatalogues({ db }: { db: Db }): HelpCatalogues {
  const kept = createBoundedCache<HelpCatalogue>({
    max: TITLES_MAX,
    weightOf: ({ articleCount }) => articleCount + SITE_WEIGHT,
  });
  const loading = new Map<number, Promise<HelpCatalogue>>();

  const shared = (siteId: number): Promise<HelpCatalogue> => {
    const under = loading.get(siteId) ?? load(db, siteId).finally(() => loading.delete(siteId));
    loading.set(siteId, under);
    return under;
  };

  return {
    async catalogueOf(siteId) {
      const wanted = await knowledgeVersionOf(db, siteId);
      const key = String(siteId);
      let catalogue = kept.get(key);
      // A load that began before the latest change may have missed it: then it loads again.
      while (!catalogue || catalogue.version < wanted) {
        catalogue = await shared(siteId);
        kept.set(key, catalogue);
      }
      return catalogue;
    },
  };
}

declare module '../../core/context.ts' {
  interface Services {
    /** The titles that each site's help centre lists, as fresh as the database. */
    readonly catalogues: { catalogueOf(siteId: number): Promise<HelpCatalogue> };
  }
}
