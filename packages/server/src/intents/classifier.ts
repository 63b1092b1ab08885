import { readFileSync } from 'node:fs';
import { packageFile } from '../base/package-files.ts';
import { softmax } from '../base/softmax.ts';
import { featureHash } from '../text/feature-hash.ts';
import { folded } from '../text/words.ts';

/** A trained classifier, as `bench/intents.ts` writes it. */
export interface TrainedClassifier {
  readonly classes: readonly string[];
  /** The number of bits of a feature's hash. */
  readonly bits: number;
  readonly biases: readonly number[];
  /** The value of one step of a weight. */
  readonly scale: number;
  /** The file beside this one with a signed byte for each feature and class, by feature. */
  readonly weights: string;
}

/** The subject of a message comes early; the rest costs time and adds nothing. */
const READ_MAX_CHARS = 600;
const WORDS_READ = 80;
const WORD_MAX_CHARS = 40;
const WORD = /[\p{L}\p{N}\p{M}]+|\p{Extended_Pictographic}|[!?]+/gu;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** Lengths of character n-grams, with the ends of words; typos, endings and compounds leave most of them unchanged. */
const PART_LENGTHS = [3, 4, 5];
/** The same for languages that are written without spaces. */
const UNSPACED_PART_LENGTHS = [1, 2, 3, 4];

const WORD_SEED = 1;
const PAIR_SEED = 2;
const LENGTH_SEED = 3;
const PART_SEED = 10;

/**
 * The features of a message: words, pairs of words, character n-grams, and its approximate length, each as its hash.
 */
export function featuresOf(message: string, bits: number): number[] {
  const text = folded(message.slice(0, READ_MAX_CHARS).toWellFormed());
  // The presence of a number or a code is a feature; its characters aren't.
  const words = (text.match(WORD) ?? [])
    .slice(0, WORDS_READ)
    .map((word) => (/\d/.test(word) ? '0' : word.slice(0, WORD_MAX_CHARS)));
  const features = new Set<number>();
  const add = (feature: string, seed: number, start = 0, end = feature.length): void => {
    features.add(featureHash(feature, start, end, seed) & ((1 << bits) - 1));
  };
  let before = '^';
  for (const word of words) {
    add(word, WORD_SEED);
    add(`${before} ${word}`, PAIR_SEED);
    before = word;
    const isUnspaced = UNSPACED.test(word);
    const edged = isUnspaced ? word : ` ${word} `;
    for (const length of isUnspaced ? UNSPACED_PART_LENGTHS : PART_LENGTHS)
      for (let at = 0; at + length <= edged.length; at += 1) add(edged, PART_SEED + length, at, at + length);
  }
  add(String(Math.min(8, Math.floor(Math.log2(1 + words.length) * 1.5))), LENGTH_SEED);
  return [...features];
}

/**
 * A linear model over a message's features, with a probability for each class. Its weights are read with the first
 * message.
 */
export class Classifier<Class extends string> {
  readonly #trained: TrainedClassifier;
  #weights: Int8Array | undefined;

  constructor(trained: TrainedClassifier) {
    this.#trained = trained;
  }

  /** The probability of each class; they add up to 1. */
  probabilities(message: string): Readonly<Record<Class, number>> {
    const { classes, bits, biases, scale, weights } = this.#trained;
    this.#weights ??= new Int8Array(readFileSync(packageFile(`src/intents/${weights}`)));
    const features = featuresOf(message, bits);
    const step = scale / Math.sqrt(features.length);
    const sums = [...biases];
    for (const feature of features)
      for (let at = 0; at < classes.length; at += 1)
        sums[at] = (sums[at] ?? 0) + step * (this.#weights[feature * classes.length + at] ?? 0);
    const likely = softmax(sums);
    return Object.fromEntries(classes.map((name, at) => [name, likely[at] ?? 0])) as Record<Class, number>;
  }
}
