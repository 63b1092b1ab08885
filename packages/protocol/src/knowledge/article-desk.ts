import { z } from 'zod';
import {
  ARTICLE_CATEGORY_MAX,
  ARTICLE_RESTORE_MAX,
  ARTICLE_SLUG_MAX,
  ARTICLE_TITLE_MAX,
  SEARCH_MAX,
} from '../values/bounds.ts';
import { agentRef, done, id, page, paging, text, utc } from '../values.ts';
import { article, articleFields, articleStatus } from './knowledge.ts';

export const ARTICLE_CAUSES = ['created', 'edited', 'imported', 'restored', 'moved'] as const;
export const articleCause = z.enum(ARTICLE_CAUSES);
/** What created a version of an article: `moved` from a training row. */
export type ArticleCause = z.infer<typeof articleCause>;

/** Stored versions per article; older ones are deleted. */
export const ARTICLE_VERSIONS_MAX = 100;
/** Articles changed by one call of `articles.bulk`. The result contains how many are left. */
export const ARTICLE_BULK_MAX = 2_000;

export const deletedArticle = z.object({
  id,
  title: z.string(),
  category: z.string().nullable(),
  status: articleStatus,
  /** Null: no person. */
  deleted_by: z.string().nullable(),
  deleted_utc: utc,
});
export type DeletedArticle = z.infer<typeof deletedArticle>;

/** What an agent has written and not saved. */
export const articleDraft = z.object({
  /** To be sent with the next save. */
  revision: z.int(),
  /** The article's version on which it is based; null for a new article. */
  base_version: z.int().nullable(),
  title: z.string(),
  category: z.string().nullable(),
  status: articleStatus,
  body: z.string(),
  updated_utc: utc,
});
export type ArticleDraft = z.infer<typeof articleDraft>;

/** An article opened for editing. */
export const openedArticle = z.object({
  article,
  /** To be sent with a save as `base_version`. */
  version: z.int(),
  draft: articleDraft.nullable(),
  /** Who else has something unsaved, the latest first. */
  others: z.array(z.object({ agent: agentRef, updated_utc: utc })),
  /** What readers said to “was this helpful?”. */
  ratings: z.object({ helpful: z.int(), unhelpful: z.int() }),
  /** Where its readers find it, once it is published. */
  url: z.string(),
});
export type OpenedArticle = z.infer<typeof openedArticle>;

export const articleVersion = z.object({
  number: z.int(),
  title: z.string(),
  category: z.string().nullable(),
  status: articleStatus,
  cause: articleCause,
  author: z.object({ type: z.enum(['agent', 'token', 'system']), id: id.nullable(), name: z.string() }),
  created_utc: utc,
});
export type ArticleVersion = z.infer<typeof articleVersion>;
export const articleVersionText = articleVersion.extend({ body: z.string() });
export type ArticleVersionText = z.infer<typeof articleVersionText>;

const { title, category, body } = articleFields;
const draftFields = {
  title: text(0, ARTICLE_TITLE_MAX),
  category: category.default(null),
  status: articleStatus.default('Draft'),
  body: body.default(''),
};
const notChanged = z.object({ id, title: z.string(), message: z.string() });
const base_version = z.int().min(0).optional();

const filter = z.strictObject({
  q: text(1, SEARCH_MAX).optional(),
  status: articleStatus.optional(),
  category: text(1, ARTICLE_CATEGORY_MAX).nullable().optional(),
});
/** The named articles, or all that a list with these filters shows. */
const selection = z.union([
  z.strictObject({ ids: z.array(id).min(1).max(ARTICLE_BULK_MAX) }),
  z.strictObject({ filter }),
]);
export type ArticleSelection = z.infer<typeof selection>;

/** What the dashboard does with articles beyond the REST resource. */
export const articleDeskContract = {
  'articles.open': { input: z.strictObject({ id }), output: openedArticle },
  /**
   * Saves an article, a new one without `id`, and deletes the agent's draft of it. An outdated `base_version` is a
   * conflict: somebody else has saved meanwhile, and nothing is overwritten.
   */
  'articles.save': {
    input: z.strictObject({
      id: id.optional(),
      base_version,
      title,
      category: category.default(null),
      status: articleStatus.default('Draft'),
      body: body.default(''),
      slug: text(1, ARTICLE_SLUG_MAX).optional().describe('Changes the address; the old one redirects'),
    }),
    output: z.object({ article, version: z.int() }),
  },
  'articles.count': { input: filter, output: z.object({ count: z.int() }) },
  /** Changes up to ARTICLE_BULK_MAX articles; `left` counts those of the selection that are still unchanged. */
  'articles.bulk': {
    input: z.discriminatedUnion('action', [
      z.strictObject({ action: z.literal('set_status'), selection, status: articleStatus }),
      z.strictObject({
        action: z.literal('set_category'),
        selection,
        category: text(1, ARTICLE_CATEGORY_MAX).nullable(),
      }),
      z.strictObject({ action: z.literal('delete'), selection }),
    ]),
    output: z.object({
      changed: z.int(),
      left: z.int(),
      /** Not moved, because an article with that title already exists. */
      failed: z.array(notChanged),
      /** After a deletion: the deleted articles that can be restored. */
      deleted: z.array(id).optional(),
    }),
  },
  /** What was deleted in the last DELETED_ARTICLES_KEPT_DAYS, the latest first. */
  'deleted_articles.list': { input: z.strictObject(paging), output: page(deletedArticle) },
  /** Restores articles as they were, with their history and addresses. */
  'deleted_articles.restore': {
    input: z.strictObject({ ids: z.array(id).min(1).max(ARTICLE_RESTORE_MAX) }),
    output: z.object({
      restored: z.int(),
      /** Still deleted, because an article with that title exists by now. */
      failed: z.array(notChanged),
    }),
  },
  /** The agent's own draft; `null`: of a new article. */
  'article_drafts.get': {
    input: z.strictObject({ article_id: id.nullable() }),
    output: z.object({ draft: articleDraft.nullable() }),
  },
  /**
   * Saves a draft that nobody else sees. `revision` is that of the previous save, or null for the first: a conflict
   * means that another window of the same agent has saved since.
   */
  'article_drafts.save': {
    input: z.strictObject({
      article_id: id.nullable(),
      revision: z.int().min(1).nullable(),
      base_version: z.int().min(0).nullable(),
      ...draftFields,
    }),
    output: z.object({ revision: z.int(), updated_utc: utc }),
  },
  'article_drafts.discard': { input: z.strictObject({ article_id: id.nullable() }), output: done },
  'article_versions.list': {
    input: z.strictObject({ ...paging, article_id: id }),
    output: page(articleVersion),
  },
  'article_versions.get': {
    input: z.strictObject({ article_id: id, number: z.int().min(1) }),
    output: articleVersionText,
  },
  /** Restores title, category, text and status of an earlier version, as a new version. */
  'article_versions.restore': {
    input: z.strictObject({ article_id: id, number: z.int().min(1), base_version }),
    output: z.object({ article, version: z.int() }),
  },
} as const;
