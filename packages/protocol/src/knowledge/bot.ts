import { z } from 'zod';
import { handoffReason, session, source } from '../chat/conversations.ts';
import {
  BOT_NAME_MAX,
  BOT_RULES_MAX,
  BOT_TONE_MAX,
  HANDOFF_RULE_NAME_MAX,
  MESSAGE_MAX,
  MODEL_ANSWERS_PER_CHAT_MAX,
  MODEL_ANSWERS_PER_DAY_MAX,
  NAME_MAX,
  OWN_BOT_TIMEOUT_MAX_S,
  OWN_BOT_TIMEOUT_MIN_S,
  QUESTION_FILE_MAX_BYTES,
  QUESTION_MAX,
} from '../values/bounds.ts';
import { GAP_STATES, OUTCOMES } from '../values/wire-names.ts';
import { agentRef, deleted, id, page, paging, sessionId, text, utc } from '../values.ts';
import { article } from './knowledge.ts';

const question = text(1, QUESTION_MAX);

export const botSettings = z.object({
  name: z.string(),
  /** Instructions for a language model: its tone and anything else it should know; empty: the model's own tone. */
  tone: z.string(),
  rules: z.string(),
  /** How many model answers a chat gets, and a visitor in 24 hours; then the bot answers without the model. */
  model_answers_per_chat: z.int(),
  model_answers_per_day: z.int(),
  /** If off, visitors who write wait for a person. */
  enabled: z.boolean(),
  /** Another program answers instead; it receives `bot_turn_requested`. */
  own: z.boolean(),
  /** How long that program may take before the chat is handed over. */
  own_timeout_s: z.int(),
  /** Whether a language model is configured, which then words answers and summaries. */
  has_model: z.boolean(),
});
export type BotSettings = z.infer<typeof botSettings>;

/** Within the site's office hours, or out of them. */
export const RULE_HOURS = ['any', 'open', 'closed'] as const;
export type RuleHours = (typeof RULE_HOURS)[number];

/** Per site: every rule is checked with every message to the bot. */
export const RULES_MAX = 50;

/** A rule by which the bot hands over; of every list that isn't empty, one member must match. */
export const handoffRule = z.object({
  id,
  name: z.string(),
  /** Words or phrases of the message; `*` at the end of a word stands for any ending. */
  words: z.array(z.string()),
  /** Where the chat began: `/checkout`, or with its host. */
  pages: z.array(z.string()),
  segment_ids: z.array(id),
  hours: z.enum(RULE_HOURS),
  enabled: z.boolean(),
});
export type HandoffRule = z.infer<typeof handoffRule>;

const ruleFields = {
  name: text(1, HANDOFF_RULE_NAME_MAX),
  words: z.array(text(1, 60)).max(50),
  pages: z.array(text(1, 200)).max(20),
  segment_ids: z.array(id).max(20),
  hours: z.enum(RULE_HOURS),
  enabled: z.boolean(),
};

/** The right reaction to a question: an answer from an article, "I don't know", or a handoff. */
export const EXPECTATIONS = ['article', 'unknown', 'handoff'] as const;
export type Expectation = (typeof EXPECTATIONS)[number];

/** Limits: sets per site, and questions per set. */
export const QUESTION_SETS_MAX = 50;
export const SET_QUESTIONS_MAX = 1_000;
/** How many evaluations of a set are kept. */
export const EVALUATIONS_KEPT = 20;

export const questionSet = z.object({
  id,
  name: z.string(),
  question_count: z.int(),
  created_utc: utc,
});
export type QuestionSet = z.infer<typeof questionSet>;

/** Null although an article is expected: it was deleted. */
const expectedArticle = z.object({ id, title: z.string() }).nullable();

export const setQuestion = z.object({
  id,
  question: z.string(),
  expects: z.enum(EXPECTATIONS),
  article: expectedArticle,
  /** The chat that it was collected from. */
  session_id: sessionId.nullable(),
});
export type SetQuestion = z.infer<typeof setQuestion>;

const counts = z.object({ right: z.int(), wrong: z.int(), silent: z.int(), handed_off: z.int() });

