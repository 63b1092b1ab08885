/**
 * How well the built-in bot finds articles and knows when none answers, and how fast the index is.
 * Usage: node bench/retrieval.ts [FOLDER]; the folder holds sets of docs.jsonl, queries.jsonl, qrels.tsv
 * and, for unanswerable questions, queries_oos.jsonl.
 */
import { ANSWER_FROM, OFFER_FROM } from '../packages/server/src/bot/answer/answer.ts';
import { COMPARED, candidatesOf } from '../packages/server/src/bot/answer/likelihood.ts';
import { splitArticle } from '../packages/server/src/knowledge/search/passages.ts';
import { indexPassages, type SearchIndex } from '../packages/server/src/knowledge/search/search-index.ts';
import { quantile } from './figures.ts';
import {
  chosenPlaces,
  type DataSet,
  type Doc,
  indexOf,
  type Query,
  randomFrom,
  readSets,
} from './retrieval-sets.ts';

interface Outcome {
  readonly ids: readonly string[];
  readonly confidence: number;
  /** The bot doesn't answer, but asks whether one of the articles is meant. */
  readonly askedBack: boolean;
}

/** Figures to reach: the best published or measured without a model, and above. */
const TO_BEAT: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'stackfaq-articles': { 'nDCG@10': 0.844, 'MRR@10': 0.804, 'top 1': 0.738, 'AUROC half': 0.8 },
  'hint3-v1-curekart': { 'top 1': 0.84, AUROC: 0.86 },
  'hint3-v2-curekart': { 'nDCG@10': 0.845, 'MRR@10': 0.801, 'top 1': 0.756 },
  clinc150: { 'top 1': 0.853, AUROC: 0.95 },
};
const HALVINGS = 10;
const CURVE = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, ANSWER_FROM, 0.8, 0.9];
const SPEED_PASSAGES = 10_000;
const SPEED_QUERIES = 1_000;

