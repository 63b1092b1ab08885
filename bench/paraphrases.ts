/**
 * How the built-in bot answers a newcomer's first questions, as people type them: to the sample shop, and to a small
 * German one. The even questions of each list (from 0 on) may be used for tuning; the odd ones show whether a change
 * generalises, and must not be tuned on.
 * Usage: node bench/paraphrases.ts [list]; "list" lists the failures of the even half.
 */
import { readFileSync } from 'node:fs';
import type { Decision } from '../packages/server/src/bot/answer/answer.ts';
import { splitArticle } from '../packages/server/src/knowledge/search/passages.ts';
import { buildIndex, type SearchIndex } from '../packages/server/src/knowledge/search/search-index.ts';
import { parseImport } from '../packages/server/src/knowledge/transfer/import-text.ts';
import { decide } from '../packages/server/test/plain-site.ts';

interface Base {
  readonly name: string;
  /** None: those of the sample shop. */
  readonly articles?: Readonly<Record<string, string>>;
  /** Questions with the titles of the articles that answer them. */
  readonly asked: readonly (readonly [question: string, titles: readonly string[]])[];
  /** Questions to this business that no article answers. */
  readonly near: readonly string[];
  /** Questions to anybody but this business. */
  readonly far: readonly string[];
  /** Messages that no article could answer. */
  readonly empty: readonly string[];
}

const HALVES = ['even', 'odd'] as const;
type Half = (typeof HALVES)[number];

const SAMPLE = new URL('../packages/server/src/cli/sample-articles.md', import.meta.url);
const list = process.argv[2] === 'list';

function indexOf({ articles }: Base): SearchIndex {
  const documents =
    articles === undefined
      ? parseImport(readFileSync(SAMPLE, 'utf8')).documents
      : Object.entries(articles).map(([title, body], index) => ({ index, title, body }));
  return buildIndex(documents.flatMap(({ index: id, title, body }) => splitArticle({ id, title, body })));
}

function halfOf<Item>(items: readonly Item[], half: Half): Item[] {
  return items.filter((_, at) => at % 2 === HALVES.indexOf(half));
}

function titleOf(decision: Decision): string {
  return 'sources' in decision ? (decision.sources[0]?.title ?? '') : '';
}

function name(half: Half, kind: string, question: string, decision: Decision): void {
  if (list && half === 'even')
    console.log(`  ${kind}: ${question} (${decision.kind}, ${titleOf(decision) || 'nothing'})`);
}

function measure(base: Base, index: SearchIndex, half: Half): void {
  const told = { right: 0, wrong: 0, askedBack: 0, silent: 0 };
  const asked = halfOf(base.asked, half);
  for (const [question, titles] of asked) {
    const decision = decide(index, question);
    const right = decision.kind === 'answer' && titles.includes(titleOf(decision));
    if (right) told.right += 1;
    else {
      name(half, 'asked', question, decision);
      if (decision.kind === 'answer') told.wrong += 1;
      else if (decision.kind === 'ask') told.askedBack += 1;
      else told.silent += 1;
    }
  }
  console.log(
    `${base.name}, ${half}: right ${told.right}, wrong ${told.wrong}, asked back ${told.askedBack}, silent ${told.silent} of ${asked.length}`,
  );
  for (const kind of ['near', 'far', 'empty'] as const) {
    const decisions = halfOf(base[kind], half).map((question) => ({
      question,
      decision: decide(index, question),
    }));
    const answered = decisions.filter(({ decision }) => decision.kind === 'answer');
    for (const { question, decision } of answered) name(half, kind, question, decision);
    const askedBack = decisions.filter(({ decision }) => decision.kind === 'ask').length;
    console.log(
      `${base.name}, ${half}: ${kind}: answered ${answered.length}, asked back ${askedBack} of ${decisions.length}`,
    );
  }
}

const bases: Base[] = JSON.parse(readFileSync(new URL('paraphrases.json', import.meta.url), 'utf8'));
for (const base of bases) {
  const index = indexOf(base);
  for (const half of HALVES) measure(base, index, half);
}
