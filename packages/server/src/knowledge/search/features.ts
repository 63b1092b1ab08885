import { featureHash } from '../../text/feature-hash.ts';
import { wordsOf } from '../../text/words.ts';

/** A text as its features' numbers and weights. */
export interface FeatureVector {
  readonly features: Int32Array;
  readonly weights: Float32Array;
}

/** Features are known by the hash of what they are; two that meet in one number are rare enough not to matter. */
const FEATURES_MAX = 1 << 17;
const FEATURES_OF_FEW = 1 << 15;
const FEW_TEXTS = 1_000;
/** Parts of words of these lengths, with their ends: what typos, endings and compounds leave alike. */
const PART_LENGTHS = [3, 4];
/**
 * How much of a feature that no text has counts towards a question's length: a question that is mostly about something
 * else is like nothing here, however well the rest fits.
 */
const UNKNOWN_SHARE = 0.5;
/** A longer text says no more of what it is about, and costs more. */
const WORDS_READ = 80;

const WORD_SEED = 1;
const PAIR_SEED = 2;
const PART_SEED = 100;

/** Words with their neighbours, and parts of words: each is a vector of length 1 in what `vectorOf` gives. */
export const FEATURE_KINDS = 2;

type Counts = Map<number, number>;

function count(counts: Counts, feature: number): void {
  counts.set(feature, (counts.get(feature) ?? 0) + 1);
}

/** Words and neighbours, and apart from them the parts of words: each of the two weighs the same in a text. */
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

/** What texts have in common and what is rare among them: makes vectors of those texts and of questions. */
export class FeatureSpace {
  /** How many features it tells apart. */
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

  /** Every text must have been taken in before the first vector is made. */
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
