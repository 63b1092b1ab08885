import { z } from 'zod';
import {
  ARTICLE_CATEGORY_MAX,
  SEARCH_MAX,
  TRAINING_ANSWER_MAX,
  TRAINING_QUESTION_MAX,
} from '../values/bounds.ts';
import { deleted, id, page, paging, text, utc } from '../values.ts';

export const TRAINING_IMPORT_MAX_BYTES = 5 * 1024 * 1024;

/** A question with its answer, imported from an older system. The bot uses it until it becomes an article. */
export const trainingRow = z.object({
  id,
  question: z.string(),
  answer: z.string(),
  /** Set once it has become an article. */
  moved_utc: utc.nullable(),
  /** That article; also null if it was deleted since. */
  article_id: id.nullable(),
  updated_utc: utc,
});
export type TrainingRow = z.infer<typeof trainingRow>;

/** The progress of a move. */
export const trainingMove = z.object({
  total: z.int(),
  moved: z.int(),
  started_utc: utc,
  /** Null while it is running. */
  ended_utc: utc.nullable(),
});
export type TrainingMove = z.infer<typeof trainingMove>;

const question = text(1, TRAINING_QUESTION_MAX);
const answer = text(1, TRAINING_ANSWER_MAX);

export const trainingContract = {
  'training_rows.list': {
    input: z.strictObject({
      ...paging,
      q: text(1, SEARCH_MAX).optional(),
      moved: z.boolean().optional(),
    }),
    output: page(trainingRow),
  },
  'training_rows.create': { input: z.strictObject({ question, answer }), output: trainingRow },
  'training_rows.update': {
    input: z.strictObject({ id, question: question.optional(), answer: answer.optional() }),
    output: trainingRow,
  },
  'training_rows.delete': { input: z.strictObject({ id }), output: deleted },
  /** CSV with a question and an answer per record. Repeating it changes nothing. */
  'training_rows.import': {
    input: z.strictObject({ text: z.string() }),
    output: z.object({
      created: z.int(),
      updated: z.int(),
      unchanged: z.int(),
      /** `line` is where the record begins, counted from 1. */
      failed: z.array(z.object({ line: z.int(), message: z.string() })),
    }),
  },
  /** Turns each row that isn't moved yet into an article; returns the running move if there is one. */
  'training_moves.start': {
    input: z.strictObject({ category: text(1, ARTICLE_CATEGORY_MAX).nullable().default(null) }),
    output: trainingMove,
  },
  'training_moves.get': { input: z.strictObject({}), output: z.object({ move: trainingMove.nullable() }) },
} as const;
