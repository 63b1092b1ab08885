import { z } from 'zod';
import {
  ARTICLE_CATEGORY_MAX,
  ARTICLE_TITLE_MAX,
  SEARCH_MAX,
  STARTER_LABEL_MAX,
  STARTER_PROMPT_MAX,
  SYNONYM_GROUPS_MAX,
  SYNONYMS_IN_GROUP_MAX,
} from '../values/bounds.ts';
import { ARTICLE_STATUSES, DOCUMENT_PROBLEMS } from '../values/wire-names.ts';
import { deleted, id, page, paging, text, utc } from '../values.ts';

export const articleStatus = z.enum(ARTICLE_STATUSES);

export const ARTICLE_BODY_MAX = 200_000;

export const article = z.object({
  id,
  title: z.string(),
  category: z.string().nullable(),
  status: articleStatus,
  body: z.string().describe('Markdown'),
  slug: z.string().describe('Created from the first title; stays the same when the title changes'),
  updated_utc: utc,
});
export type Article = z.infer<typeof article>;

export const articleFields = {
  title: text(1, ARTICLE_TITLE_MAX).describe('Unique in the site together with `category`, ignoring case'),
  category: text(1, ARTICLE_CATEGORY_MAX).nullable().optional(),
  status: articleStatus.optional().describe('The bot uses only `Published` articles; defaults to `Draft`'),
  body: text(0, ARTICLE_BODY_MAX)
    .nullable()
    .transform((body) => body ?? '')
    .optional(),
};

/** `index` is the document's place in the text, `line` its first line, both from 1; reason and values are for the desk. */
export const importFailure = z.object({
  index: z.int(),
  line: z.int(),
  message: z.string(),
  reason: z.enum(DOCUMENT_PROBLEMS),
  values: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
});
export type ImportFailure = z.infer<typeof importFailure>;

export const importResult = z.object({
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  failed: z.array(importFailure),
});
export type ImportResult = z.infer<typeof importResult>;

/** How many documents a dry run lists; its counts include all. */
export const IMPORT_PREVIEW_MAX = 5_000;
export const importOutcome = z.enum(['created', 'updated', 'unchanged']);
export type ImportOutcome = z.infer<typeof importOutcome>;

/** What an import would do, document by document. */
export const importPreview = importResult.extend({
  failed_count: z.int(),
  documents: z.array(
    z.object({
      index: z.int(),
      line: z.int(),
      title: z.string(),
      category: z.string().nullable(),
      /** Null: not given. */
      status: articleStatus.nullable(),
      outcome: importOutcome,
    }),
  ),
});
export type ImportPreview = z.infer<typeof importPreview>;

/** A part of a published article or document under one heading, in markdown. */
export const knowledgePassage = z.object({
  article_id: id.nullable().describe('Null for a training row or document'),
  document_id: id.nullable().describe('Null for an article or training row'),
  title: z.string(),
  /** The headings above it, outermost first. */
  headings: z.array(z.string()),
  text: z.string(),
  /** 0–1: the share of the question's information that it covers. */
  coverage: z.number(),
});
export type KnowledgePassage = z.infer<typeof knowledgePassage>;

export const starter = z.object({ id, label: z.string(), prompt: z.string(), position: z.int() });
export type Starter = z.infer<typeof starter>;
const position = z.int('must be an integer').min(0).max(10_000);

/** Groups of words and phrases that mean the same to this site's customers. */
const synonymList = z.strictObject({
  groups: z
    .array(z.array(text(1, 60)).min(2, 'must have at least two words').max(SYNONYMS_IN_GROUP_MAX))
    .max(SYNONYM_GROUPS_MAX),
});
export type SynonymList = z.infer<typeof synonymList>;

export const knowledgeContract = {
  'articles.list': {
    input: z.strictObject({
      ...paging,
      id: id.optional().describe('Read one article instead of a list'),
      q: text(1, SEARCH_MAX).optional().describe('Title or body contains this, ignoring case'),
      status: articleStatus.optional(),
      category: text(1, ARTICLE_CATEGORY_MAX).optional().describe('Only this category, exact match'),
    }),
    output: z.union([page(article), article]),
  },
  'articles.create': { input: z.strictObject(articleFields), output: article },
  'articles.update': {
    input: z.strictObject({ id, ...articleFields, title: articleFields.title.optional() }),
    output: article,
  },
  'articles.delete': { input: z.strictObject({ id }), output: deleted },
  'articles.import': { input: z.strictObject({ text: z.string() }), output: importResult },
  /** What the import would do now. Changes nothing. */
  'articles.preview_import': { input: z.strictObject({ text: z.string() }), output: importPreview },
  /** All articles as one text that can be imported again, in parts that can also be imported separately. */
  'articles.export': {
    input: z.strictObject({ after: id.optional().describe('The last article of the previous part') }),
    /** `next`: the `after` of the next part; null with the last. */
    output: z.object({ text: z.string(), articles: z.int(), next: id.nullable() }),
  },
  'synonyms.get': { input: z.strictObject({}), output: synonymList },
  /** Replaces the whole list: groups that are missing in the input are deleted. */
  'synonyms.update': { input: synonymList, output: synonymList },
  /** What the bot would answer from, best first. */
  'knowledge.search': {
    input: z.strictObject({
      q: text(1, 1000),
      limit: z
        .int('must be an integer')
        .min(1, 'must be at least 1')
        .max(20, 'must be at most 20')
        .default(5),
    }),
    output: z.object({ passages: z.array(knowledgePassage) }),
  },
  /** By `position`, then `id`; `order=desc` turns it round. */
  'conversation_starters.list': {
    input: z.strictObject({ ...paging, order: z.enum(['asc', 'desc']).default('asc') }),
    output: page(starter),
  },
  'conversation_starters.create': {
    input: z.strictObject({
      label: text(1, STARTER_LABEL_MAX).describe('Text of the button'),
      prompt: text(1, STARTER_PROMPT_MAX).describe('Message that the button sends'),
      position: position.optional().describe('Last by default'),
    }),
    output: starter,
  },
  'conversation_starters.update': {
    input: z.strictObject({
      id,
      label: text(1, STARTER_LABEL_MAX).optional(),
      prompt: text(1, STARTER_PROMPT_MAX).optional(),
      position: position.optional(),
    }),
    output: starter,
  },
  'conversation_starters.delete': { input: z.strictObject({ id }), output: deleted },
} as const;
