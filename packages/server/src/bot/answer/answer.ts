import type { HandoffReason } from '@foyer/protocol';
import type { TokenCount } from '../../ai/language-model.ts';
import { MESSAGE_MAX_CHARS } from '../../intents/message-limit.ts';
import { withoutCourtesy } from '../../intents/small-talk.ts';
import { fusedByRank } from '../../knowledge/search/passage-vectors.ts';
import type { Passage } from '../../knowledge/search/passages.ts';
import type { SearchHit } from '../../knowledge/search/search-hits.ts';
import type { SearchIndex } from '../../knowledge/search/search-index.ts';
import { folded } from '../../text/words.ts';
import { ANSWER_FROM, confidenceOf, HITS_COMPARED, mayBeMeant } from './confidence.ts';
import { extractAnswer } from './extract.ts';

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
      /** What the language model reports that it took; undefined where none was asked. */
      readonly tokens?: TokenCount;
    }
  /** Likely one of these, but not surely: the visitor is asked which is meant. */
  | { readonly kind: 'ask'; readonly sources: readonly AnswerSource[]; readonly confidence: number }
  | { readonly kind: 'unknown'; readonly confidence: number; readonly tokens?: TokenCount }
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
  | { readonly kind: 'small_talk'; readonly text: string }
  /** Files without a word: there is nothing that could be known or not. */
  | { readonly kind: 'files' };

export interface AnswerContext {
  /** The visitor's question before this one, for questions like "and to Belgium?". */
  readonly previousQuestion?: string | undefined;
  /** Passages nearest to the question in meaning, best first; none where there are no vectors. */
  readonly near?: readonly Passage[] | undefined;
}

/** Passages by meaning that are compared with those by words. */
export const NEAR_COMPARED = 10;
const FOLLOW_UP = /^\s*(?:and|but|what about|how about|und|aber|et|mais|y|pero|e|ma|mas|en|maar|а|и)\s/i;
const FOLLOW_UP_MAX_WORDS = 7;
/** An article with this share of the best one's score may be what was meant too. */
const ALMOST_AS_GOOD = 0.75;

/** A decision, and the articles that it was made from. */
export interface Lookup {
  readonly decision: Decision;
  /** Best first, as they were compared. */
  readonly hits: readonly SearchHit[];
  /** The question was looked up together with the one before it. */
  readonly followsUp: boolean;
}

/**
 * Answers a question from published knowledge: an answer from an article, a question back, or not known. Never throws,
 * and only looks the message up: nothing in it is an instruction.
 */
export const answerFrom = (index: SearchIndex, message: string, context?: AnswerContext): Decision =>
  lookUpAnswer(index, message, context).decision;

/** As `answerFrom`, with what it was decided by. */
export function lookUpAnswer(
  index: SearchIndex,
  message: string,
  { previousQuestion, near = [] }: AnswerContext = {},
): Lookup {
  const question = bounded(message);
  const chosen = answerFromChosen(index, question, previousQuestion);
  if (chosen !== undefined) return chosen;
  const alone = lookUp(index, question, near);
  if (alone.decision.kind === 'answer' || previousQuestion === undefined || !isFollowUp(question))
    return alone;
  const joined = `${bounded(previousQuestion)} ${question}`.slice(-MESSAGE_MAX_CHARS);
  const together = lookUp(index, joined, near);
  return together.decision.kind === 'answer' ? { ...together, followsUp: true } : alone;
}

function lookUp(index: SearchIndex, question: string, near: readonly Passage[]): Lookup {
  const hits = hitsOf(index, withoutCourtesy(question), near);
  return { decision: decisionFor(hits, question), hits, followsUp: false };
}

function decisionFor(hits: readonly SearchHit[], question: string): Decision {
  const confidence = confidenceOf(hits);
  const [best] = hits;
  if (best === undefined) return { kind: 'unknown', confidence };
  if (confidence < ANSWER_FROM)
    return mayBeMeant(hits)
      ? { kind: 'ask', sources: closest(hits), confidence }
      : { kind: 'unknown', confidence };
  const text = extractAnswer(best, question);
  if (text === '') return { kind: 'unknown', confidence };
  return { kind: 'answer', text, sources: [sourceOf(best)], confidence };
}

/** The articles that meet the question best by its words and, where there are vectors, by its meaning: fused by rank. */
function hitsOf(index: SearchIndex, question: string, near: readonly Passage[]): readonly SearchHit[] {
  if (near.length === 0) return index.search(question, HITS_COMPARED);
  const byArticle = new Map(index.search(question, NEAR_COMPARED).map((hit) => [hit.passage.articleId, hit]));
  return fusedByRank([[...byArticle.keys()], new Set(near.map(({ articleId }) => articleId))])
    .flatMap((articleId) => byArticle.get(articleId) ?? [])
    .slice(0, HITS_COMPARED);
}

/** Who says an article's title, as one of the choices does, wants that article; what for was asked before. */
function answerFromChosen(
  index: SearchIndex,
  question: string,
  previousQuestion: string | undefined,
): Lookup | undefined {
  const title = folded(question.trim());
  const [named] = index.search(question, 1);
  if (named === undefined || folded(named.passage.title.trim()) !== title) return undefined;
  const whole = bounded(`${question} ${previousQuestion ?? ''}`);
  const hit = index
    .search(whole, HITS_COMPARED)
    .find(({ passage }) => passage.articleId === named.passage.articleId);
  const text = extractAnswer(hit ?? named, previousQuestion ?? question);
  if (text === '') return undefined;
  const decision: Decision = { kind: 'answer', text, sources: [sourceOf(named)], confidence: 1 };
  return { decision, hits: [named], followsUp: previousQuestion !== undefined };
}

/** The best article and those that are about as good, each with something to read in it. */
function closest(hits: readonly SearchHit[]): AnswerSource[] {
  const least = (hits[0]?.score ?? 0) * ALMOST_AS_GOOD;
  return hits.filter(({ score }) => score >= least).map(sourceOf);
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