function ask(index: SearchIndex, docs: readonly Doc[], { text }: Query): Outcome {
  const hits = index.search(text, 10);
  const confidence = candidatesOf(hits)[0]?.probability ?? 0;
  return {
    ids: hits.map((hit) => docs[hit.passage.articleId]?.id ?? ''),
    confidence,
    askedBack: confidence < ANSWER_FROM && confidence >= OFFER_FROM,
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/** The probability that a question of the first kind scores above one of the second; ties count half. */
function auroc(inScope: readonly number[], outOfScope: readonly number[]): number {
  const sorted = outOfScope.toSorted((a, b) => a - b);
  const below = (value: number, orEqual: boolean): number => {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = sorted[middle] ?? 0;
      if (other < value || (orEqual && other === value)) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return mean(inScope.map((value) => (below(value, false) + below(value, true)) / 2 / sorted.length));
}

function ndcg(ids: readonly string[], relevant: ReadonlySet<string>): number {
  const gains = ids.map((id, at) => (relevant.has(id) ? 1 / Math.log2(at + 2) : 0));
  const best = Array.from({ length: Math.min(10, relevant.size) }, (_, at) => 1 / Math.log2(at + 2));
  return gains.reduce((sum, gain) => sum + gain, 0) / best.reduce((sum, gain) => sum + gain, 0);
}

function report(name: string, figure: string, value: number): void {
  const bar = TO_BEAT[name]?.[figure];
  const beside = bar === undefined ? '' : `  to beat ${bar.toFixed(3)}  ${value > bar ? 'above' : 'BELOW'}`;
  console.log(`${name.padEnd(20)} ${figure.padEnd(44)} ${value.toFixed(3)}${beside}`);
}

function measure(set: DataSet): void {
  const index = indexOf(set.docs);
  const asked = set.queries.map((query) => ({
    relevant: set.relevant.get(query.id) ?? new Set<string>(),
    ...ask(index, set.docs, query),
  }));
  const isRight = ({ ids, relevant }: (typeof asked)[number]): boolean => relevant.has(ids[0] ?? '');
  report(set.name, 'nDCG@10', mean(asked.map(({ ids, relevant }) => ndcg(ids, relevant))));
  report(
    set.name,
    'MRR@10',
    mean(asked.map(({ ids, relevant }) => 1 / (1 + ids.findIndex((id) => relevant.has(id)) || Infinity))),
  );
  report(set.name, 'top 1', mean(asked.map((each) => Number(isRight(each)))));
  const judged = asked.map((each) => ({ confidence: each.confidence, right: isRight(each) }));
  if (set.outOfScope.length === 0) {
    report(
      set.name,
      'answered right, of the questions in scope',
      shareFrom(
        judged.filter(({ right }) => right),
        ANSWER_FROM,
        judged.length,
      ),
    );
    return;
  }
  const inScope = asked.map(({ confidence }) => confidence);
  const strange = set.outOfScope.map((query) => ask(index, set.docs, query));
  const outOfScope = strange.map(({ confidence }) => confidence);
  const at = quantile(inScope, 0.05);
  report(set.name, 'AUROC', auroc(inScope, outOfScope));
  report(
    set.name,
    'out of scope let through at 95 % answered',
    mean(outOfScope.map((each) => Number(each >= at))),
  );
  reportCurve(set.name, judged, outOfScope);
  reportAskedBack(set.name, asked, strange);
}

interface Judged {
  readonly confidence: number;
  /** Whether the right article comes first. */
  readonly right: boolean;
}

function shareFrom(questions: readonly { readonly confidence: number }[], from: number, of: number): number {
  return questions.filter(({ confidence }) => confidence >= from).length / Math.max(1, of);
}

/** The outcomes of questions at each possible threshold of the bot. */
function reportCurve(name: string, inScope: readonly Judged[], outOfScope: readonly number[]): void {
  const strange = outOfScope.map((confidence) => ({ confidence }));
  const right = inScope.filter((each) => each.right);
  const wrong = inScope.filter((each) => !each.right);
  const at = (from: number): string =>
    [
      shareFrom(right, from, inScope.length),
      shareFrom(wrong, from, inScope.length),
      shareFrom(strange, from, strange.length),
    ]
      .map((share) => share.toFixed(3))
      .join('   ');
  console.log(`${name.padEnd(20)} from confidence   in scope right   wrong   out of scope answered`);
  for (const from of CURVE) {
    const which = from === ANSWER_FROM ? '  answers by default' : '';
    console.log(`${name.padEnd(20)} ${from.toFixed(2).padStart(15)}   ${at(from)}${which}`);
  }
}

function reportAskedBack(name: string, inScope: readonly Outcome[], outOfScope: readonly Outcome[]): void {
  const shareOf = (asked: readonly Outcome[]): number => mean(asked.map((each) => Number(each.askedBack)));
  report(name, 'asked back, in scope', shareOf(inScope));
  report(name, 'asked back, out of scope', shareOf(outOfScope));
}

/** Half of the articles removed at random, ten times: are the questions of the removed ones distinguished? */
function measureHalves(set: DataSet): void {
  const random = randomFrom(20_240_501);
  const inScope: Judged[] = [];
  const outOfScope: number[] = [];
  const all: { known: Outcome[]; strange: Outcome[] } = { known: [], strange: [] };
  const values = Array.from({ length: HALVINGS }, () => {
    const kept = chosenPlaces(set.docs.length, Math.ceil(set.docs.length / 2), random);
    const keptIds = new Set([...kept].map((at) => set.docs[at]?.id));
    const index = indexOf(set.docs, (at) => kept.has(at));
    const asked = set.queries.map((query) => ({
      known: [...(set.relevant.get(query.id) ?? [])].some((id) => keptIds.has(id)),
      ...ask(index, set.docs, query),
      right: set.relevant.get(query.id) ?? new Set<string>(),
    }));
    const known = asked.filter((each) => each.known);
    const unknown = asked.filter((each) => !each.known);
    all.known.push(...known);
    all.strange.push(...unknown);
    const strange = unknown.map(({ confidence }) => confidence);
    inScope.push(
      ...known.map(({ confidence, ids, right }) => ({ confidence, right: right.has(ids[0] ?? '') })),
    );
    outOfScope.push(...strange);
    return auroc(
      known.map(({ confidence }) => confidence),
      strange,
    );
  });
  report(set.name, 'AUROC half', mean(values));
  reportCurve(`${set.name.slice(0, 15)} half`, inScope, outOfScope);
  reportAskedBack(`${set.name.slice(0, 15)} half`, all.known, all.strange);
}

/** Generated articles with realistic word frequencies. */
function measureSpeed(questions: readonly Query[]): void {
  const vocabulary = [...new Set(questions.flatMap(({ text }) => text.toLowerCase().match(/[a-z]+/g) ?? []))];
  const random = randomFrom(7);
  const word = (): string => vocabulary[Math.floor(vocabulary.length * random() ** 3)] ?? 'word';
  const words = (count: number): string => Array.from({ length: count }, word).join(' ');
  const section = (): string =>
    `## ${words(4)}\n\n${Array.from({ length: 6 }, () => `X${words(12)}.`).join(' ')}`;
  const articles = Array.from({ length: SPEED_PASSAGES / 5 }, (_, id) => ({
    id,
    title: words(5),
    body: Array.from({ length: 5 }, section).join('\n\n'),
  }));
  const splitFrom = performance.now();
  const passages = articles.flatMap(splitArticle);
  const buildFrom = performance.now();
  const index = indexPassages(passages);
  const built = performance.now();
  let longest = 0;
  let from = performance.now();
  for (const _step of index.learn()) {
    longest = Math.max(longest, performance.now() - from);
    from = performance.now();
  }
  const learned = performance.now();
  const times = questions.slice(0, SPEED_QUERIES).map(({ text }) => {
    const from = performance.now();
    candidatesOf(index.search(text, COMPARED));
    return performance.now() - from;
  });
  console.log(
    `\n${passages.length} passages: split ${(buildFrom - splitFrom).toFixed(0)} ms, built ${(built - buildFrom).toFixed(0)} ms (bound 2,000 ms)`,
  );
  console.log(`learned in ${(learned - built).toFixed(0)} ms, the longest step ${longest.toFixed(0)} ms`);
  console.log(
    `search as a turn of the bot makes it, with its confidence: p50 ${quantile(times, 0.5).toFixed(2)} ms (bound 2 ms), p99 ${quantile(times, 0.99).toFixed(2)} ms (bound 10 ms)`,
  );
}

const sets = readSets();
for (const set of sets) {
  measure(set);
  if (set.outOfScope.length === 0) measureHalves(set);
}
if (sets.length > 0) measureSpeed(sets.flatMap(({ queries }) => queries));
