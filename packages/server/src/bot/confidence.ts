import type { SearchHit } from '../knowledge/search-index.ts';

/** From this confidence on the bot answers. */
export const ANSWER_FROM = 0.5;

/**
 * Weights of a logistic regression over questions that some article answers and questions that none
 * does, both counting alike (shop questions, assistants' intents, forum threads with half of the
 * articles taken away). Other features were tried: what share of a question's words an article has adds
 * nothing to these two, since long articles have most words by accident.
 */
const SCORE_WEIGHT = 7;
/** How far the best article is ahead of the next: what everything mentions a little, nothing answers. */
const LEAD_WEIGHT = 5.6;
const OFFSET = -1.6;

/** 0–1: how likely it is that the best hit answers the question; 0 without a hit. */
export function confidenceOf(hits: readonly SearchHit[]): number {
  const [best, next] = hits;
  if (best === undefined || best.score <= 0) return 0;
  const lead = best.score - (next?.score ?? 0);
  return 1 / (1 + Math.exp(-(SCORE_WEIGHT * best.score + LEAD_WEIGHT * lead + OFFSET)));
}
