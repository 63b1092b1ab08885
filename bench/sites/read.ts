/**
 * Knowledge bases of small businesses by which the bot is evaluated, and their customers' questions. Each site is a
 * folder with `site.json`, `articles/<slug>.md` (a title, a blank line, Markdown) and `questions.jsonl`. `open` may be
 * used for tuning; `held` only shows whether a change generalises to shops that nobody tuned it for.
 *
 *     node bench/sites/read.ts [FOLDER…]   # checks the files; without a folder, of all sites
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

export const HALVES = ['open', 'held'] as const;
export type Half = (typeof HALVES)[number];

/** How many questions of each kind a site has, and what may be expected of them. */
const KINDS = {
  plain: { count: 12, expect: ['answer'] },
  /** In another language than the articles. */
  cross: { count: 2, expect: ['answer'] },
  typo: { count: 5, expect: ['answer'] },
  fragment: { count: 5, expect: ['answer'] },
  slang: { count: 4, expect: ['answer'] },
  /** Several sentences with one question in them. */
  story: { count: 5, expect: ['answer'] },
  two_in_one: { count: 4, expect: ['answer'] },
  /** The last of several turns, which can't be understood without those before. */
  follow_up: { count: 6, expect: ['answer'] },
  /** To this business, but no article answers it. */
  near: { count: 5, expect: ['unknown'] },
  /** To somebody else. */
  far: { count: 3, expect: ['unknown'] },
  hostile: { count: 2, expect: ['unknown'] },
  person: { count: 4, expect: ['person'] },
  complaint: { count: 2, expect: ['person'] },
  small_talk: { count: 4, expect: ['small_talk'] },
} as const;

export type Kind = keyof typeof KINDS;
export const KIND_NAMES = Object.keys(KINDS) as Kind[];

const siteSchema = z.strictObject({
  name: z.string().min(1),
  language: z.string().regex(/^[a-z]{2}$/),
  business: z.string().min(1),
});

const questionSchema = z.strictObject({
  kind: z.enum(KIND_NAMES),
  /** One message per turn. Only the reply to the last is judged. */
  ask: z.array(z.string().min(1)).min(1),
  expect: z.enum(['answer', 'unknown', 'person', 'small_talk']),
  /** Slugs of the articles that answer it, best first; of two questions in one, those of both. */
  articles: z.array(z.string()).default([]),
  /** Texts that the answer must contain, with alternatives between bars. */
  facts: z.array(z.string().min(1)).default([]),
});

export type Question = z.infer<typeof questionSchema>;

export interface SiteArticle {
  readonly slug: string;
  readonly title: string;
  /** Without the title. */
  readonly body: string;
  /** The whole file, title included. */
  readonly text: string;
}

export interface BenchSite extends z.infer<typeof siteSchema> {
  readonly slug: string;
  readonly half: Half;
  readonly articles: readonly SiteArticle[];
  readonly questions: readonly Question[];
}

const FOLDER = import.meta.dirname;

/** All sites, those of the open half first, in the order of their names. */
export const readSites = (): BenchSite[] => siteFolders().map(readSite);

/**
 * @throws if a file is missing or isn't what it should be; the message names it.
 */
function readSite(folder: string): BenchSite {
  const file = (name: string): string => readFileSync(join(folder, name), 'utf8');
  const articles = readdirSync(join(folder, 'articles'))
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => {
      const text = file(join('articles', name));
      const title = text.match(/^# (.+)$/m)?.[1]?.trim() ?? '';
      return { slug: basename(name, '.md'), title, body: text.slice(text.indexOf('\n') + 1).trim(), text };
    });
  const questions = file('questions.jsonl')
    .split('\n')
    .flatMap((line, at) => (line.trim() === '' ? [] : [questionOf(folder, line, at + 1)]));
  const half = basename(join(folder, '..')) === 'held' ? 'held' : 'open';
  return {
    ...siteSchema.parse(JSON.parse(file('site.json'))),
    slug: basename(folder),
    half,
    articles,
    questions,
  };
}

function questionOf(folder: string, line: string, number: number): Question {
  try {
    return questionSchema.parse(JSON.parse(line));
  } catch (error) {
    throw new Error(`${folder}/questions.jsonl, line ${number}: ${String(error)}`, { cause: error });
  }
}

/** Text for the comparison of facts: without emphasis, character width, case, and runs of spaces. */
export function comparable(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[*_`\\]/g, '')
    .replaceAll('|', ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Whether a text contains a fact, in any of its alternatives. */
export function containsFact(text: string, fact: string): boolean {
  const compared = comparable(text);
  return fact.split('|').some((one) => compared.includes(comparable(one)));
}

/** The errors in a site's files, in words; none if they can be used. */
function faultsOf(site: BenchSite): string[] {
  const texts = new Map(site.articles.map(({ slug, text }) => [slug, text]));
  const untitled = site.articles
    .filter(({ title }) => title === '')
    .map(({ slug }) => `${slug}.md has no title`);
  const counts = KIND_NAMES.flatMap((kind) => {
    const found = site.questions.filter((question) => question.kind === kind).length;
    return found === KINDS[kind].count ? [] : [`${found} of kind ${kind}, not ${KINDS[kind].count}`];
  });
  const twice = site.questions
    .map(({ ask }) => JSON.stringify(ask))
    .filter((ask, at, all) => all.indexOf(ask) !== at)
    .map((ask) => `asked twice: ${ask}`);
  return [
    ...untitled,
    ...counts,
    ...twice,
    ...site.questions.flatMap((question) => questionFaults(question, texts)),
  ];
}

function questionFaults(question: Question, texts: ReadonlyMap<string, string>): string[] {
  const { kind, ask, expect, articles, facts } = question;
  const allowed: readonly string[] = KINDS[kind].expect;
  const known = articles.flatMap((slug) => texts.get(slug) ?? []);
  return [
    ...(allowed.includes(expect) ? [] : [`expects ${expect}`]),
    ...(known.length === articles.length ? [] : ['names an article that is not there']),
    ...(expect === 'answer' && (articles.length === 0 || facts.length === 0)
      ? ['names no article or no fact']
      : []),
    ...(expect !== 'answer' && articles.length + facts.length > 0 ? ['names articles or facts'] : []),
    ...(kind === 'follow_up' && ask.length < 2 ? ['has one turn'] : []),
    ...(kind === 'two_in_one' && facts.length < 2 ? ['has a fact for one question only'] : []),
    ...facts
      .filter((fact) => !known.some((text) => containsFact(text, fact)))
      .map((fact) => `“${fact}” is in none of its articles`),
  ].map((fault) => `${kind} “${ask.at(-1)}”: ${fault}`);
}

function siteFolders(): string[] {
  return HALVES.map((half) => join(FOLDER, half))
    .filter(existsSync)
    .flatMap((half) =>
      readdirSync(half, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => join(half, name))
        .sort(),
    );
}

function check(folders: readonly string[]): void {
  for (const folder of folders) {
    const site = readSite(folder);
    const faults = faultsOf(site);
    console.log(
      `${site.half}/${site.slug}: ${site.articles.length} articles, ${site.questions.length} questions`,
    );
    for (const fault of faults) console.log(`  ${fault}`);
    if (faults.length > 0) process.exitCode = 1;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const named = process.argv.slice(2).map((folder) => resolve(folder));
  check(named.length > 0 ? named : siteFolders());
}
