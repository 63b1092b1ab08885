import type { HandoffReason } from '@foyer/protocol';
import type { Run } from '../../actions/runs.ts';
import { MESSAGE_MAX_CHARS } from '../../intents/message-limit.ts';
import type { SearchIndex } from '../../knowledge/search/search-index.ts';
import { fusedByRank, type Near } from '../../knowledge/search/vectors/passage-vectors.ts';
import { escapeMarkdown } from '../../text/plain-text.ts';
import { folded } from '../../text/words.ts';
import { extractAnswer } from './extract.ts';
import { type Candidate, COMPARED, candidatesOf, saidOf } from './likelihood.ts';
import { partsOf, readingsOf } from './readings.ts';

/** The source of an answer; the address of its page is looked up when the answer is sent. */
export interface AnswerSource {
  /** A number of `knowledge/search/source-ids`: above zero, an article's. */
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
  /** Likely one of these, but not surely: the visitor is asked which is meant. A model asks in its own words. */
  | {
      readonly kind: 'ask';
      readonly sources: readonly AnswerSource[];
      readonly confidence: number;
      readonly text?: string;
    }
  | { readonly kind: 'unknown'; readonly confidence: number }
  /**
   * `text` is what the bot says before it is silent; the chat itself shows that a person was asked for. `why` is for
   * the team.
   */
  | {
      readonly kind: 'handoff';
      readonly reason: HandoffReason;
      readonly text?: string;
      readonly why?: string;
    }
  | { readonly kind: 'small_talk'; readonly text: string }
  /** A step of an action; `run` is the chat's position in it, null once the action has ended. */
  | {
      readonly kind: 'action';
      readonly text: string;
      readonly choices: readonly string[];
      readonly run: Run | null;
    }
  /** Files without a text: there is no question that could have an answer. */
  | { readonly kind: 'files' };

export interface AnswerContext {
  /** The visitor's question before this one, for questions like "and to Belgium?". */
  readonly previousQuestion?: string | undefined;
  /** What is near a text in meaning, for those of `textsCompared`; undefined without vectors. */
  readonly near?: ((text: string) => Near | undefined) | undefined;
}

/** How many passages found by meaning are compared with those found by words. */
export const NEAR_COMPARED = 10;
/**
 * The probability from which the bot answers: from the best article, or from the best two if together they reach it.
 * `bench/likelihood.ts` shows how reliable the probabilities are.
 */
export const ANSWER_FROM = 0.72;
/** A message that says less (0–1), perhaps a single word, is answered by asking which article is meant. */
const SAYS_ENOUGH = 0.35;
/** The probability from which the best articles are offered as choices. */
export const OFFER_FROM = 0.1;
const OFFERED = 3;
/** Longer messages state their subject without the one before. */
const FOLLOW_UP_MAX_CHARS = 90;
/**
 * How much of a follow-up may be in none of the articles; a word that none has counts 1. With a whole unknown word
 * ("and on weekends?", "who was Napoleon?"), the answer to the previous question is only offered.
 */
const FOLLOW_UP_UNKNOWN = { answered: 0.8, offered: 1.5 } as const;

/** A decision, and the articles that it was based on. */
export interface Lookup {
  readonly decision: Decision;
  /** Best first, as they were compared. */
  readonly candidates: readonly Candidate[];
  /** The question was looked up together with the previous one. */
  readonly followsUp: boolean;
  /** The message is the title of an article, as each choice is. */
  readonly isChoice?: true;
}

/**
 * Answers a question from published knowledge: an answer from an article or two, a question back, or not known. Never
 * throws, and only looks the message up: nothing in it is an instruction.
 */
export const answerFrom = (index: SearchIndex, message: string, context?: AnswerContext): Decision =>
  lookUpAnswer(index, message, context).decision;

/** As `answerFrom`, with the basis of the decision. */
export function lookUpAnswer(
  index: SearchIndex,
  message: string,
  { previousQuestion, near = () => undefined }: AnswerContext = {},
): Lookup {
  const question = bounded(message);
  const before = previousQuestion === undefined ? undefined : bounded(previousQuestion);
  const chosen = answerFromChosen(index, question, before);
  if (chosen !== undefined) return chosen;
  const read = readingsOf(question).map((text) => ({
    candidates: compared(index, text, near(text)),
    followsUp: false,
  }));
  const strange = unknownOf(question, read[0]?.candidates ?? []);
  if (before !== undefined && strange <= FOLLOW_UP_UNKNOWN.offered)
    read.push({
      candidates: compared(index, together(before, question), near(together(before, question))),
      followsUp: true,
    });
  const best = read.reduce((most, each) => (sureness(each) > sureness(most) ? each : most));
  const decision = answerToBoth(index, question, near) ?? decisionFor(question, best.candidates);
  const isOnlyOffered = best.followsUp && strange > FOLLOW_UP_UNKNOWN.answered && decision.kind === 'answer';
  return { ...best, decision: isOnlyOffered ? offerOf(best.candidates) : decision };
}

/** All texts that are compared with articles for a message. */
export function textsCompared(message: string, previousQuestion: string | undefined): string[] {
  const question = bounded(message);
  const before = previousQuestion === undefined ? [] : [together(bounded(previousQuestion), question)];
  return [...new Set([...readingsOf(question), ...before, ...partsOf(question).flat()])];
}

const together = (before: string, question: string): string => `${before} ${question}`;

/**
 * The articles that match the question best by words and, if there are vectors, by meaning: fused by score where the
 * weights are fitted to it, else by rank.
 */
function compared(index: SearchIndex, question: string, near: Near | undefined): Candidate[] {
  if (near === undefined || near.nearness !== undefined || near.passages.length === 0)
    return candidatesOf(index.search(question, COMPARED, near?.nearness));
  const byArticle = new Map(index.search(question, NEAR_COMPARED).map((hit) => [hit.passage.articleId, hit]));
  const fused = fusedByRank([
    [...byArticle.keys()],
    new Set(near.passages.map(({ articleId }) => articleId)),
  ]);
  return candidatesOf(fused.flatMap((articleId) => byArticle.get(articleId) ?? []));
}

/**
 * How much of a short message, which may be a follow-up, no article knows. A long one never counts as a follow-up: if
 * it asked for something else, it would get the answer to the previous question.
 */
function unknownOf(question: string, [best]: readonly Candidate[]): number {
  if (question.length > FOLLOW_UP_MAX_CHARS) return Number.POSITIVE_INFINITY;
  return best === undefined ? Number.POSITIVE_INFINITY : best.hit.information * (1 - best.hit.coverage);
}

const sureness = ({ candidates }: { readonly candidates: readonly Candidate[] }): number =>
  Math.max(0, ...candidates.map(({ probability }) => probability));

/** Answers from the likeliest article, or from the likeliest two if only together they are likely enough. */
function decisionFor(question: string, candidates: readonly Candidate[]): Decision {
  const likely = candidates.toSorted((one, other) => other.probability - one.probability);
  const [best, second] = likely;
  if (best === undefined) return { kind: 'unknown', confidence: 0 };
  const confidence = best.probability;
  const together = confidence + (second?.probability ?? 0);
  if (confidence >= ANSWER_FROM)
    return answerOf(question, [best], confidence) ?? { kind: 'unknown', confidence };
  if (together >= ANSWER_FROM && saidOf(best.hit) >= SAYS_ENOUGH) {
    const both = candidates.filter((each) => each === best || each === second);
    const answer = answerOf(question, both, together);
    if (answer !== undefined) return answer;
  }
  if (confidence < OFFER_FROM) return { kind: 'unknown', confidence };
  return offerOf(likely);
}

/** The same articles as choices. */
export const offerOf = (candidates: readonly Candidate[]): Decision => ({
  kind: 'ask',
  sources: candidates.slice(0, OFFERED).map(sourceOf),
  confidence: sureness({ candidates }),
});

/** What each of two articles would answer alone, under its title. Undefined if one of them says nothing. */
function answerOf(
  question: string,
  candidates: readonly Candidate[],
  confidence: number,
): Decision | undefined {
  const texts = candidates.map(({ hit }) => extractAnswer(hit, question));
  if (texts.includes('')) return undefined;
  const shown = texts.map((text, at) =>
    texts.length === 1 ? text : `**${escapeMarkdown(candidates[at]?.hit.passage.title ?? '')}**\n\n${text}`,
  );
  const sources = new Map(candidates.map((each) => [each.hit.passage.articleId, sourceOf(each)]));
  return { kind: 'answer', text: shown.join('\n\n'), sources: [...sources.values()], confidence };
}

/** Both answers, if a message asks two things and each has an answer that is likely enough. */
function answerToBoth(
  index: SearchIndex,
  question: string,
  near: (text: string) => Near | undefined,
): Decision | undefined {
  for (const parts of partsOf(question)) {
    const found = parts.flatMap((part) => compared(index, part, near(part)).slice(0, 1));
    if (found.length < parts.length || found.some(({ probability }) => probability < ANSWER_FROM)) continue;
    const [first, second] = found;
    if (first === undefined || second === undefined || first.hit.passage === second.hit.passage) continue;
    return answerOf(question, found, Math.min(first.probability, second.probability));
  }
  return undefined;
}

/**
 * A message that is an article's title, such as a choice, asks for that article; the previous question says what for.
 */
function answerFromChosen(
  index: SearchIndex,
  question: string,
  previousQuestion: string | undefined,
): Lookup | undefined {
  const title = folded(question.trim());
  const [named] = index.search(question, 1);
  if (named === undefined || folded(named.passage.title.trim()) !== title) return undefined;
  const hit = index
    .search(bounded(`${previousQuestion ?? question}`), index.articleCount)
    .find(({ passage }) => passage.articleId === named.passage.articleId);
  const text = extractAnswer(hit ?? named, previousQuestion ?? question);
  if (text === '') return undefined;
  const candidate = { hit: named, probability: 1 };
  const decision: Decision = { kind: 'answer', text, sources: [sourceOf(candidate)], confidence: 1 };
  return { decision, candidates: [candidate], followsUp: previousQuestion !== undefined, isChoice: true };
}

function sourceOf({ hit: { passage } }: Candidate): AnswerSource {
  return { article_id: passage.articleId, title: passage.title };
}

function bounded(message: string): string {
  return message.slice(0, MESSAGE_MAX_CHARS).toWellFormed();
}
