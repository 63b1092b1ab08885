/**
 * How well the built-in bot answers for small businesses that it wasn't tuned for: no model, no key, no network. Asks
 * every question of the sites under `bench/sites` over the widget's socket, and prints the outcomes for the open half
 * and the held-out half. Then the sets of `bench/retrieval.ts`.
 *
 *     node bench/bot.ts [--show] [SITE…]
 *
 * With FOYER_ENCODER, English sites are asked once their passages are encoded.
 * `--show` lists the questions of the open half with a wrong outcome. With sites, only theirs are asked.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { withWorld } from './foyer.ts';
import { type Asked, askSite, type Outcome } from './sites/ask.ts';
import { HALVES, type Half, KIND_NAMES, type Kind, readSites } from './sites/read.ts';

interface Target {
  readonly what: string;
  readonly kinds: readonly Kind[];
  readonly counted: readonly Outcome[];
  readonly wanted: string;
}

const IN_SCOPE: readonly Kind[] = [
  'plain',
  'cross',
  'typo',
  'fragment',
  'slang',
  'story',
  'two_in_one',
  'follow_up',
];
const OUT_OF_SCOPE: readonly Kind[] = ['near', 'far', 'hostile'];
const OUTCOMES: readonly Outcome[] = [
  'correct',
  'chosen',
  'offered',
  'asked',
  'incomplete',
  'wrong',
  'unknown',
  'person',
  'small_talk',
];

const TARGETS: readonly Target[] = [
  { what: 'answered correctly', kinds: IN_SCOPE, counted: ['correct'], wanted: '≥ 60 %' },
  {
    what: 'correct, or the right article among the choices',
    kinds: IN_SCOPE,
    counted: ['correct', 'chosen', 'offered'],
    wanted: '≥ 88 %',
  },
  { what: 'answered from a wrong article', kinds: IN_SCOPE, counted: ['wrong'], wanted: '≤ 4 %' },
  { what: 'answered from the right one, not all', kinds: IN_SCOPE, counted: ['incomplete'], wanted: '' },
  { what: 'not known', kinds: IN_SCOPE, counted: ['unknown'], wanted: '' },
  {
    what: 'out of scope, answered',
    kinds: OUT_OF_SCOPE,
    counted: ['correct', 'incomplete', 'wrong'],
    wanted: '≤ 8 %',
  },
  { what: 'thanks and greetings', kinds: ['small_talk'], counted: ['small_talk'], wanted: '100 %' },
  { what: 'requests for a person', kinds: ['person'], counted: ['person'], wanted: '≥ 92 %' },
  { what: 'complaints', kinds: ['complaint'], counted: ['person'], wanted: '≥ 85 %' },
];

const percent = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`;

function share(asked: readonly Asked[], half: Half, { kinds, counted }: Target): string {
  const ours = asked.filter(({ site, question }) => site.half === half && kinds.includes(question.kind));
  return percent(ours.filter(({ outcome }) => counted.includes(outcome)).length, ours.length);
}

function printTargets(asked: readonly Asked[]): void {
  console.log(`\n${'what'.padEnd(50)}${'open'.padStart(9)}${'held'.padStart(9)}  wanted`);
  for (const target of TARGETS) {
    const shares = HALVES.map((half) => share(asked, half, target).padStart(9)).join('');
    console.log(`${target.what.padEnd(50)}${shares}  ${target.wanted}`);
  }
}

function printKinds(asked: readonly Asked[], half: Half): void {
  console.log(`\n${half.padEnd(12)}${OUTCOMES.map((outcome) => outcome.padStart(12)).join('')}`);
  for (const kind of KIND_NAMES) {
    const ours = asked.filter(({ site, question }) => site.half === half && question.kind === kind);
    const counts = OUTCOMES.map((outcome) => ours.filter((one) => one.outcome === outcome).length);
    console.log(`${kind.padEnd(12)}${counts.map((count) => String(count).padStart(12)).join('')}`);
  }
}

/** Whether the outcome is the one that the question's author wanted. */
const isRight = ({ question: { expect }, outcome }: Asked): boolean =>
  expect === 'answer'
    ? outcome === 'correct'
    : outcome === expect || (expect === 'unknown' && outcome === 'asked');

function printFailures(asked: readonly Asked[]): void {
  for (const one of asked.filter((each) => each.site.half === 'open' && !isRight(each))) {
    const { site, question, outcome, said } = one;
    console.log(`${site.slug} ${question.kind} → ${outcome}: ${question.ask.join(' / ')}`);
    console.log(
      `    wanted ${question.articles.join(', ') || question.expect}: ${question.facts.join(' · ')}`,
    );
    console.log(`    said ${said.slice(0, 300)}`);
  }
}

const named = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const sites = readSites().filter(({ slug }) => named.length === 0 || named.includes(slug));
const asked: Asked[] = [];
await withWorld(
  async (world) => {
    for (const site of sites) {
      asked.push(...(await askSite(world, site)));
      console.error(`${site.half}/${site.slug}`);
    }
  },
  { FOYER_TRUST_PROXY: '127.0.0.1', FOYER_ENCODER: process.env.FOYER_ENCODER ?? '' },
);
if (process.argv.includes('--show')) printFailures(asked);
for (const half of HALVES) {
  const count = sites.filter((site) => site.half === half).length;
  if (count > 0) {
    console.log(
      `\n${half}: ${count} sites, ${asked.filter(({ site }) => site.half === half).length} questions`,
    );
    printKinds(asked, half);
  }
}
printTargets(asked);
if (named.length === 0) {
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, 'retrieval.ts')], {
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
}
