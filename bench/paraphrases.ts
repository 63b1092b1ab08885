/**
 * How the built-in bot meets the first questions of a newcomer, as people type them: to the sample shop, and to a small
 * German one. Of each list the even questions (from 0 on) may be looked at while the bot is changed; the odd ones show
 * whether a change holds elsewhere, and are not to be tuned to.
 * Usage: node bench/paraphrases.ts [list]; with "list" the failures of the even half are named.
 */
import { readFileSync } from 'node:fs';
import { parseImport } from '../packages/server/src/knowledge/import-text.ts';
import { splitArticle } from '../packages/server/src/knowledge/passages.ts';
import { buildIndex, type SearchIndex } from '../packages/server/src/knowledge/search-index.ts';
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
}

const SAMPLE = new URL('../packages/server/src/cli/sample-articles.md', import.meta.url);

function indexOf({ articles }: Base): SearchIndex {
  const documents =
    articles === undefined
      ? parseImport(readFileSync(SAMPLE, 'utf8')).documents
      : Object.entries(articles).map(([title, body], index) => ({ index, title, body }));
  return buildIndex(
    documents.flatMap(({ index: id, title, body }) => splitArticle({ id, title, body })),
  );
}

function measure(base: Base, half: 0 | 1, list: boolean): void {
  const index = indexOf(base);
  const tell = (kind: string, question: string): { answered: string | undefined; asks: string | undefined } => {
    const decision = decide(index, question);
    const title = 'sources' in decision ? decision.sources[0]?.title : undefined;
    const answered = decision.kind === 'answer' ? title : undefined;
    const confidence = 'confidence' in decision ? decision.confidence.toFixed(2) : '';
    if (list && half === 0 && (kind !== 'asked' || answered === undefined))
      if (kind === 'asked' || answered !== undefined)
        console.log(`  ${kind}: ${question} (${decision.kind} ${confidence} ${title ?? ''})`);
    return { answered, asks: decision.kind === 'ask' ? title : undefined };
  };
  const counts = { right: 0, wrong: 0, askedRight: 0, askedBack: 0, silent: 0 };
  const asked = base.asked.filter((_, at) => at % 2 === half);
  for (const [question, titles] of asked) {
    const { answered, asks } = tell('asked', question);
    if (answered !== undefined && titles.includes(answered)) counts.right += 1;
    else if (answered !== undefined) {
      counts.wrong += 1;
      if (list && half === 0) console.log(`  WRONG: ${question}: ${answered}`);
    } else if (asks === undefined) counts.silent += 1;
    else if (titles.includes(asks)) counts.askedRight += 1;
    else counts.askedBack += 1;
  }
  const strange = (kind: 'near' | 'far'): string => {
    const questions = base[kind].filter((_, at) => at % 2 === half);
    const told = questions.map((question) => tell(kind, question));
    const answered = told.filter((each) => each.answered !== undefined).length;
    const back = told.filter((each) => each.asks !== undefined).length;
    return `${kind} answered ${answered}, asked back ${back} of ${questions.length}`;
  };
  const near = strange('near');
  const far = strange('far');
  console.log(
    `${base.name}, ${half === 0 ? 'even' : 'odd'}: right ${counts.right}, wrong ${counts.wrong}, asked back ${counts.askedRight} + ${counts.askedBack}, silent ${counts.silent} of ${asked.length}; ${near}; ${far}`,
  );
}

const bases: Base[] = JSON.parse(readFileSync(new URL('paraphrases.json', import.meta.url), 'utf8'));
for (const base of bases) for (const half of [0, 1] as const) measure(base, half, process.argv[2] === 'list');
