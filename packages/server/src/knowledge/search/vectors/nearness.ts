import type { Passage } from '../passages.ts';

/** A passage and the vector of its text. */
export interface Placed {
  readonly passage: Passage;
  /** Of length 1. */
  readonly vector: Float32Array;
}

/** How near passages are to a question, 0–1; those that aren't near are left out. */
export type Nearness = ReadonlyMap<Passage, number>;

/** Four standard deviations are the most that occurs. */
const FULL_DEVIATIONS = 4;

/** The passages with their cosine to the question, nearest first. */
export function byCosine(
  placed: readonly Placed[],
  question: Float32Array,
): { passage: Passage; cosine: number }[] {
  return placed
    .map(({ passage, vector }) => ({ passage, cosine: dot(question, vector) }))
    .toSorted((a, b) => b.cosine - a.cosine);
}

/**
 * By how many standard deviations a passage is nearer than the articles of the site are on average, each by its nearest
 * passage. A cosine alone says little: all articles of a shop are about the shop.
 */
export function nearnessOf(sorted: readonly { passage: Passage; cosine: number }[]): Nearness {
  const nearest = new Map<number, number>();
  for (const { passage, cosine } of sorted)
    if (!nearest.has(passage.articleId)) nearest.set(passage.articleId, cosine);
  const cosines = [...nearest.values()];
  const mean = cosines.reduce((sum, cosine) => sum + cosine, 0) / cosines.length;
  const spread = Math.sqrt(cosines.reduce((sum, cosine) => sum + (cosine - mean) ** 2, 0) / cosines.length);
  if (!(spread > 0)) return new Map();
  return new Map(
    sorted
      .filter(({ cosine }) => cosine > mean)
      .map(({ passage, cosine }) => [passage, Math.min(1, (cosine - mean) / spread / FULL_DEVIATIONS)]),
  );
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}
