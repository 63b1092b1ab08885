import type { SearchHit } from '../knowledge/search-index.ts';

/** From this confidence on the bot answers. */
export const ANSWER_FROM = 0.5;

/** Hits that `confidenceOf` looks at. */
export const HITS_COMPARED = 3;

/**
 * By words alone, where the articles are too few to learn from: a logistic regression over questions that some article
 * answers and questions that none does, both counting alike (shop questions, assistants' intents, forum threads with
 * half of the articles taken away).
 */
const BY_WORDS = { score: 7, lead: 5.6, offset: -1.6 };
/** By words alone, from this confidence on the bot asks whether that is what was meant. */
const MEANT_BY_WORDS = 0.2;

/**
 * With what was learned. The weights answer as many as can be of the questions that an article answers, while of those
 * that none does at most 9 % are answered in each of three kinds of knowledge (assistants' intents, a shop's intents,
 * forum threads with half of them taken away); small pieces of each and the sample shop count a little. Tried and of no
 * use: what share of a question's words an article has, likeness by itself, the number of articles, and a middle for
 * each site, found by asking its sentences with their own article taken away: what siblings say is nearer than what
 * strangers ask.
 */
const LEARNED = {
  score: 14.5,
  /** How far the best article is ahead of the next: what everything mentions a little, nothing answers. */
  lead: 12,
  /** How much the question says, of what could be said: a short one is met by chance. */
  said: 10,
  titleSameness: 2.6,
  closeness: 9.9,
  /** How much more the same than the next best articles, each as far as it is one by its score. */
  samenessLead: 5,
  offset: -18.95,
};
/**
 * Whether it is worth asking back: by the score and how many articles share it alone. A short question about what
 * several articles tell of is asked back, though none of them may answer it by itself.
 */
const MEANT = { score: 6.7, lead: 3.1, overThird: 9.7, offset: -3.56 };

/** 0–1: how likely it is that the best hit answers the question; 0 without a hit. */
export function confidenceOf(hits: readonly SearchHit[]): number {
  const [best, ...others] = hits.slice(0, HITS_COMPARED);
  if (best === undefined || best.score <= 0) return 0;
  const sum = best.learned ? learnedSum(best, others) : wordsSum(best, others);
  return 1 / (1 + Math.exp(-sum));
}

/** Whether one of the hits may be what is meant, though not surely enough to answer from it. */
export function mayBeMeant(hits: readonly SearchHit[]): boolean {
  const [best, ...others] = hits.slice(0, HITS_COMPARED);
  if (best === undefined || best.score <= 0) return false;
  if (!best.learned) return confidenceOf(hits) >= MEANT_BY_WORDS;
  const overThird = best.score - (others[1]?.score ?? 0);
  const sum = MEANT.score * best.score + MEANT.lead * leadOf(best, others) + MEANT.overThird * overThird;
  return sum + MEANT.offset >= 0;
}

function leadOf(best: SearchHit, others: readonly SearchHit[]): number {
  return best.score - (others[0]?.score ?? 0);
}

function wordsSum(best: SearchHit, others: readonly SearchHit[]): number {
  return BY_WORDS.score * best.score + BY_WORDS.lead * leadOf(best, others) + BY_WORDS.offset;
}

function learnedSum(best: SearchHit, others: readonly SearchHit[]): number {
  const { sameness, titleSameness, closeness } = best.likeness;
  const nextSameness = others.map((other) => other.likeness.sameness * (other.score / best.score));
  const samenessLead = sameness - Math.max(0, ...nextSameness);
  return (
    LEARNED.score * best.score +
    LEARNED.lead * leadOf(best, others) +
    LEARNED.said * (best.information / (1 + best.information)) +
    LEARNED.titleSameness * titleSameness +
    LEARNED.closeness * closeness +
    LEARNED.samenessLead * samenessLead +
    LEARNED.offset
  );
}
