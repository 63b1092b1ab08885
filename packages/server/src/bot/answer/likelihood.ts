import { softmax } from '../../base/softmax.ts';
import type { SearchHit } from '../../knowledge/search/search-hits.ts';
import { NEARNESS_WEIGHTS, WEIGHTS } from './likelihood-weights.generated.ts';

/**
 * How well an article matches a question. Each measure rises with the match and is about 0–1; `place` is the article's
 * rank among the hits, from 0.
 */
export const MEASURES = {
  /** By its words, and by what was learned. */
  score: ({ score }: SearchHit) => score,
  /** Share of the question that its best passage has. */
  passage: ({ passages }: SearchHit) => greatest(passages.map(({ coverage }) => coverage)),
  /** Share of the question that its best sentence has. */
  sentence: ({ passages }: SearchHit) =>
    greatest(passages.flatMap(({ sentences }) => sentences.map(({ coverage }) => coverage))),
  sameness: ({ likeness }: SearchHit) => likeness.sameness,
  titleSameness: ({ likeness }: SearchHit) => likeness.titleSameness,
  closeness: ({ likeness }: SearchHit) => likeness.closeness,
  /** 1 for the best, 1/2 for the second: its lead over others, which their scores alone don't show. */
  rank: (_: SearchHit, place: number) => 1 / (1 + place),
} as const;

export type Measure = keyof typeof MEASURES;
export const MEASURE_NAMES = Object.keys(MEASURES) as Measure[];

/**
 * The kind of knowledge base: sentences, samples of questions, or too few articles to learn from. The measures mean
 * something else in each.
 */
export const CONTENTS = ['prose', 'samples', 'few'] as const;
export type Content = (typeof CONTENTS)[number];

/** Fitted weights. No weight of a measure is negative: a better match never makes an article less likely. */
export interface Weights {
  readonly measures: Readonly<Record<Measure, number>>;
  /** For "no article answers this": a constant, and by how much the question says (0–1). */
  readonly none: { readonly always: number; readonly said: number };
}

/**
 * What nearness in meaning adds to the weights for prose, where it is known: its own weight, and a constant for "no
 * article answers this", because each question is near some article. Fitted on the English businesses alone, so that
 * the other weights stay as they are.
 */
export interface NearnessWeights {
  readonly measure: number;
  readonly none: number;
}

const NO_NEARNESS: NearnessWeights = { measure: 0, none: 0 };

/** How many articles are compared; the rest are never meant. */
export const COMPARED = 5;

/** An article, and how likely it is that it answers the question. */
export interface Candidate {
  readonly hit: SearchHit;
  /** 0–1. Those of all candidates, and of "none of them", add up to 1. */
  readonly probability: number;
}

/**
 * The probability that each of the best hits answers the question, in their order. A conditional logit (McFadden 1974)
 * with "none of them" as one more alternative: one model decides which article and whether any. Fitted by
 * `bench/likelihood.ts`, which also shows how reliable the probabilities are on sites that it wasn't fitted on.
 */
export function candidatesOf(hits: readonly SearchHit[]): Candidate[] {
  const compared = hits.slice(0, COMPARED).filter(({ score }) => score > 0);
  const [best] = compared;
  if (best === undefined) return [];
  const weights = WEIGHTS[contentOf(best)];
  const nearness = best.nearness === undefined ? NO_NEARNESS : NEARNESS_WEIGHTS;
  const none = weights.none.always + weights.none.said * saidOf(best) + nearness.none;
  const [, ...likely] = softmax([
    none,
    ...compared.map((hit, place) => worthOf(hit, place, weights) + nearness.measure * (hit.nearness ?? 0)),
  ]);
  return compared.map((hit, at) => ({ hit, probability: likely[at] ?? 0 }));
}

/** The kind of the article's knowledge base. */
export const contentOf = ({ learned, isProse }: SearchHit): Content =>
  !learned ? 'few' : isProse ? 'prose' : 'samples';

/** 0–1: how much the question says, relative to the most that it could. */
export const saidOf = ({ information }: SearchHit): number => information / (1 + information);

const worthOf = (hit: SearchHit, place: number, { measures }: Weights): number =>
  MEASURE_NAMES.reduce((sum, name) => sum + measures[name] * MEASURES[name](hit, place), 0);

const greatest = (values: readonly number[]): number =>
  values.reduce((most, value) => Math.max(most, value), 0);
