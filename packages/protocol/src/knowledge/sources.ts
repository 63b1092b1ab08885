import { z } from 'zod';
import { SOURCE_URL_MAX } from '../values/bounds.ts';
import { SOURCE_KINDS, SOURCE_PROBLEMS, SOURCE_STATES, WEB_SOURCE_KINDS } from '../values/wire-names.ts';
import { deleted, id, page, paging, text, utc } from '../values.ts';

export const sourceKind = z.enum(SOURCE_KINDS);
export type SourceKind = z.infer<typeof sourceKind>;
export const sourceState = z.enum(SOURCE_STATES);
export type SourceState = z.infer<typeof sourceState>;
export const sourceProblem = z.enum(SOURCE_PROBLEMS);
export type SourceProblem = z.infer<typeof sourceProblem>;

/** Where the bot's knowledge comes from besides articles. Sizes and uses are sums over its documents. */
export const knowledgeSource = z.object({
  id,
  kind: sourceKind,
  address: z.string().describe('The URL of the page or sitemap, or the name of the file'),
  title: z.string().nullable().describe('Of its document, if it has only one'),
  state: sourceState.describe('`reading`: it is being read now. `failed`: see `problem`'),
  problem: sourceProblem
    .nullable()
    .describe('Why it is `failed`. If the reason may be temporary, the text that was read before is kept'),
  failed: z.int().describe('Documents that could not be read last time'),
  is_cut: z.boolean().describe('The sitemap has more pages than are read'),
  document_id: id.nullable().describe('Its document, if it has only one'),
  documents: z.int().describe('Documents with text'),
  bytes: z.int().describe('The size of what was read'),
  passages: z.int().describe('Passages that the bot can answer from'),
  uses: z.int().describe('Answers of the bot in chats that are based on it'),
  last_used_utc: utc.nullable(),
  read_utc: utc.nullable().describe('When its text was last read or confirmed'),
  next_read_utc: utc.nullable().describe('When it is read again; null for a file'),
  created_utc: utc,
});
export type KnowledgeSource = z.infer<typeof knowledgeSource>;

/** A text of a source: a page or a file. */
export const knowledgeDocument = z.object({
  id,
  source_id: id,
  address: z.string(),
  /** The page; null for a file. */
  url: z.string().nullable(),
  title: z.string(),
  state: sourceState,
  problem: sourceProblem.nullable(),
  /** Only its first 200,000 characters were read. */
  is_cut: z.boolean(),
  bytes: z.int(),
  passages: z.int(),
  uses: z.int(),
  last_used_utc: utc.nullable(),
  read_utc: utc.nullable(),
});
export type KnowledgeDocument = z.infer<typeof knowledgeDocument>;

const ofId = z.strictObject({ id });

/** Pages and files that the bot answers from. Files are uploaded to `/app/knowledge-files`. */
export const sourceContract = {
  'knowledge_sources.list': {
    input: z.strictObject({
      ...paging,
      id: id.optional().describe('Read one source instead of a list'),
      kind: sourceKind.optional(),
    }),
    output: z.union([page(knowledgeSource), knowledgeSource]),
  },
  'knowledge_sources.create': {
    input: z.strictObject({
      kind: z.enum(WEB_SOURCE_KINDS),
      url: text(1, SOURCE_URL_MAX).describe('http or https. A sitemap lists pages of its own site'),
    }),
    output: knowledgeSource,
  },
  /** Reads it again now instead of at its next time. */
  'knowledge_sources.refresh': { input: ofId, output: knowledgeSource },
  /** With all of its documents; the bot forgets them at once. */
  'knowledge_sources.delete': { input: ofId, output: deleted },
  'knowledge_documents.list': {
    input: z.strictObject({ ...paging, source_id: id }),
    output: page(knowledgeDocument),
  },
  /** With its text in Markdown, as the bot reads it. */
  'knowledge_documents.get': { input: ofId, output: knowledgeDocument.extend({ body: z.string() }) },
} as const;
