/**
 * How well the built-in bot finds articles and knows when none answers, and how fast the index is.
 * Usage: node bench/retrieval.ts [FOLDER]; the folder holds sets of docs.jsonl, queries.jsonl, qrels.tsv
 * and, where there are questions that nothing answers, queries_oos.jsonl.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ANSWER_FROM, ASK_FROM, confidenceOf } from '../packages/server/src/bot/confidence.ts';
import { splitArticle } from '../packages/server/src/knowledge/passages.ts';
import {
  buildIndex,
  indexPassages,
  type SearchIndex,
} from '../packages/server/src/knowledge/search-index.ts';

interface Doc {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}
interface Query {
  readonly id: string;
  readonly text: string;
}
interface DataSet {
  readonly name: string;
  readonly docs: readonly Doc[];
  readonly queries: readonly Query[];
  readonly outOfScope: readonly Query[];
  readonly relevant: ReadonlyMap<string, ReadonlySet<string>>;
}
interface Outcome {
  readonly ids: readonly string[];
  readonly confidence: number;
}

/** Figures to reach: the best published or measured without a model, and above. */
const TO_BEAT: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'stackfaq-articles': { 'nDCG@10': 0.844, 'MRR@10': 0.804, 'top 1': 0.738, 'AUROC half': 0.8 },
  'hint3-v1-curekart': { 'top 1': 0.84, AUROC: 0.86 },
  'hint3-v2-curekart': { 'nDCG@10': 0.845, 'MRR@10': 0.801, 'top 1': 0.756 },
  clinc150: { 'top 1': 0.853, AUROC: 0.95 },
};
const HALVINGS = 10;
const CURVE = [0.1, ASK_FROM, 0.3, 0.4, ANSWER_FROM, 0.6, 0.7, 0.8, 0.9];
const SPEED_PASSAGES = 10_000;
const SPEED_QUERIES = 1_000;

function jsonLines<T>(path: string): T[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line.trim() !== '').map((line): T => JSON.parse(line));
}

function readSet(folder: string, name: string): DataSet {
  const relevant = new Map<string, Set<string>>();
  const judgements = readFileSync(join(folder, name, 'qrels.tsv'), 'utf8')
    .trim()
    .split('\n')
    .slice(1);
  for (const line of judgements) {
    const [query = '', doc = ''] = line.split('\t');
    relevant.set(query, (relevant.get(query) ?? new Set()).add(doc));
  }
  return {
    name,
    relevant,
    docs: jsonLines<Doc>(join(folder, name, 'docs.jsonl')),
    queries: jsonLines<Query>(join(folder, name, 'queries.jsonl')).filter(({ id }) => relevant.has(id)),
    outOfScope: jsonLines<Query>(join(folder, name, 'queries_oos.jsonl')),
  };
}

function indexOf(docs: readonly Doc[], kept: (at: number) => boolean = () => true): SearchIndex {
  const passages = docs.flatMap(({ title, text }, at) =>
    kept(at) ? splitArticle({ id: at, title, body: text }) : [],
  );
  return buildIndex(passages);
}

function ask(index: SearchIndex, docs: readonly Doc[], { text }: Query): Outcome {
  const hits = index.search(text, 10);
  return { ids: hits.map((hit) => docs[hit.passage.articleId]?.id ?? ''), confidence: confidenceOf(hits) };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function quantile(values: readonly number[], share: number): number {
  return (
    values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))] ?? 0
  );
}

/** Chance that a question of the first kind scores above one of the second; ties count half. */
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
  const outOfScope = set.outOfScope.map((query) => ask(index, set.docs, query).confidence);
  const at = quantile(inScope, 0.05);
  report(set.name, 'AUROC', auroc(inScope, outOfScope));
  report(
    set.name,
    'out of scope let through at 95 % answered',
    mean(outOfScope.map((each) => Number(each >= at))),
  );
  reportCurve(set.name, judged, outOfScope);
}

interface Judged {
  readonly confidence: number;
  /** Whether the right article comes first. */
  readonly right: boolean;
}

function shareFrom(questions: readonly { readonly confidence: number }[], from: number, of: number): number {
  return questions.filter(({ confidence }) => confidence >= from).length / Math.max(1, of);
}

/** What becomes of questions at each point where the bot could begin to answer. */
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
    const which =
      from === ANSWER_FROM ? '  answers by default' : from === ASK_FROM ? '  asks back by default' : '';
    console.log(`${name.padEnd(20)} ${from.toFixed(2).padStart(15)}   ${at(from)}${which}`);
  }
}

/** Half of the articles removed at random, ten times: are the questions of the removed ones told apart? */
function measureHalves(set: DataSet): void {
  let state = 20_240_501;
  const random = (): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
  const inScope: Judged[] = [];
  const outOfScope: number[] = [];
  const values = Array.from({ length: HALVINGS }, () => {
    const order = set.docs.map((_, at) => ({ at, key: random() })).sort((a, b) => a.key - b.key);
    const kept = new Set(order.slice(0, Math.ceil(order.length / 2)).map(({ at }) => at));
    const keptIds = new Set([...kept].map((at) => set.docs[at]?.id));
    const index = indexOf(set.docs, (at) => kept.has(at));
    const asked = set.queries.map((query) => ({
      known: [...(set.relevant.get(query.id) ?? [])].some((id) => keptIds.has(id)),
      ...ask(index, set.docs, query),
      right: set.relevant.get(query.id) ?? new Set<string>(),
    }));
    const known = asked.filter((each) => each.known);
    const strange = asked.filter((each) => !each.known).map(({ confidence }) => confidence);
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
}

/** Invented articles with words as unevenly frequent as in real text. */
function measureSpeed(questions: readonly Query[]): void {
  const vocabulary = [...new Set(questions.flatMap(({ text }) => text.toLowerCase().match(/[a-z]+/g) ?? []))];
  let state = 7;
  const word = (): string => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return vocabulary[Math.floor(vocabulary.length * (state / 0x7fffffff) ** 3)] ?? 'word';
  };
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
    index.search(text, 10);
    return performance.now() - from;
  });
  console.log(
    `\n${passages.length} passages: split ${(buildFrom - splitFrom).toFixed(0)} ms, built ${(built - buildFrom).toFixed(0)} ms (bound 2,000 ms)`,
  );
  console.log(`learned in ${(learned - built).toFixed(0)} ms, the longest step ${longest.toFixed(0)} ms`);
  console.log(
    `search p50 ${quantile(times, 0.5).toFixed(2)} ms (bound 2 ms), p99 ${quantile(times, 0.99).toFixed(2)} ms (bound 10 ms)`,
  );
}

const folder = resolve(process.argv[2] ?? join(dirname(import.meta.dirname), '..', 'shared', 'retrieval'));
if (existsSync(folder)) {
  const names = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'docs.jsonl')));
  const sets = names.map((name) => readSet(folder, name));
  for (const set of sets) {
    measure(set);
    if (set.outOfScope.length === 0) measureHalves(set);
  }
  measureSpeed(sets.flatMap(({ queries }) => queries));
} else {
  console.error(`no such folder: ${folder}; give one that holds the sets`);
  process.exitCode = 1;
}