/** How many questions ended how, by what was expected. */
export const evaluationTally = z.object({
  article: counts,
  unknown: counts,
  handoff: counts,
  void: z.int(),
});
export type EvaluationTally = z.infer<typeof evaluationTally>;

export const evaluation = z.object({
  id,
  set_id: id,
  total: z.int(),
  done: z.int(),
  tally: evaluationTally,
  agent: agentRef.nullable(),
  created_utc: utc,
  finished_utc: utc.nullable(),
  cancelled_utc: utc.nullable(),
});
export type Evaluation = z.infer<typeof evaluation>;

/** What the bot would have said to one question, and whether that is right. */
const verdict = {
  outcome: z.enum(OUTCOMES),
  /** What the bot did: `answer`, `unknown`, `handoff`, `small_talk` … */
  kind: z.string(),
  answer: z.string().nullable(),
  article: z.object({ id, title: z.string() }).nullable(),
  /** 0–1: how sure the bot was of it. */
  confidence: z.number().nullable(),
};

export const evaluationResult = z.object({
  position: z.int(),
  question_id: id,
  question: z.string(),
  expects: z.enum(EXPECTATIONS),
  expected_title: z.string().nullable(),
  ...verdict,
  /** The same question in the evaluation that this one is compared with. */
  before: z.object(verdict).nullable(),
});
export type EvaluationResult = z.infer<typeof evaluationResult>;

const badLine = z.object({ line: z.int(), message: z.string() });
export type BadLine = z.infer<typeof badLine>;

const fileText = z.string().max(QUESTION_FILE_MAX_BYTES, 'must be at most 2 MiB');

const importedQuestions = z.object({
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  failed: z.array(badLine),
});
export type ImportedQuestions = z.infer<typeof importedQuestions>;

export const gap = z.object({
  id,
  question: z.string(),
  asked: z.int(),
  last_asked_utc: utc,
  state: z.enum(GAP_STATES),
  /** The article that answers it now. */
  article: z.object({ id, title: z.string() }).nullable(),
});
export type Gap = z.infer<typeof gap>;

export const gapExample = z.object({
  session_id: sessionId,
  seq: z.int(),
  question: z.string(),
  visitor_name: z.string().nullable(),
  asked_utc: utc,
});

export const REWRITES = ['shorter', 'friendlier', 'spelling', 'translate'] as const;
export type Rewrite = (typeof REWRITES)[number];
/** As much as a message may hold (MESSAGE_MAX). */
export const REWRITE_MAX = 4_000;

/** How many messages of a trial are sent again with each question: as in a chat that the bot still has alone. */
export const TRIAL_MESSAGES_MAX = 20;

/** How the bot's reaction came about: one of its rules, the language model, the articles, or an error. */
export const DECIDED_BY = [
  'person',
  'off',
  'rule',
  'upset',
  'files',
  'small_talk',
  'action',
  'model',
  'knowledge',
  'error',
] as const;

/** What became of a language model's turn. */
export const MODEL_RESULTS = [
  'answer',
  'ask',
  'talk',
  'handoff',
  'action',
  /** The articles don't answer it, says the model. */
  'none',
  /** It wrote something that the articles don't say. */
  'withheld',
  'unreadable',
  'failed',
  'not_asked',
] as const;
export type ModelResult = (typeof MODEL_RESULTS)[number];

/** Why the model's answer was not used. */
export const MODEL_REPLY_PROBLEMS = [
  /** No quote of its answer is in a passage. */
  'no_quote',
  /** No passage states a number, date, price or address. */
  'fact',
  /** It revealed the marks around others' text in its prompt. */
  'boundary',
  'format',
  'too_long',
  'unknown_action',
  'too_late',
  'provider',
  'budget',
  'no_passages',
] as const;
export type ModelReplyProblem = (typeof MODEL_REPLY_PROBLEMS)[number];

