import { FeatureSpace, type FeatureVector } from './features.ts';
import { type LearnedArticle, LearnedModel } from './learned-model.ts';

/** An article for learning: its title, headings and sentences. */
export interface LearnableArticle {
  readonly articleId: number;
  readonly samples: readonly string[];
}

/** Fewer articles only teach how they differ, not what is about none of them. */
const ARTICLES_MIN = 8;
/** The limit of a site; larger ones learn from fewer sentences of each article, the first ones. */
const SAMPLES_MAX = 20_000;
/** Articles times the other articles' sentences that each is compared with: limits the time. */
const COMPARISONS_MAX = 1_500_000;
const OTHERS_MIN = 300;
/** The number of weights kept for all articles together: limits the memory. */
const WEIGHTS_MAX = 2_000_000;
/** The cost of a mistake compared with large weights (the C of a support vector machine). */
const MISTAKE_COST = 0.5;
const ROUNDS_MAX = 12;
/** A round without a larger correction than this is the last. */
const GOOD_ENOUGH = 0.1;
/** Smaller weights don't change the order. */
const WEIGHT_MIN = 0.01;

interface Sample {
  readonly article: number;
  readonly vector: FeatureVector;
  /** Its length squared, with the offset's 1. */
  readonly squared: number;
}

/**
 * Learns to distinguish the articles of one site by their own sentences: for each article a linear support vector
 * machine with squared hinge loss, solved in its dual by coordinates (Hsieh et al. 2008). The same articles give the
 * same model. Yields between steps of some milliseconds, so that other work gets its turn.
 */
export function* learning(articles: readonly LearnableArticle[]): Generator<void, LearnedModel | undefined> {
  if (articles.length < ARTICLES_MIN) return undefined;
  const most = Math.max(1, Math.floor(SAMPLES_MAX / articles.length));
  const sampleCount = articles.reduce((sum, { samples }) => sum + Math.min(most, samples.length), 0);
  const space = new FeatureSpace(sampleCount);
  for (const { samples } of articles) {
    for (const text of samples.slice(0, most)) space.takeIn(text);
    yield;
  }
  const samples: Sample[] = [];
  const starts = [0];
  for (const [article, { samples: texts }] of articles.entries()) {
    for (const text of texts.slice(0, most)) samples.push(sampleOf(article, space.vectorOf(text)));
    starts.push(samples.length);
    yield;
  }
  const others = Math.max(OTHERS_MIN, Math.floor(COMPARISONS_MAX / articles.length));
  const weightsMax = Math.floor(WEIGHTS_MAX / articles.length);
  const learned: LearnedArticle[] = [];
  const dense = new Float32Array(space.features);
  for (const [article, { articleId }] of articles.entries()) {
    dense.fill(0);
    const own = { start: starts[article] ?? 0, end: starts[article + 1] ?? 0 };
    const offset = learnOne(dense, chosen(samples, own, others), article);
    learned.push({ articleId, offset, ...largest(dense, weightsMax) });
    yield;
  }
  return new LearnedModel(space, learned);
}

function sampleOf(article: number, vector: FeatureVector): Sample {
  return { article, vector, squared: vector.weights.reduce((sum, weight) => sum + weight * weight, 1) };
}

/** An article's own samples, and `others` of the other articles', evenly distributed. */
function chosen(
  samples: readonly Sample[],
  own: { readonly start: number; readonly end: number },
  others: number,
): Sample[] {
  const foreign = samples.length - (own.end - own.start);
  const taken = samples.slice(own.start, own.end);
  const step = Math.max(1, foreign / others);
  for (let at = 0; at < foreign; at += step) {
    const place = Math.floor(at);
    const sample = samples[place < own.start ? place : place + own.end - own.start];
    if (sample !== undefined) taken.push(sample);
  }
  return taken;
}

/** Fills `weights`. @returns the offset. */
function learnOne(weights: Float32Array, samples: readonly Sample[], article: number): number {
  const slack = 1 / (2 * MISTAKE_COST);
  const alphas = new Float64Array(samples.length);
  const random = randomFrom(article);
  const order = Int32Array.from(samples, (_, at) => at);
  let left = order.length;
  let offset = 0;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    shuffle(order, left, random);
    let worst = 0;
    let kept = 0;
    for (let place = 0; place < left; place += 1) {
      const at = order[place] ?? 0;
      const sample = samples[at];
      if (sample === undefined) continue;
      const side = sample.article === article ? 1 : -1;
      const alpha = alphas[at] ?? 0;
      const gradient = side * (offset + dot(weights, sample.vector)) - 1 + alpha * slack;
      // Classified with a wide margin: it is skipped from now on.
      if (alpha === 0 && gradient > GOOD_ENOUGH && round > 0) continue;
      order[kept] = at;
      kept += 1;
      const wrong = Math.abs(alpha === 0 ? Math.min(gradient, 0) : gradient);
      worst = Math.max(worst, wrong);
      const changed = Math.max(alpha - gradient / (sample.squared + slack), 0);
      alphas[at] = changed;
      const step = (changed - alpha) * side;
      offset += step;
      addTo(weights, sample.vector, step);
    }
    left = kept;
    if (worst < GOOD_ENOUGH) break;
  }
  return offset;
}

function dot(weights: Float32Array, { features, weights: values }: FeatureVector): number {
  let sum = 0;
  for (let at = 0; at < features.length; at += 1)
    sum += (weights[features[at] ?? 0] ?? 0) * (values[at] ?? 0);
  return sum;
}

function addTo(weights: Float32Array, { features, weights: values }: FeatureVector, step: number): void {
  if (step === 0) return;
  for (let at = 0; at < features.length; at += 1) {
    const feature = features[at] ?? 0;
    weights[feature] = (weights[feature] ?? 0) + step * (values[at] ?? 0);
  }
}

/** The weights with the largest absolute values, at most `most`. */
function largest(dense: Float32Array, most: number): Pick<LearnedArticle, 'features' | 'weights'> {
  const features: number[] = [];
  for (let feature = 0; feature < dense.length; feature += 1)
    if (Math.abs(dense[feature] ?? 0) >= WEIGHT_MIN) features.push(feature);
  if (features.length > most) {
    features.sort((a, b) => Math.abs(dense[b] ?? 0) - Math.abs(dense[a] ?? 0) || a - b);
    features.length = most;
  }
  return {
    features: Int32Array.from(features),
    weights: Float32Array.from(features, (at) => dense[at] ?? 0),
  };
}

/** The same numbers for the same seed: a rebuilt index must rank as before. */
function randomFrom(seed: number): () => number {
  let state = (seed + 12_345) & 0x7fffffff;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
}

/** Shuffles the first `length` items. */
function shuffle(order: Int32Array, length: number, random: () => number): void {
  for (let at = length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    const kept = order[at] ?? 0;
    order[at] = order[other] ?? 0;
    order[other] = kept;
  }
}
