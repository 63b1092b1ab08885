/**
 * Fits the weights by which the bot estimates how likely an article answers a question
 * (`packages/server/src/bot/answer/likelihood.ts`), and shows how well its probabilities are calibrated on sites that
 * they weren't fitted on: each site is left out in turn.
 *
 *     node bench/likelihood.ts [--write] [--curve] [FOLDER]
 *     FOYER_ENCODER=… node bench/likelihood.ts
 *
 * Prose is fitted on the open half of `bench/sites`, few articles on some articles of each of those sites, samples on
 * the sets of questions in FOLDER (see `retrieval.ts`); without them the weights for samples stay as they are.
 * With FOYER_ENCODER, the weights for nearness in meaning are fitted on the English ones of those sites.
 * `--curve` draws the reliability for docs/knowledge.md.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EmbeddingModel } from '../packages/server/src/ai/embedding-model.ts';
import { createEncoder } from '../packages/server/src/ai/encoder/encoder.ts';
import { readEncoderPackage } from '../packages/server/src/ai/encoder/encoder-package.ts';
import { softmax } from '../packages/server/src/base/softmax.ts';
import { ANSWER_FROM } from '../packages/server/src/bot/answer/answer.ts';
import {
  COMPARED,
  CONTENTS,
  type Content,
  MEASURE_NAMES,
  MEASURES,
  type Measure,
  type NearnessWeights,
  saidOf,
  type Weights,
} from '../packages/server/src/bot/answer/likelihood.ts';
import { NEARNESS_WEIGHTS, WEIGHTS } from '../packages/server/src/bot/answer/likelihood-weights.generated.ts';
import { withoutCourtesy } from '../packages/server/src/intents/courtesy.ts';
import { type Passage, splitArticle } from '../packages/server/src/knowledge/search/passages.ts';
import type { SearchHit } from '../packages/server/src/knowledge/search/search-hits.ts';
import { buildIndex, type SearchIndex } from '../packages/server/src/knowledge/search/search-index.ts';
import {
  type Compared,
  fitNearness,
  type NearRow,
  nearnessFinder,
  printNearness,
} from './likelihood-nearness.ts';
import {
  type Bin,
  binsOf,
  calibrationError,
  correctedBySite,
  curvesSvg,
  type Judged,
} from './reliability.ts';
import { chosenPlaces, type DataSet, indexOf, randomFrom, readSets } from './retrieval-sets.ts';
import { type BenchSite, readSites } from './sites/read.ts';

/** One question as the bot compares articles for it. */
interface Row {
  readonly group: string;
  /** By candidate, then by measure. */
  readonly measured: readonly (readonly number[])[];
  readonly said: number;
  /** Which candidates answer it; none if no article does, or none was found. */
  readonly right: readonly boolean[];
}

const OUT = join(import.meta.dirname, '../packages/server/src/bot/answer/likelihood-weights.generated.ts');
const CURVE = join(import.meta.dirname, '../docs/images/reliability.svg');
const ROUNDS = 800;
const STEP = 0.1;
/**
 * Excluded: among a handful of articles one is always first, and with it the bot answers fewer questions of
 * `bench/tiny` (68 instead of 73 % of the half that isn't tuned on), while the loss on left-out sites stays the same.
 */
const UNUSED: Partial<Record<Content, Measure>> = { few: 'rank' };
/** Regularisation: some of what a few sites show is chance. */
const SHRINKING = 0.0004;
/** Numbers of articles that are too few to learn from, see `learning.ts`. */
const FEW = [4, 5, 6, 7];

function rowOf(
  index: SearchIndex,
  { question, group }: { question: string; group: string },
  isRight: (article: number) => boolean,
): Row {
  const hits = index.search(question, COMPARED).filter(({ score }) => score > 0);
  return rowFrom(hits, group, isRight);
}

function rowFrom(hits: readonly SearchHit[], group: string, isRight: (article: number) => boolean): Row {
  const [best] = hits;
  return {
    group,
    measured: hits.map((hit, place) => MEASURE_NAMES.map((name) => MEASURES[name](hit, place))),
    said: best === undefined ? 0 : saidOf(best),
    right: hits.map(({ passage }) => isRight(passage.articleId)),
  };
}

function passagesOf(site: BenchSite, has: (place: number) => boolean = () => true): Passage[] {
  return site.articles.flatMap(({ title, body }, id) => (has(id) ? splitArticle({ id, title, body }) : []));
}

interface AskedOf {
  readonly question: string;
  readonly isRight: (article: number) => boolean;
}

/** The questions that an article may answer; double questions are read in parts. */
const askedOf = (site: BenchSite): AskedOf[] =>
  site.questions
    .filter(({ kind, expect }) => kind !== 'two_in_one' && (expect === 'answer' || expect === 'unknown'))
    .map(({ kind, ask, articles }) => ({
      question: withoutCourtesy(kind === 'follow_up' ? ask.slice(-2).join(' ') : (ask.at(-1) ?? '')),
      isRight: (place) => articles.includes(site.articles[place]?.slug ?? ''),
    }));

