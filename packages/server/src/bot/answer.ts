import type { SearchHit, SearchIndex } from '../knowledge/search-index.ts';
import { ANSWER_FROM, confidenceOf } from './confidence.ts';
import { extractAnswer } from './extract.ts';
import { asksForPerson } from './handoff-request.ts';
import { smallTalkReply, withoutCourtesy } from './small-talk.ts';

export interface AnswerSource {
  readonly article_id: number;
  readonly title: string;
  readonly slug?: string;
}

export type Decision =
  | {
      readonly kind: 'answer';
      readonly text: string;
      readonly sources: readonly AnswerSource[];
      readonly confidence: number;
    }
  | { readonly kind: 'unknown'; readonly confidence: number }
  | { readonly kind: 'handoff'; readonly reason: 'visitor_request' }
  | { readonly kind: 'small_talk'; readonly text: string };

export interface AnswerContext {
  /** The visitor's question before this one, for questions like "and to Belgium?". */
  readonly previousQuestion?: string | undefined;
  /** The address part of an article's public page, if it has one. */
  readonly slugOf?: (articleId: number) => string | undefined;
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
  const decision = lookUp(index, question, context);
  if (decision.kind === 'answer' || context.previousQuestion === undefined || !isFollowUp(question))
    return decision;
  return lookUp(index, `${bounded(context.previousQuestion)} ${question}`.slice(-MESSAGE_MAX_CHARS), context);
}

function lookUp(index: SearchIndex, question: string, context: AnswerContext): Decision {
  const hits = index.search(withoutCourtesy(question), 2);
  const confidence = confidenceOf(hits);
  const [best] = hits;
  if (best === undefined || confidence < ANSWER_FROM) return { kind: 'unknown', confidence };
  const text = extractAnswer(best, question);
  if (text === '') return { kind: 'unknown', confidence };
  return { kind: 'answer', text, sources: [sourceOf(best, context)], confidence };
}

function sourceOf({ passage }: SearchHit, context: AnswerContext): AnswerSource {
  const slug = context.slugOf?.(passage.articleId);
  const source = { article_id: passage.articleId, title: passage.title };
  return slug === undefined ? source : { ...source, slug };
}

function isFollowUp(question: string): boolean {
  return FOLLOW_UP.test(question) && question.trim().split(/\s+/).length <= FOLLOW_UP_MAX_WORDS;
}

function bounded(message: string): string {
  return message.slice(0, MESSAGE_MAX_CHARS).toWellFormed();
}
