import { z } from 'zod';
import { SOURCE_KINDS, SOURCE_PROBLEMS, SOURCE_STATES } from '../values/wire-names.ts';
import { deleted, id, page, paging, utc } from '../values.ts';

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
  address: z.string().describe('The name of the file'),
  state: sourceState.describe('`failed` keeps the text that was read before, if any'),
  problem: sourceProblem.nullable().describe('Why it is `failed`'),
  document_id: id.nullable().describe('Its document, if it has only one'),
  documents: z.int().describe('Documents with text'),
  bytes: z.int().describe('The size of what was read'),
  passages: z.int().describe('Passages that the bot can answer from'),
  uses: z.int().describe('Answers of the bot in chats that are based on it'),
  last_used_utc: utc.nullable(),
  read_utc: utc.nullable().describe('When its text was last read'),
  created_utc: utc,
});
export type KnowledgeSource = z.infer<typeof knowledgeSource>;

/** A text of a source: a file. */
export const knowledgeDocument = z.object({
  id,
  source_id: id,
  address: z.string(),
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

/** Files that the bot answers from. They are uploaded to `/app/knowledge-files`. */
export const sourceContract = {
  'knowledge_sources.list': { input: z.strictObject({ ...paging }), output: page(knowledgeSource) },
  'knowledge_sources.get': { input: ofId, output: knowledgeSource },
  /** With all of its documents; the bot forgets them at once. */
  'knowledge_sources.delete': { input: ofId, output: deleted },
  'knowledge_documents.list': {
    input: z.strictObject({ ...paging, source_id: id }),
    output: page(knowledgeDocument),
  },
  /** With its text in Markdown, as the bot reads it. */
  'knowledge_documents.get': { input: ofId, output: knowledgeDocument.extend({ body: z.string() }) },
} as const;
