import { z } from 'zod';
import { ARTICLE_IMAGE_MAX_BYTES, HELP_INTRO_MAX, HELP_TITLE_MAX, SEARCH_MAX } from '../values/bounds.ts';
import { done, id, text, utc } from '../values.ts';
import { ARTICLE_BODY_MAX } from './knowledge.ts';

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
  html: z.string().describe('HTML of our own making, whatever is in the text'),
  path: z.string().describe('Where the help centre has it on this service: its links are relative to that'),
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
      article_count: z.int(),
      page: z.int(),
      pages: z.int(),
    }),
  },
  'help.search': {
    input: z.strictObject({ q: text(1, SEARCH_MAX), limit: z.int().min(1).max(20).default(10) }),
    output: z.object({ hits: z.array(helpHit) }),
  },
  'help.article': { input: z.strictObject({ slug }), output: helpArticle },
  /** Whether an article helped: one vote a visitor and article, the last counts. */
  'help.rate': { input: z.strictObject({ slug, helpful: z.boolean() }), output: done },
} as const;

/** `acme` or `acme-shop`: what can't be taken for one of our own addresses or a public key. */
const helpSlug = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])$/, 'must be 2 to 60 letters a–z, digits and hyphens')
  .refine((value) => value !== 'images', 'is an address of our own');

export const helpSettings = z.object({
  url: z.string().describe('Where the help centre is'),
  slug: z.string().nullable(),
  title: z.string(),
  intro: z.string(),
  enabled: z.boolean(),
  indexed: z.boolean(),
});
export type HelpSettings = z.infer<typeof helpSettings>;

/** Pictures are made smaller where an edge is longer. */
export const ARTICLE_IMAGE_EDGE_MAX_PIXELS = 2_000;
export const ARTICLE_IMAGES_MAX = 5_000;

/** What the team does with its help centre; the dashboard's alone. */
export const helpDeskContract = {
  'help_centre.get': { input: z.strictObject({}), output: helpSettings },
  'help_centre.update': {
    input: z.strictObject({
      slug: helpSlug.nullable().optional().describe('Its part of the address; the one before leads on'),
      title: text(0, HELP_TITLE_MAX).optional().describe('Empty: made of the site’s name'),
      intro: text(0, HELP_INTRO_MAX).optional(),
      enabled: z.boolean().optional(),
      indexed: z.boolean().optional().describe('Whether search engines may list it'),
    }),
    output: helpSettings,
  },
  /** Text as its readers would see it: HTML of our own making, whatever is in it. */
  'articles.render': {
    input: z.strictObject({ body: z.string().max(ARTICLE_BODY_MAX) }),
    output: z.object({ html: z.string() }),
  },
  /** A picture for articles, drawn anew; the same picture has the same address. */
  'article_images.create': {
    input: z.strictObject({
      content: z
        .base64()
        .max(Math.ceil(ARTICLE_IMAGE_MAX_BYTES / 3) * 4)
        .describe('Base64'),
    }),
    output: z.object({ path: z.string(), width: z.int(), height: z.int() }),
  },
} as const;