/** The questions of a site that has only these of its articles. */
function siteRows(site: BenchSite, has?: (place: number) => boolean): Row[] {
  const index = buildIndex(passagesOf(site, has));
  return askedOf(site).map(({ question, isRight }) => rowOf(index, { question, group: site.slug }, isRight));
}

/** The questions of an English site, with what is near them in meaning. */
async function nearRows(site: BenchSite, encoder: EmbeddingModel): Promise<NearRow[]> {
  const passages = passagesOf(site);
  const index = buildIndex(passages);
  const near = await nearnessFinder(encoder, passages);
  const rows: NearRow[] = [];
  for (const { question, isRight } of askedOf(site)) {
    const hits = index.search(question, COMPARED, await near(question)).filter(({ score }) => score > 0);
    rows.push({
      group: site.slug,
      words: comparedIn(rowOf(index, { question, group: site.slug }, isRight)),
      near: comparedIn(rowFrom(hits, site.slug, isRight)),
      nearness: hits.map(({ nearness = 0 }) => nearness),
    });
  }
  return rows;
}

const comparedIn = (row: Row): Compared => ({
  right: row.right,
  worths: (weights) => worthsOf(weights, row),
});

/** A young knowledge base: it doesn't answer most questions yet. */
function fewRows(site: BenchSite): Row[] {
  const random = randomFrom(site.slug.length * 7_919);
  return FEW.flatMap((count) => {
    const kept = chosenPlaces(site.articles.length, count, random);
    return siteRows(site, (place) => kept.has(place));
  });
}

/** Sets of samples, each with questions that nothing in it answers. */
function sampleRows({ name, docs, queries, outOfScope, relevant }: DataSet): Row[] {
  if (outOfScope.length === 0) return [];
  const index = indexOf(docs);
  return [
    ...queries.map(({ id, text }) =>
      rowOf(
        index,
        { question: text, group: name },
        (place) => relevant.get(id)?.has(docs[place]?.id ?? '') === true,
      ),
    ),
    ...outOfScope.map(({ text }) => rowOf(index, { question: text, group: name }, () => false)),
  ];
}

function dot(weights: Weights, measured: readonly number[]): number {
  return MEASURE_NAMES.reduce((sum, name, at) => sum + weights.measures[name] * (measured[at] ?? 0), 0);
}

/** Of each candidate, then of none of them. */
const probabilities = (weights: Weights, row: Row): number[] => softmax(worthsOf(weights, row));

/** As `probabilities`. */
const worthsOf = (weights: Weights, { measured, said }: Row): number[] => [
  ...measured.map((values) => dot(weights, values)),
  weights.none.always + weights.none.said * said,
];

/** Maximum-likelihood weights by gradient ascent (Adam), with those of measures kept non-negative. */
function weightsFor(rows: readonly Row[], content: Content): Weights {
  const sizes = new Map<string, number>();
  for (const { group } of rows) sizes.set(group, (sizes.get(group) ?? 0) + 1);
  const count = MEASURE_NAMES.length;
  const values = [...MEASURE_NAMES.map((name) => (name === UNUSED[content] ? 0 : 1)), 0, 0];
  const momentum = values.map(() => 0);
  const squares = values.map(() => 0);
  for (let round = 1; round <= ROUNDS; round += 1) {
    const weights = weightsOf(values);
    const gradient = values.map((value, at) => (at < count ? SHRINKING * value : 0));
    for (const row of rows) {
      const share = 1 / ((sizes.get(row.group) ?? 1) * sizes.size);
      const likely = probabilities(weights, row);
      const wanted = wantedOf(row, likely);
      for (const [place, values] of row.measured.entries()) {
        const off = share * ((likely[place] ?? 0) - (wanted[place] ?? 0));
        for (const [at, value] of values.entries()) gradient[at] = (gradient[at] ?? 0) + off * value;
      }
      const off = share * ((likely.at(-1) ?? 0) - (wanted.at(-1) ?? 0));
      gradient[count] = (gradient[count] ?? 0) + off;
      gradient[count + 1] = (gradient[count + 1] ?? 0) + off * row.said;
    }
    for (const [at, slope] of gradient.entries()) {
      momentum[at] = 0.9 * (momentum[at] ?? 0) + 0.1 * slope;
      squares[at] = 0.99 * (squares[at] ?? 0) + 0.01 * slope * slope;
      const mean = (momentum[at] ?? 0) / (1 - 0.9 ** round);
      const spread = Math.sqrt((squares[at] ?? 0) / (1 - 0.99 ** round));
      const moved = (values[at] ?? 0) - (STEP * mean) / (spread + 1e-8);
      const isUnused = at < count && MEASURE_NAMES[at] === UNUSED[content];
      values[at] = isUnused ? 0 : at < count ? Math.max(0, moved) : moved;
    }
  }
  return weightsOf(values);
}