/** What a language model did in a trial. */
const modelTrial = z.object({
  result: z.enum(MODEL_RESULTS),
  problem: z.enum(MODEL_REPLY_PROBLEMS).nullable(),
  /** The unsupported fact or the unknown action, as the model wrote it. */
  detail: z.string().nullable(),
  /** The sources of an answer. A training row has no id; the situation, such as office hours, has no title either. */
  quotes: z.array(
    z.object({
      id: id.nullable(),
      document_id: id.nullable(),
      title: z.string().nullable(),
      text: z.string(),
    }),
  ),
  /** The queries that the question was rewritten to; null if the model read all articles. */
  search: z.array(z.string()).nullable(),
  /** Estimated for a request that was cut off. */
  tokens: z.object({ input: z.int(), output: z.int() }),
});

/** What a visitor would get, and why. Nothing of it is stored. */
export const botTrial = z.object({
  kind: z.enum(['answer', 'ask', 'unknown', 'handoff', 'small_talk', 'files', 'action']),
  /** Markdown; null if the bot hands over without a reply. */
  text: z.string().nullable(),
  sources: z.array(source),
  /** Actions that are offered as buttons. */
  choices: z.array(z.string()),
  /** Why the bot hands over, if it does. */
  handoff: handoffReason.nullable(),
  by: z.enum(DECIDED_BY),
  /** The part of a rule that matched, as in a handoff's summary. */
  why: z.string().nullable(),
  /** 0–1: how sure the bot was of its best article; null if no article decided. */
  confidence: z.number().nullable(),
  /** The confidence from which the bot answers. */
  threshold: z.number(),
  /** The articles that came closest, best first, and how sure the bot would be of each. A training row has no id. */
  candidates: z.array(
    z.object({
      id: id.nullable(),
      document_id: id.nullable(),
      title: z.string(),
      confidence: z.number(),
    }),
  ),
  /** The question was understood together with the previous one. */
  follows_up: z.boolean(),
  /** Null without a language model, and if a rule decided first. */
  model: modelTrial.nullable(),
  /** The number of questions without an answer, for the next call. */
  misses: z.int(),
});
export type BotTrial = z.infer<typeof botTrial>;

const ofSession = z.strictObject({ session_id: sessionId });
const ofId = z.strictObject({ id });

