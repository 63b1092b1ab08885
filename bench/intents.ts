/**
 * Trains the bot's classifiers for messages that aren't questions (`packages/server/src/intents/intents.ts`) on the
 * examples beside them and on the questions of the open half of `bench/sites`. Prints their accuracy by fivefold
 * cross-validation.
 *
 *     node bench/intents.ts [--write]
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { softmax } from '../packages/server/src/base/softmax.ts';
import { featuresOf, type TrainedClassifier } from '../packages/server/src/intents/classifier.ts';
import { randomFrom } from './retrieval-sets.ts';
import { readSites } from './sites/read.ts';

interface Example {
  readonly language: string;
  readonly intent: string;
  readonly text: string;
  /** The index of the example that it varies: left out of training together with it, and never tested on. */
  readonly madeOf?: number;
}

interface Sample {
  readonly madeOf: number | undefined;
  readonly label: number;
  readonly features: readonly number[];
}

interface Weights {
  readonly weights: Float32Array;
  readonly biases: Float32Array;
}

const FOLDER = join(import.meta.dirname, '../packages/server/src/intents');
const OUT = join(FOLDER, 'classifiers.generated.ts');
const INTENT_BITS = 15;
const LANGUAGE_BITS = 12;
const WORDS_OF_ARTICLE = 3;
const ROUNDS = 25;
const FOLDS = 5;
const STEP = 0.5;
const LAST_STEP = 0.02;
const BIAS_SHARE = 0.1;
const SHRINKING = 1e-5;
const BYTE_MAX = 127;

function readExamples(): Example[] {
  const folder = join(FOLDER, 'examples');
  return readdirSync(folder).flatMap((file) =>
    readFileSync(join(folder, file), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => {
        const [intent = '', text = ''] = line.split('\t');
        return { language: basename(file, '.tsv'), intent, text };
      }),
  );
}

/** Customers' questions at the open half's sites, and titles and words of their articles: all are questions. */
const siteQuestions = (): Example[] =>
  readSites()
    .filter(({ half }) => half === 'open')
    .flatMap(({ language, questions, articles }) =>
      [
        ...questions
          .filter(({ expect, kind }) => expect === 'answer' || kind === 'near' || kind === 'far')
          .map(({ ask }) => ask.at(-1) ?? ''),
        ...articles.flatMap(({ title, text }) => [title, ...someWords(text)]),
      ].map((text) => ({ language, intent: 'question', text })),
    );

/** Single words, spread evenly over a text: a visitor who types one asks about it. */
function someWords(text: string): string[] {
  const words = text.match(/[\p{L}\p{M}]{4,}/gu) ?? [];
  return Array.from(
    { length: WORDS_OF_ARTICLE },
    (_, at) => words[Math.floor((at * words.length) / WORDS_OF_ARTICLE)] ?? '',
  );
}

/** Every third example again with a number behind it, such as an order's: a number alone doesn't ask for a callback. */
const withNumbers = (examples: readonly Example[]): Example[] =>
  examples.flatMap((example, madeOf) =>
    madeOf % 3 > 0 || example.intent === 'callback' || example.intent === 'person'
      ? []
      : [
          {
            ...example,
            madeOf,
            text: `${example.text} ${'48213-77 '.repeat(1 + (example.text.length % 3))}`,
          },
        ],
  );

const samplesOf = (
  examples: readonly Example[],
  classes: readonly string[],
  bits: number,
  by: keyof Example,
): Sample[] =>
  examples.map((example) => ({
    madeOf: example.madeOf,
    label: classes.indexOf(String(example[by])),
    features: featuresOf(example.text, bits),
  }));

/** Softmax regression by stochastic gradient descent; the same samples give the same weights. */
function train(samples: readonly Sample[], classes: number, bits: number): Weights {
  const weights = new Float32Array(2 ** bits * classes);
  const biases = new Float32Array(classes);
  const random = randomFrom(1);
  const order = samples.map((_, at) => at);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let at = order.length - 1; at > 0; at -= 1) {
      const other = Math.floor(random() * (at + 1));
      [order[at], order[other]] = [order[other] ?? 0, order[at] ?? 0];
    }
    const step = STEP * (1 - round / ROUNDS) + LAST_STEP;
    for (const place of order) {
      const sample = samples[place];
      if (sample !== undefined) learn({ weights, biases }, sample, step);
    }
  }
  return { weights, biases };
}