/** The target probabilities: all for the right candidates, in proportion to the current ones, or else all for none. */
function wantedOf({ right }: Row, likely: readonly number[]): number[] {
  const sum = right.reduce((total, is, at) => total + (is ? (likely[at] ?? 0) : 0), 0);
  if (sum === 0) return [...right.map(() => 0), 1];
  return [...right.map((is, at) => (is ? (likely[at] ?? 0) / sum : 0)), 0];
}

function weightsOf(values: readonly number[]): Weights {
  const rounded = values.map((value) => Math.round(value * 100) / 100);
  const measures = Object.fromEntries(
    MEASURE_NAMES.map((name, at) => [name, rounded[at] ?? 0]),
  ) as Weights['measures'];
  const [always = 0, said = 0] = rounded.slice(MEASURE_NAMES.length);
  return { measures, none: { always, said } };
}

/** For each question the best candidate's probability, and whether it is right, by weights fitted without its group. */
function heldOut(rows: readonly Row[], content: Content): Judged[] {
  const groups = [...new Set(rows.map(({ group }) => group))];
  return groups.flatMap((left) => {
    const weights = weightsFor(
      rows.filter(({ group }) => group !== left),
      content,
    );
    return rows
      .filter(({ group }) => group === left)
      .map((row) => {
        const likely = row.measured.length === 0 ? [0] : probabilities(weights, row).slice(0, -1);
        const most = Math.max(...likely);
        return { group: left, likely: most, right: row.right[likely.indexOf(most)] === true };
      });
  });
}

/** Their labels in the picture. */
const TITLES: Readonly<Record<Content, string>> = {
  prose: 'Eight articles or more',
  samples: 'Sets of sample questions',
  few: 'Four to seven articles',
};

/**
 * How many questions of a site are judged before it gets its own correction. Questions of sites with few articles recur
 * with other articles, so that the gain of a correction there is at most this.
 */
const KNOWN = [10, 25, 60];

function printReliability(content: Content, rows: readonly Row[], judged: readonly Judged[]): void {
  console.log(
    `\n${content}: ${rows.length} questions of ${new Set(rows.map(({ group }) => group)).size} sites`,
  );
  const bins = binsOf(judged);
  console.log('said     is right   questions');
  for (const { said, right, count } of bins)
    console.log(`${said.toFixed(3)}    ${right.toFixed(3)}      ${count}`);
  const answered = judged.filter(({ likely }) => likely >= ANSWER_FROM);
  const right = answered.filter((one) => one.right).length;
  console.log(`from ${ANSWER_FROM} on: ${right} of ${answered.length} right`);
  console.log(`mean distance (calibration error): ${calibrationError(bins).toFixed(3)}`);
  for (const known of KNOWN) {
    const { before, after, moved } = correctedBySite(judged, known, ANSWER_FROM);
    if (before === 0) continue;
    console.log(
      `corrected by site from ${known} judged questions: loss ${before.toFixed(3)} → ${after.toFixed(3)}, ${(moved * 100).toFixed(1)} % cross the threshold`,
    );
  }
}

/** As with the other weights, each site is left out in turn, of both fits. */
async function nearnessWeights(encoder: EmbeddingModel, words: Weights): Promise<NearnessWeights> {
  const near: NearRow[] = [];
  for (const site of sites) if (site.language === 'en') near.push(...(await nearRows(site, encoder)));
  const withoutSite = (left: string): Weights =>
    weightsFor(
      rows.prose.filter(({ group }) => group !== left),
      'prose',
    );
  printNearness(near, withoutSite);
  return fitNearness(near, words);
}

const sites = readSites().filter(({ half }) => half === 'open');
const sets = process.argv.slice(2).some((argument) => !argument.startsWith('--')) ? readSets() : [];
const rows: Readonly<Record<Content, readonly Row[]>> = {
  prose: sites.flatMap((site) => siteRows(site)),
  samples: sets.flatMap(sampleRows),
  few: sites.flatMap(fewRows),
};
const panels: { title: string; bins: Bin[] }[] = [];
const fitted = Object.fromEntries(
  CONTENTS.map((content) => {
    if (rows[content].length === 0) return [content, WEIGHTS[content]];
    const judged = heldOut(rows[content], content);
    printReliability(content, rows[content], judged);
    panels.push({ title: TITLES[content], bins: binsOf(judged) });
    return [content, weightsFor(rows[content], content)];
  }),
) as Record<Content, Weights>;
const packaged = readEncoderPackage(process.env);
const nearness = packaged ? await nearnessWeights(createEncoder(packaged), fitted.prose) : NEARNESS_WEIGHTS;
console.log(`\n${JSON.stringify(fitted, null, 2)}\n${JSON.stringify(nearness, null, 2)}`);
if (process.argv.includes('--curve')) writeFileSync(CURVE, curvesSvg(panels));
if (process.argv.includes('--write'))
  writeFileSync(
    OUT,
    `// Written by bench/likelihood.ts.\nexport const WEIGHTS = ${JSON.stringify(fitted, null, 2)};\nexport const NEARNESS_WEIGHTS = ${JSON.stringify(nearness, null, 2)};\n`,
  );