/** What the team does with the bot at the desk. */
export const botContract = {
  'bot.get': { input: z.strictObject({}), output: botSettings },
  'bot.update': {
    input: z.strictObject({
      name: text(1, BOT_NAME_MAX).optional(),
      enabled: z.boolean().optional(),
      own: z.boolean().optional(),
      own_timeout_s: z.int().min(OWN_BOT_TIMEOUT_MIN_S).max(OWN_BOT_TIMEOUT_MAX_S).optional(),
      tone: text(0, BOT_TONE_MAX).optional(),
      rules: text(0, BOT_RULES_MAX).optional(),
      model_answers_per_chat: z.int().min(0).max(MODEL_ANSWERS_PER_CHAT_MAX).optional(),
      model_answers_per_day: z.int().min(0).max(MODEL_ANSWERS_PER_DAY_MAX).optional(),
    }),
    output: botSettings,
  },
  /** Asks the bot as a visitor would, outside any chat. */
  'bot.try': {
    input: z.strictObject({
      question: text(1, MESSAGE_MAX),
      before: z
        .array(z.strictObject({ sender: z.enum(['visitor', 'bot']), text: text(0, MESSAGE_MAX) }))
        .max(TRIAL_MESSAGES_MAX)
        .default([]),
      misses: z.int().min(0).max(1).default(0),
    }),
    output: botTrial,
  },
  'handoff_rules.list': { input: z.strictObject({}), output: z.array(handoffRule) },
  'handoff_rules.create': {
    input: z.strictObject({
      name: ruleFields.name,
      words: ruleFields.words.default([]),
      pages: ruleFields.pages.default([]),
      segment_ids: ruleFields.segment_ids.default([]),
      hours: ruleFields.hours.default('any'),
      enabled: ruleFields.enabled.default(true),
    }),
    output: handoffRule,
  },
  'handoff_rules.update': {
    input: z.strictObject({ id, ...z.object(ruleFields).partial().shape }),
    output: handoffRule,
  },
  'handoff_rules.delete': { input: ofId, output: deleted },
  'question_sets.list': { input: z.strictObject({}), output: z.array(questionSet) },
  'question_sets.create': { input: z.strictObject({ name: text(1, NAME_MAX) }), output: questionSet },
  'question_sets.update': { input: z.strictObject({ id, name: text(1, NAME_MAX) }), output: questionSet },
  'question_sets.delete': { input: ofId, output: deleted },
  /** Imports a file of questions (docs/bot.md#the-file). Importing it again changes nothing. */
  'question_sets.import': { input: z.strictObject({ id, text: fileText }), output: importedQuestions },
  'set_questions.list': {
    input: z.strictObject({ ...paging, set_id: id, order: z.enum(['asc', 'desc']).default('asc') }),
    output: page(setQuestion),
  },
  'set_questions.create': {
    input: z.strictObject({
      set_id: id,
      question,
      expects: z.enum(EXPECTATIONS),
      article_id: id.nullable().optional(),
      /** The chat that it was asked in. */
      session_id: sessionId.nullable().optional(),
    }),
    output: setQuestion,
  },
  'set_questions.update': {
    input: z.strictObject({
      id,
      question: question.optional(),
      expects: z.enum(EXPECTATIONS).optional(),
      article_id: id.nullable().optional(),
    }),
    output: setQuestion,
  },
  'set_questions.delete': { input: ofId, output: deleted },
  'evaluations.start': { input: z.strictObject({ set_id: id }), output: evaluation },
  /** Newest first, at most EVALUATIONS_KEPT. */
  'evaluations.list': { input: z.strictObject({ set_id: id }), output: z.array(evaluation) },
  'evaluations.get': { input: ofId, output: evaluation },
  'evaluations.cancel': { input: ofId, output: evaluation },
  'evaluation_results.list': {
    input: z.strictObject({
      ...paging,
      order: z.enum(['asc', 'desc']).default('asc'),
      evaluation_id: id,
      /** An earlier evaluation of the same set. */
      compare_id: id.optional(),
      /** `changed`: only what has another outcome, or another answer, than in `compare_id`. */
      only: z.enum([...OUTCOMES, 'changed']).optional(),
    }),
    output: page(evaluationResult),
  },
  /** Asks the questions of a file and stores nothing: for the command line. */
  'evaluations.try': {
    input: z.strictObject({ text: fileText }),
    output: z.object({
      tally: evaluationTally,
      results: z.array(evaluationResult.omit({ before: true, question_id: true, position: true })),
      failed: z.array(badLine),
    }),
  },
  'gaps.list': {
    input: z.strictObject({ ...paging, state: z.enum(GAP_STATES).default('open') }),
    output: page(gap),
  },
  /** The newest questions of a gap, at most GAP_EXAMPLES. */
  'gaps.get': { input: ofId, output: gap.extend({ examples: z.array(gapExample) }) },
  'gaps.dismiss': { input: ofId, output: gap },
  'gaps.reopen': { input: ofId, output: gap },
  /** Returns a chat to the bot, which is silent until the visitor's next message. */
  'sessions.give_back': { input: ofSession, output: session },
  /** A reply to what the visitor said last, from published knowledge. Nothing is sent. */
  'copilot.suggest': {
    input: ofSession,
    output: z.object({
      /** Null: nothing that is published answers it. */
      text: z.string().nullable(),
      sources: z.array(source),
      question: z.string().nullable(),
      /** Written by the model, or copied from an article. */
      by: z.enum(['model', 'article']),
    }),
  },
  'copilot.summarise': {
    input: ofSession,
    output: z.object({ text: z.string(), by: z.enum(['model', 'extract']) }),
  },
  /** Null without a model. 503 when the model fails: the draft is the caller's and stays as it is. */
  'copilot.rewrite': {
    input: z.strictObject({
      session_id: sessionId,
      text: text(1, REWRITE_MAX),
      how: z.enum(REWRITES),
      /** The target of `translate`; the default is the visitor's language. */
      language: text(1, 40).optional(),
    }),
    output: z.object({ text: z.string().nullable() }),
  },
  /** A draft from the visitor's question and the agents' answers, with personal data masked. 409 without a question. */
  'copilot.draft_article': { input: ofSession, output: article },
} as const;