function learn({ weights, biases }: Weights, { label, features }: Sample, step: number): void {
  const likely = probabilities({ weights, biases }, features);
  const share = step / Math.sqrt(features.length);
  for (const [at, probability] of likely.entries()) {
    const off = (at === label ? 1 : 0) - probability;
    biases[at] = (biases[at] ?? 0) + step * BIAS_SHARE * off;
    for (const feature of features) {
      const place = feature * likely.length + at;
      const weight = weights[place] ?? 0;
      weights[place] = weight + share * off - step * SHRINKING * weight;
    }
  }
}

function probabilities({ weights, biases }: Weights, features: readonly number[]): number[] {
  const share = 1 / Math.sqrt(features.length);
  const sums = Array.from(biases, (bias, at) =>
    features.reduce((sum, feature) => sum + share * (weights[feature * biases.length + at] ?? 0), bias),
  );
  return softmax(sums);
}

interface Trained {
  readonly classifier: TrainedClassifier;
  readonly bytes: Int8Array;
}

function asBytes(
  file: string,
  { weights, biases }: Weights,
  classes: readonly string[],
  bits: number,
): Trained {
  const scale = weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0) / BYTE_MAX;
  const bytes = Int8Array.from(weights, (weight) => Math.round(weight / scale));
  const classifier = {
    classes,
    bits,
    biases: Array.from(biases, (bias) => Math.round(bias * 1_000) / 1_000),
    scale: Math.round(scale * 1e6) / 1e6,
    weights: file,
  };
  return { classifier, bytes };
}

/** Prints for each class how often the likeliest class is right, among samples held out of training. */
function printHeldOut(
  what: string,
  samples: readonly Sample[],
  classes: readonly string[],
  bits: number,
): void {
  const right = classes.map(() => 0);
  const all = classes.map(() => 0);
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const model = train(
      samples.filter(({ madeOf }, at) => (madeOf ?? at) % FOLDS !== fold),
      classes.length,
      bits,
    );
    for (const [at, { label, features, madeOf }] of samples.entries()) {
      if (at % FOLDS !== fold || madeOf !== undefined) continue;
      const likely = probabilities(model, features);
      all[label] = (all[label] ?? 0) + 1;
      if (likely.indexOf(Math.max(...likely)) === label) right[label] = (right[label] ?? 0) + 1;
    }
  }
  console.log(`\n${what}, right of those not trained on`);
  for (const [at, name] of classes.entries())
    console.log(
      `${name.padEnd(12)}${((100 * (right[at] ?? 0)) / (all[at] ?? 1)).toFixed(1)} %  of ${all[at]}`,
    );
}

function classifier(what: string, examples: readonly Example[], by: 'intent' | 'language', bits: number) {
  const classes = [...new Set(examples.map((example) => example[by]))].sort();
  const samples = samplesOf(examples, classes, bits, by);
  printHeldOut(what, samples, classes, bits);
  return asBytes(`${what}.bin`, train(samples, classes.length, bits), classes, bits);
}

const examples = readExamples();
const asked = [...examples, ...siteQuestions()];
const intents = classifier('intents', [...asked, ...withNumbers(asked)], 'intent', INTENT_BITS);
const languages = classifier('languages', examples, 'language', LANGUAGE_BITS);
if (process.argv.includes('--write')) {
  for (const { classifier, bytes } of [intents, languages])
    writeFileSync(join(FOLDER, classifier.weights), bytes);
  writeFileSync(
    OUT,
    `// Written by bench/intents.ts.\nexport const INTENT_CLASSIFIER = ${JSON.stringify(intents.classifier)};\nexport const LANGUAGE_CLASSIFIER = ${JSON.stringify(languages.classifier)};\n`,
  );
}
