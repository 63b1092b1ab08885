/**
 * How well the built-in bot answers with a newcomer's handful of short articles: small businesses with one to seven
 * articles each, and questions as people type them. The tuning half may be used for tuning; the check half shows
 * whether a change generalises, and must not be tuned on.
 * Usage: node bench/tiny.ts [list]; "list" lists the failures of the tuning half.
 */
import { readFileSync } from 'node:fs';
import { splitArticle } from '../packages/server/src/knowledge/search/passages.ts';
import { buildIndex } from '../packages/server/src/knowledge/search/search-index.ts';
import { decide } from '../packages/server/test/plain-site.ts';

interface TinyBase {
  readonly name: string;
  readonly articles: Readonly<Record<string, string>>;
  /** Questions with the title of the article that answers them. */
  readonly asked: readonly (readonly [question: string, title: string])[];
  /** Questions to this business that no article answers. */
  readonly near: readonly string[];
  /** Questions to anybody but this business. */
  readonly far: readonly string[];
}

const HALVES = ['tuning', 'check'] as const;

function basesOf(half: (typeof HALVES)[number]): TinyBase[] {
  return JSON.parse(readFileSync(new URL(`tiny/${half}.json`, import.meta.url), 'utf8'));
}

/** The title that the bot answers from, or null if it doesn't answer; with its confidence. */
function asker({ articles }: TinyBase): (question: string) => { title: string | null; confidence: string } {
  const passages = Object.entries(articles).flatMap(([title, body], id) => splitArticle({ id, title, body }));
  const index = buildIndex(passages);
  return (question) => {
    const decision = decide(index, question);
    const confidence = 'confidence' in decision ? decision.confidence.toFixed(2) : decision.kind;
    return { title: decision.kind === 'answer' ? (decision.sources[0]?.title ?? null) : null, confidence };
  };
}

function measure(half: (typeof HALVES)[number], list: boolean): void {
  const counts = { asked: 0, right: 0, elsewhere: 0, near: 0, nearAnswered: 0, far: 0, farAnswered: 0 };
  for (const base of basesOf(half)) {
    const ask = asker(base);
    const name = (kind: string, question: string, outcome: ReturnType<typeof ask>): void => {
      if (list)
        console.log(
          `  ${base.name}: ${kind}: ${question} (${outcome.confidence}, ${outcome.title ?? 'silent'})`,
        );
    };
    for (const [question, title] of base.asked) {
      const outcome = ask(question);
      counts.asked += 1;
      if (outcome.title === title) counts.right += 1;
      else {
        if (outcome.title !== null) counts.elsewhere += 1;
        name('asked', question, outcome);
      }
    }
    for (const kind of ['near', 'far'] as const) {
      for (const question of base[kind]) {
        const outcome = ask(question);
        counts[kind] += 1;
        if (outcome.title === null) continue;
        counts[`${kind}Answered`] += 1;
        name(kind, question, outcome);
      }
    }
  }
  const line = (what: string, count: number, of: number): void =>
    console.log(`${half.padEnd(8)} ${what.padEnd(52)} ${(count / of).toFixed(3)}  (${count} of ${of})`);
  line('answered right, of the questions in scope', counts.right, counts.asked);
  line('answered from another article', counts.elsewhere, counts.asked);
  line('answered though no article does, same business', counts.nearAnswered, counts.near);
  line('answered though no article does, anything else', counts.farAnswered, counts.far);
}

for (const half of HALVES) measure(half, half === 'tuning' && process.argv[2] === 'list');
