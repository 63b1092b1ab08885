import { featureHash } from '../../text/feature-hash.ts';
import { wordsOf } from '../../text/words.ts';

/** The features of a text and their weights. */
export interface FeatureVector {
  readonly features: Int32Array;
  readonly weights: Float32Array;
}

/** Features are identified by a hash; collisions are too rare to matter. */
const FEATURES_MAX = 1 << 17;
const FEATURES_OF_FEW = 1 << 15;
const FEW_TEXTS = 1_000;
/** Lengths of character n-grams, including word ends: typos, endings and compounds leave most of them unchanged. */
const PART_LENGTHS = [3, 4];
/**
 * How much an unknown feature counts towards a question's length: a question that is mostly about something else
 * resembles nothing here, however well the rest matches.
 */
const UNKNOWN_SHARE = 0.5;
/** The words of a text that are read: more add nothing to its subject, and cost time. */
const WORDS_READ = 80;

const WORD_SEED = 1;
const PAIR_SEED = 2;
const PART_SEED = 100;

/** Words with pairs, and n-grams: `vectorOf` makes a vector of length 1 of each. */
export const FEATURE_KINDS = 2;

type Counts = Map<number, number>;

function count(counts: Counts, feature: number): void {
  counts.set(feature, (counts.get(feature) ?? 0) + 1);
}

/** Words and pairs, and separately the n-grams: both have the same weight in a text. */
function countsOf(text: string, mask: number): [Counts, Counts] {
  const said: Counts = new Map();
  const parts: Counts = new Map();
  let before = '';
  for (const word of wordsOf(text).slice(0, WORDS_READ)) {
    count(said, featureHash(word, 0, word.length, WORD_SEED) & mask);
    const pair = `${before} ${word}`;
    if (before !== '') count(said, featureHash(pair, 0, pair.length, PAIR_SEED) & mask);
    before = word;
    const edged = ` ${word} `;
    for (const length of PART_LENGTHS) {
      for (let at = 0; at + length <= edged.length; at += 1)
        count(parts, featureHash(edged, at, at + length, PART_SEED + length) & mask);
    }
  }
  return [said, parts];
}

/** The features of texts and their rarity: makes vectors of those texts and of questions. */
export class FeatureSpace {
  /** The number of features. */
  readonly features: number;
  /** How many texts have each. */
  readonly #texts: Uint16Array | Int32Array;
  #size = 0;

  constructor(texts: number) {
    const isFew = texts <= FEW_TEXTS;
    this.features = isFew ? FEATURES_OF_FEW : FEATURES_MAX;
    this.#texts = isFew ? new Uint16Array(this.features) : new Int32Array(this.features);
  }

  get bytes(): number {
    return this.#texts.byteLength;
  }

  /** Every text must be added before the first vector is made. */
  takeIn(text: string): void {
    this.#size += 1;
    for (const counts of this.#countsOf(text)) {
      for (const feature of counts.keys()) this.#texts[feature] = (this.#texts[feature] ?? 0) + 1;
    }
  }

  vectorOf(text: string): FeatureVector {
    const features: number[] = [];
    const weights: number[] = [];
    for (const counts of this.#countsOf(text)) {
      const from = weights.length;
      let squares = 0;
      for (const [feature, times] of counts) {
        const texts = this.#texts[feature] ?? 0;
        const rarity = Math.log((1 + this.#size) / (1 + texts)) + 1;
        const weight = (1 + Math.log(times)) * rarity * (texts > 0 ? 1 : UNKNOWN_SHARE);
        squares += weight * weight;
        if (texts === 0) continue;
        features.push(feature);
        weights.push(weight);
      }
      const scale = squares > 0 ? 1 / Math.sqrt(squares) : 0;
      for (let at = from; at < weights.length; at += 1) weights[at] = (weights[at] ?? 0) * scale;
    }
    return { features: Int32Array.from(features), weights: Float32Array.from(weights) };
  }

  #countsOf(text: string): [Counts, Counts] {
    return countsOf(text, this.features - 1);
  }
}
