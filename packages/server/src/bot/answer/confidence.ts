import type { SearchHit } from '../../knowledge/search/search-hits.ts';

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
 * that none does at most 8.5 % are answered in each kind of knowledge (assistants' intents, a shop's intents; of prose,
 * forum threads with half of them taken away, ten or twenty of them, the sample shop as newcomers ask it). Tried and of
 * no use: likeness by itself, the number of articles, and a middle for each site, found by asking its sentences with
 * their own article taken away: what siblings say is nearer than what strangers ask.
 */
interface Weights {
  readonly score: number;
  /** How far the best article is ahead of the next: what everything mentions a little, nothing answers. */
  readonly lead: number;
  /** How much the question says, of what could be said: a short one is met by chance. */
  readonly said: number;
  readonly titleSameness: number;
  readonly closeness: number;
  /** How much more the same than the next best articles, each as far as it is one by its score. */
  readonly samenessLead: number;
  readonly offset: number;
}

/** Where the article lists what people say: samples of one question. */
const LIKE_SAMPLES: Weights = {
  score: 20,
  lead: 17,
  said: 14.5,
  // Titles of samples are names that nobody says.
  titleSameness: 0,
  closeness: 14.5,
  samenessLead: 7,
  offset: -26.8,
};
/** Where it is prose: the question is put as one of its sentences, headings or titles … */
const LIKE_PROSE: Weights = {
  score: 17,
  // Told by the lead in sameness already.
  lead: 0,
  said: 23,
  titleSameness: 5,
  closeness: 10.4,
  samenessLead: 9.4,
  offset: -30.35,
};
/** … or put otherwise, but one passage has all that it asks for: what prose answers is seldom asked in its words. */
const MET_BY_PROSE = { score: 14.2, lead: 16.3, met: 16.6, samenessLead: 23, offset: -23.4 };
/** So much of a question's information may be missing from a passage that nearly has all; a word that no article has is 1. */
const NEARLY_ALL = 0.5;
/** A question that says less is met by chance, and one that says next to nothing ("what do I do?") by anything. */
const SAYS_ENOUGH = 0.7;
const SAYS_NOTHING = 0.45;
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
  if (!best.isProse) return likenessSum(LIKE_SAMPLES, best, others);
  return Math.max(likenessSum(LIKE_PROSE, best, others), metSum(best, others));
}

function likenessSum(weights: Weights, best: SearchHit, others: readonly SearchHit[]): number {
  const { titleSameness, closeness } = best.likeness;
  return (
    weights.score * best.score +
    weights.lead * leadOf(best, others) +
    weights.said * (best.information / (1 + best.information)) +
    weights.titleSameness * titleSameness +
    weights.closeness * closeness +
    weights.samenessLead * samenessLeadOf(best, others) +
    weights.offset
  );
}

function metSum(best: SearchHit, others: readonly SearchHit[]): number {
  if (best.information < SAYS_NOTHING) return -Infinity;
  const coverage = Math.max(...best.passages.map((passage) => passage.coverage));
  const missing = best.information * (1 - coverage);
  const met = Math.exp(-((missing / NEARLY_ALL) ** 2)) * Math.min(1, best.information / SAYS_ENOUGH);
  return (
    MET_BY_PROSE.score * best.score +
    MET_BY_PROSE.lead * leadOf(best, others) +
    MET_BY_PROSE.met * met +
    MET_BY_PROSE.samenessLead * samenessLeadOf(best, others) +
    MET_BY_PROSE.offset
  );
}

function samenessLeadOf({ likeness, score }: SearchHit, others: readonly SearchHit[]): number {
  const next = others.map((other) => other.likeness.sameness * (other.score / score));
  return likeness.sameness - Math.max(0, ...next);
}
