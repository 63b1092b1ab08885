import type { SearchHit } from '../knowledge/search-index.ts';

/** From this confidence on the bot answers. */
export const ANSWER_FROM = 0.5;
/** From this confidence on it asks whether that is what was meant; below, it says that it doesn't know. */
export const ASK_FROM = 0.2;

/** A logistic curve over the best score and its lead. */
interface Curve {
  readonly score: number;
  /** How far the best article is ahead of the next: what everything mentions a little, nothing answers. */
  readonly lead: number;
  /** How far it is ahead of the third. */
  readonly overThird: number;
  readonly offset: number;
}

/**
 * By words alone: a logistic regression over questions that some article answers and questions that none does, both
 * counting alike (shop questions, assistants' intents, forum threads with half of the articles taken away).
 */
const BY_WORDS: Curve = { score: 7, lead: 5.6, overThird: 0, offset: -1.6 };
/**
 * With what was learned: the same, its middle put where on none of those sets more than one in ten of the questions
 * that nothing answers gets an answer. Other features were tried and add nothing: what share of a question's words an
 * article has, likeness by itself, whether words and likeness agree, and a middle for each site, found by asking its
 * sentences with their own article taken away: what siblings say is nearer than what strangers ask.
 */
const LEARNED: Curve = { score: 6.7, lead: 3.1, overThird: 9.7, offset: -4.95 };

/** Hits that `confidenceOf` looks at. */
export const HITS_COMPARED = 3;

/** 0–1: how likely it is that the best hit answers the question; 0 without a hit. */
export function confidenceOf(hits: readonly SearchHit[]): number {
  const [best, second, third] = hits;
  if (best === undefined || best.score <= 0) return 0;
  const curve = best.learned ? LEARNED : BY_WORDS;
  const lead = best.score - (second?.score ?? 0);
  const overThird = best.score - (third?.score ?? 0);
  const sum = curve.score * best.score + curve.lead * lead + curve.overThird * overThird + curve.offset;
  return 1 / (1 + Math.exp(-sum));
}
