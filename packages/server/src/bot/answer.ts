import type { HandoffReason } from '@foyer/protocol';
import type { SearchHit, SearchIndex } from '../knowledge/search-index.ts';
import { ANSWER_FROM, confidenceOf } from './confidence.ts';
import { extractAnswer } from './extract.ts';
import { asksForPerson } from './handoff-request.ts';
import { smallTalkReply, withoutCourtesy } from './small-talk.ts';

/** The article that an answer is taken from; where its page is, is looked up when it is said. */
export interface AnswerSource {
  readonly article_id: number;
  readonly title: string;
}

export type Decision =
  | {
      readonly kind: 'answer';
      readonly text: string;
      readonly sources: readonly AnswerSource[];
      readonly confidence: number;
    }
  | { readonly kind: 'unknown'; readonly confidence: number }
  /**
   * `text` is what the bot says before it is silent; the chat itself tells that a person was asked for. `why` is for the
   * team.
   */
  | {
      readonly kind: 'handoff';
      readonly reason: HandoffReason;
      readonly text?: string;
      readonly why?: string;
    }
  | { readonly kind: 'small_talk'; readonly text: string };

export interface AnswerContext {
  /** The visitor's question before this one, for questions like "and to Belgium?". */
  readonly previousQuestion?: string | undefined;
}

/** What lies behind this of a visitor's message is not read. */
export const MESSAGE_MAX_CHARS = 1_000;
const FOLLOW_UP = /^\s*(?:and|but|what about|how about|und|aber|et|mais|y|pero|e|ma|mas|en|maar|а|и)\s/i;
const FOLLOW_UP_MAX_WORDS = 7;

/**
 * What the bot does with a visitor's message (decisions 8), from published knowledge alone. Never
 * throws: whatever the message holds is only looked up, never obeyed.
 */
export function decide(index: SearchIndex, message: string, context: AnswerContext = {}): Decision {
  const question = bounded(message);
  if (asksForPerson(question)) return { kind: 'handoff', reason: 'visitor_request' };
  const reply = smallTalkReply(question);
  if (reply !== null) return { kind: 'small_talk', text: reply };
  return answerFrom(index, question, context);
}

/** The part of a decision that needs the articles: answered from one of them, or not known. */
export function answerFrom(
  index: SearchIndex,
  message: string,
  { previousQuestion }: AnswerContext = {},
): Decision {
  const question = bounded(message);
  const decision = lookUp(index, question);
  if (decision.kind === 'answer' || previousQuestion === undefined || !isFollowUp(question)) return decision;
  return lookUp(index, `${bounded(previousQuestion)} ${question}`.slice(-MESSAGE_MAX_CHARS));
}

function lookUp(index: SearchIndex, question: string): Decision {
  const hits = index.search(withoutCourtesy(question), 2);
  const confidence = confidenceOf(hits);
  const [best] = hits;
  if (best === undefined || confidence < ANSWER_FROM) return { kind: 'unknown', confidence };
  const text = extractAnswer(best, question);
  if (text === '') return { kind: 'unknown', confidence };
  return { kind: 'answer', text, sources: [sourceOf(best)], confidence };
}

function sourceOf({ passage }: SearchHit): AnswerSource {
  return { article_id: passage.articleId, title: passage.title };
}

function isFollowUp(question: string): boolean {
  return FOLLOW_UP.test(question) && question.trim().split(/\s+/).length <= FOLLOW_UP_MAX_WORDS;
}

function bounded(message: string): string {
  return message.slice(0, MESSAGE_MAX_CHARS).toWellFormed();
}
