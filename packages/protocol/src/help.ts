import { z } from 'zod';
import { id, text, utc } from './values.ts';

/** Categories that the help centre's first page shows, and articles of each; the rest is a page further. */
export const HELP_HOME_CATEGORIES_MAX = 50;
export const HELP_HOME_ARTICLES_MAX = 6;
export const HELP_PAGE_ARTICLES = 50;

/** Longer ones are no address of ours: a slug is made of at most 80 characters and a number. */
const slug = text(1, 120);

/** Where an article belongs; `null` stands for those that have no category. */
const helpCategory = z.object({ name: z.string(), slug: z.string() });
export const helpLink = z.object({ slug: z.string(), title: z.string() });
export type HelpLink = z.infer<typeof helpLink>;

export const helpArticle = z.object({
  id,
  slug: z.string().describe('As it is now, also when an earlier one was asked for'),
  title: z.string(),
  category: helpCategory.nullable(),
  body: z.string().describe('Markdown'),
  updated_utc: utc,
});
export type HelpArticle = z.infer<typeof helpArticle>;

export const helpHit = helpLink.extend({
  category: helpCategory.nullable(),
  excerpt: z.string().describe('Plain text, at most 200 characters'),
});
export type HelpHit = z.infer<typeof helpHit>;

/** What a visitor may read of the published articles, over the widget's socket. */
export const helpContract = {
  /** Categories in their order, those without one last, each with its first articles by title. */
  'help.home': {
    input: z.strictObject({}),
    output: z.object({
      categories: z.array(
        z.object({ category: helpCategory.nullable(), article_count: z.int(), articles: z.array(helpLink) }),
      ),
      /** Of all categories, also those that are not shown here. */
      article_count: z.int(),
    }),
  },
  /** All articles of one category by title, HELP_PAGE_ARTICLES a page. */
  'help.articles': {
    input: z.strictObject({ category: slug.nullable(), page: z.int().min(1).max(10_000).default(1) }),
    output: z.object({
      category: helpCategory.nullable(),
      articles: z.array(helpLink),
      page: z.int(),
      pages: z.int(),
    }),
  },
  'help.search': {
    input: z.strictObject({ q: text(1, 200), limit: z.int().min(1).max(20).default(10) }),
    output: z.object({ hits: z.array(helpHit) }),
  },
  'help.article': { input: z.strictObject({ slug }), output: helpArticle },
} as const;
