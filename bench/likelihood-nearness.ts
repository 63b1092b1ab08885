/** The weights for nearness in meaning, beside those that `likelihood.ts` fits: on few sites, so there are only two. */
import type { EmbeddingModel } from '../packages/server/src/ai/embedding-model.ts';
import { softmax } from '../packages/server/src/base/softmax.ts';
import { ANSWER_FROM } from '../packages/server/src/bot/answer/answer.ts';
import type { NearnessWeights, Weights } from '../packages/server/src/bot/answer/likelihood.ts';
import type { Passage } from '../packages/server/src/knowledge/search/passages.ts';
import {
  byCosine,
  type Nearness,
  nearnessOf,
} from '../packages/server/src/knowledge/search/vectors/nearness.ts';
import { textOf } from '../packages/server/src/knowledge/search/vectors/passage-vectors.ts';

/** The articles that are compared for a question. */
export interface Compared {
  /** Which of them answer it. */
  readonly right: readonly boolean[];
  /** The worth of each by its words, then that of none of them. */
  worths(weights: Weights): readonly number[];
}

/** One question, by its words alone and with what is near in meaning. */
export interface NearRow {
  readonly group: string;
  readonly words: Compared;
  readonly near: Compared;
  /** Of each article in `near`. */
  readonly nearness: readonly number[];
}

const ENCODE_MAX_MS = 60_000;
const ROUNDS = 1_000;
const STEP = 2;
const SHRINKING = 0.003;
const NONE: NearnessWeights = { measure: 0, none: 0 };

/** Encodes the passages of a site, and then each question as the server does. */
export async function nearnessFinder(
  encoder: EmbeddingModel,
  passages: readonly Passage[],
): Promise<(question: string) => Promise<Nearness>> {
  const full = passages.filter(({ text }) => text !== '');
  const encode = async (text: string): Promise<Float32Array> => {
    const [vector] = await encoder.embed([text], ENCODE_MAX_MS);
    if (vector === undefined) throw new Error('a text has a vector');
    return vector;
  };
  const placed = await Promise.all(
    full.map(async (passage) => ({ passage, vector: await encode(textOf(passage)) })),
  );
  return async (question) => nearnessOf(byCosine(placed, await encode(question)));
}

function probabilities(row: NearRow, weights: Weights, { measure, none }: NearnessWeights): number[] {
  const worths = row.near.worths(weights);
  return softmax(
    worths.map((worth, at) => worth + (at < row.nearness.length ? measure * (row.nearness[at] ?? 0) : none)),
  );
}

/** Of the right articles, or of none of them if none is right. */
function shareRight(likely: readonly number[], right: readonly boolean[]): number {
  return right.includes(true)
    ? likely.reduce((sum, one, at) => sum + (right[at] ? one : 0), 0)
    : (likely.at(-1) ?? 0);
}

/** Maximum-likelihood weights by gradient ascent; each site counts the same. */
export function fitNearness(rows: readonly NearRow[], words: Weights): NearnessWeights {
  const sizes = Map.groupBy(rows, ({ group }) => group);
  let fitted = NONE;
  for (let round = 0; round < ROUNDS; round += 1) {
    let [measure, none] = [-SHRINKING * fitted.measure, -SHRINKING * fitted.none];
    for (const row of rows) {
      const likely = probabilities(row, words, fitted);
      const all = shareRight(likely, row.near.right);
      const share = 1 / ((sizes.get(row.group)?.length ?? 1) * sizes.size);
      const noneWanted = row.near.right.includes(true) ? 0 : 1;
      for (const [at, nearness] of row.nearness.entries()) {
        const wanted = row.near.right[at] ? (likely[at] ?? 0) / all : 0;
        measure += share * (wanted - (likely[at] ?? 0)) * nearness;
      }
      none += share * (noneWanted - (likely.at(-1) ?? 0));
    }
    fitted = {
      measure: Math.max(0, fitted.measure + STEP * measure),
      none: fitted.none + STEP * none,
    };
  }
  const rounded = (value: number): number => Math.round(value * 100) / 100;
  return { measure: rounded(fitted.measure), none: rounded(fitted.none) };
}

interface Tally {
  loss: number;
  first: number;
  answered: number;
  wrong: number;
}

/** Prints how well questions are answered by words, and with nearness, each site judged by weights without it. */
export function printNearness(rows: readonly NearRow[], wordsWithout: (group: string) => Weights): void {
  const tallies: Record<'words' | 'near', Tally> = {
    words: { loss: 0, first: 0, answered: 0, wrong: 0 },
    near: { loss: 0, first: 0, answered: 0, wrong: 0 },
  };
  for (const [group, own] of Map.groupBy(rows, (row) => row.group)) {
    const words = wordsWithout(group);
    const nearness = fitNearness(
      rows.filter((row) => row.group !== group),
      words,
    );
    for (const row of own) {
      count(tallies.words, softmax(row.words.worths(words)), row.words.right);
      count(tallies.near, probabilities(row, words, nearness), row.near.right);
    }
  }
  console.log(`\nnearness in meaning: ${rows.length} questions of English sites`);
  console.log('            loss    first   answered from the right article   from another');
  for (const [name, { loss, first, answered, wrong }] of Object.entries(tallies))
    console.log(
      `${name.padEnd(8)}    ${(loss / rows.length).toFixed(3)}   ${first}     ${answered}                                ${wrong}`,
    );
}

function count(tally: Tally, likely: readonly number[], right: readonly boolean[]): void {
  const articles = likely.slice(0, -1);
  const most = Math.max(0, ...articles);
  const isRight = right[articles.indexOf(most)] === true;
  tally.loss -= Math.log(Math.max(1e-4, shareRight(likely, right)));
  if (isRight) tally.first += 1;
  if (most < ANSWER_FROM) return;
  if (isRight) tally.answered += 1;
  else tally.wrong += 1;
}
