import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Actor } from '../core/actor.ts';
import type { Site, SiteContext } from '../core/context.ts';
import type { PublicAddress } from '../core/public-address.ts';
import type { Db } from '../db/database.ts';
import { registerHelp } from '../http/help/routes.ts';
import { renderArticle } from '../knowledge/articles/html.ts';
import { findImage } from '../knowledge/articles/images.ts';
import {
  descriptionOf,
  getHelpArticle,
  getHelpHome,
  listHelpArticles,
  searchHelp,
} from '../knowledge/help/help.ts';
import { rateArticle } from '../knowledge/help/ratings.ts';
import type { Limits } from '../limits/limits.ts';
import type { SiteDirectory } from '../sites/directory.ts';

interface HelpRoutesOptions {
  db: Db;
  address: PublicAddress;
  sites: SiteDirectory;
  contextFor(site: Site, actor: Actor, request: FastifyRequest): SiteContext;
  limits: Limits;
}

/** The first page shows this many categories; a site with more is searched. */
const CATEGORIES_SHOWN = 200;
const HITS_SHOWN = 20;

/** The public help centre, connected to its domain. */
export async function registerHelpRoutes(
  server: FastifyInstance,
  { db, address, sites, contextFor, limits }: HelpRoutesOptions,
): Promise<void> {
  const catalogueOf = ({ services, site }: SiteContext) => services.catalogues.catalogueOf(site.id);
  await registerHelp(server, {
    address,
    findSite: (slug) => sites.byHelpSlug(slug),
    // Readers are anonymous.
    contextFor: (site, request) => contextFor(site, { kind: 'job' }, request),
    version: async (ctx) => (await catalogueOf(ctx)).version,
    home: async (ctx) => (await getHelpHome(ctx, CATEGORIES_SHOWN)).categories,
    async category(ctx, slug, page) {
      const { article_count: articleCount, ...shown } = await listHelpArticles(ctx, { category: slug, page });
      return { ...shown, articleCount };
    },
    async article(ctx, slug) {
      const { body: markdown, updated_utc, ...article } = await getHelpArticle(ctx, { slug });
      const { html: body, headings } = renderArticle(markdown);
      return {
        ...article,
        body,
        headings,
        description: descriptionOf(markdown),
        updatedAt: new Date(updated_utc),
      };
    },
    search: async (ctx, q) => (await searchHelp(ctx, { q, limit: HITS_SHOWN })).hits,
    sitemap: async (ctx) =>
      (await catalogueOf(ctx)).categories.map(({ name, slug, articles }) => ({
        category: name === null || slug === null ? null : { name, slug },
        articles,
      })),
    rate: rateArticle,
    image: (name) => findImage(db, name),
    limits,
  });
}
