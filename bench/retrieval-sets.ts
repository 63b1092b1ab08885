/** Sets of questions with the documents that answer them, in the format of `retrieval`'s folders. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { splitArticle } from '../packages/server/src/knowledge/search/passages.ts';
import { buildIndex, type SearchIndex } from '../packages/server/src/knowledge/search/search-index.ts';

export interface Doc {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}
export interface Query {
  readonly id: string;
  readonly text: string;
}
export interface DataSet {
  readonly name: string;
  readonly docs: readonly Doc[];
  readonly queries: readonly Query[];
  readonly outOfScope: readonly Query[];
  readonly relevant: ReadonlyMap<string, ReadonlySet<string>>;
}
function jsonLines<T>(path: string): T[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line.trim() !== '').map((line): T => JSON.parse(line));
}

/** One folder of `folder`. */
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

/** The sets of the folder on the command line, or else of the one beside the repository; none without such a folder. */
export function readSets(): DataSet[] {
  const folder = resolve(
    process.argv.slice(2).find((argument) => !argument.startsWith('--')) ??
      join(dirname(import.meta.dirname), '..', 'shared', 'retrieval'),
  );
  if (!existsSync(folder)) {
    console.error(`no such folder: ${folder}; give one that holds the sets`);
    process.exitCode = 1;
    return [];
  }
  const names = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'docs.jsonl')));
  return names.map((name) => readSet(folder, name));
}

/** An index over the documents, or over some of them; an article's id is its document's place. */
export function indexOf(docs: readonly Doc[], kept: (at: number) => boolean = () => true): SearchIndex {
  const passages = docs.flatMap(({ title, text }, at) =>
    kept(at) ? splitArticle({ id: at, title, body: text }) : [],
  );
  return buildIndex(passages);
}

/** Random numbers from 0 to 1, the same for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
}

/** So many random indexes below `length`. */
export function chosenPlaces(length: number, count: number, random: () => number): Set<number> {
  const order = Array.from({ length }, (_, at) => ({ at, key: random() })).sort((a, b) => a.key - b.key);
  return new Set(order.slice(0, count).map(({ at }) => at));
}
