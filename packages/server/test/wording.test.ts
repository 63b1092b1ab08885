import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

// People read the same English everywhere: on screens, in emails, at the command line, in errors, in the docs, and in
// the code itself. docs/glossary.md lists the words that we don't use; here are those that a machine can find.

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** What is not written, and what is written instead. */
const DISCOURAGED: readonly [RegExp, string][] = [
  [/\bwhoever\b|\bwhomever\b/i, 'a subject: "if you …", "people who …", "the visitor"'],
  [/\bwho asks\b|\bwhat was asked\b/i, 'customer, message'],
  [/\bsomebody of the team\b|\beverybody of\b/i, 'a teammate, everyone on the team'],
  [/\banew\b/i, 'again, new'],
  [/\b[eE]-mail(s|ed)?\b/, 'email'],
  [/\bset-up\b/i, 'setup (noun), set up (verb)'],
  [/\b(is|are|be|being|been) told\b/i, 'is notified, is reported; or say who notifies whom'],
  [/\bnobody is told\b/i, 'no notifications are sent'],
  [/\b(take|takes|taken|taking) back\b/i, 'undo'],
  [
    /\b(give|gives|given|gave|giving) (it |the chat |them )?(back|up)\b/i,
    'return to bot, unassign; discard; dead',
  ],
  [/\bhand(s|ed)? (it |the chat |them )?to a (colleague|teammate)\b/i, 'assign'],
  [/\bput(s)? away\b/i, 'dismiss'],
  [/\bbring (it |them )?back\b/i, 'restore'],
  [/\bcomes? to be\b/i, 'is created'],
  [/\bmake the (ticket|link|tag|token|segment|set|view|macro)\b/i, 'create'],
  [/\b(was|were|is) made (of|from) (the|this) (chat|ticket)\b/i, 'was created from'],
  [/\bfurther facts\b/i, 'technical details'],
  [/\bhalf within\b|\bnine of ten within\b/i, 'median, 90th percentile'],
  [/\bone agent after the other\b/i, 'round robin'],
  [/\bgood until\b/i, 'expires'],
  [/\bslips? of the pen\b/i, 'typing error'],
  [/\bthat there (is|are)(n’t|n't| not)\b/i, 'unknown'],
  [
    /\bcan(’t|'t|not) be taken\b|\b(is|was|were|are) not taken\b/i,
    'is skipped, can’t be imported, isn’t supported',
  ],
  [/\bwhat is (left out|more than)\b/i, 'omitted values, …'],
  [/\bready-made\b/i, 'productivity'],
  [/\bby themselves\b|\bby itself\b/i, 'automatically'],
  [/\bnot any more\b|\bany more\b/i, 'no longer'],
  [/\b(was|were) told\b/i, 'was notified, saw; or say who says what'],
  [/\bhears? of\b/i, 'is notified, sees'],
  [/\bgiven to (anybody|nobody|no one|somebody)\b/i, 'assigned'],
  [/\bone[’']s own\b/i, 'your own'],
  [/\b(record|token|ticket|link|chat|tag) (is|was|were) made\b/i, 'is created'],
  [/\bmake one (in|under|at) the\b/i, 'create one'],
  [/\bstands? in (the|its) (summary|list|inbox|log|mail)\b/i, 'is in the …'],
  [/\bis called (to|into) the chat\b|\ba person is called\b/i, 'the chat is handed over'],
];

interface Line {
  at: string;
  text: string;
}

const linesOf = (path: string, text: string): Line[] =>
  text.split('\n').map((line, index) => ({ at: `${path}:${index + 1}`, text: line }));

/** The literals of a module: its comments, names and imports are not what people read. */
const literalsOf = (path: string, code: string): Line[] =>
  linesOf(
    path,
    code.replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' ')),
  )
    .filter(({ text }) => !/^\s*(\/\/|import |export .* from )/.test(text))
    .flatMap(({ at, text }) =>
      (text.match(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`?/g) ?? []).map((literal) => ({
        at,
        text: literal,
      })),
    );

const read = (path: string): string => readFileSync(`${ROOT}/${path}`, 'utf8');
const find = (patterns: string[], exclude: RegExp): string[] =>
  globSync(patterns, { cwd: ROOT })
    .filter((path) => !/node_modules|\/dist\//.test(path) && !exclude.test(path))
    .sort();

/** The contract's wire texts are fixed, and the glossary quotes what it forbids. */
const PAGES = find(['*.md', 'docs/**/*.md', '.env.example'], /^docs\/contract\/|glossary\.md$/);
const TABLES = find(['packages/*/src/**/languages/en.ts'], /^$/);
const CODE = find(
  ['packages/{server,protocol,client}/src/**/*.ts', 'packages/{dashboard,widget,sdk}/src/**/*.{ts,tsx}'],
  // Other languages than English, and words that visitors use.
  /\.test\.tsx?$|\/languages\/|\/chat-events\/(?!en)|search\/synonyms\.ts$/,
);

const SOURCES = find(
  ['packages/*/{src,test}/**/*.{ts,tsx}', '{bench,scripts}/**/*.ts'],
  /wording\.test\.ts$|tables\.generated\.ts$/,
);

const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length;

/** The comments of a module, each as one line however long it is. */
const commentsOf = (path: string, code: string): Line[] =>
  [...code.matchAll(/\/\*[\s\S]*?\*\/|(?<![:'"`\\])\/\/[^\n]*(?:\n\s*\/\/[^\n]*)*/g)].map((found) => ({
    at: `${path}:${lineAt(code, found.index)}`,
    text: found[0].replace(/\s*\n\s*(\*|\/\/)?\s*/g, ' '),
  }));

/** The titles of tests. */
const titlesOf = (path: string, code: string): Line[] =>
  [...code.matchAll(/(?:\b(?:it|test|describe)\b[^'"`\n]*|\))\(\s*(['"`])([^\n]*?)\1,/g)].map((found) => ({
    at: `${path}:${lineAt(code, found.index)}`,
    text: found[2] ?? '',
  }));

const faultsIn = (lines: readonly Line[]): string[] =>
  lines.flatMap(({ at, text }) =>
    DISCOURAGED.flatMap(([phrase, instead]) => {
      const found = phrase.exec(text)?.[0];
      return found ? [`${at}: "${found}" – write: ${instead}`] : [];
    }),
  );

test('screens, emails and the widget use the words of the trade', () => {
  expect(TABLES.length).toBeGreaterThan(25);
  expect(faultsIn(TABLES.flatMap((path) => literalsOf(path, read(path))))).toEqual([]);
});

test('so do the texts in the code: errors, logs, the command line', () => {
  expect(CODE.length).toBeGreaterThan(900);
  expect(faultsIn(CODE.flatMap((path) => literalsOf(path, read(path))))).toEqual([]);
});

test('so does the documentation', () => {
  expect(PAGES.length).toBeGreaterThan(40);
  expect(faultsIn(PAGES.flatMap((path) => linesOf(path, read(path))))).toEqual([]);
});

test('so do comments, and the titles of tests', () => {
  expect(SOURCES.length).toBeGreaterThan(2_500);
  const comments = SOURCES.flatMap((path) => commentsOf(path, read(path)));
  const titles = SOURCES.filter((path) => path.includes('.test.')).flatMap((path) =>
    titlesOf(path, read(path)),
  );
  expect(titles.length).toBeGreaterThan(3_500);
  expect(faultsIn([...comments, ...titles])).toEqual([]);
});

test('the search finds a phrase in a text, and none in a name', () => {
  const code = `/**
 * They do it by
 * themselves.
 */
const anew = 'Sent anew'; // whoever
test.each(['a'])('is told', () => anew);
`;
  expect(faultsIn(literalsOf('a.ts', code))).toEqual([
    'a.ts:5: "anew" – write: again, new',
    'a.ts:6: "is told" – write: is notified, is reported; or say who notifies whom',
  ]);
  expect(faultsIn(commentsOf('a.ts', code))).toEqual([
    'a.ts:1: "by themselves" – write: automatically',
    'a.ts:5: "whoever" – write: a subject: "if you …", "people who …", "the visitor"',
  ]);
  expect(faultsIn(titlesOf('a.ts', code))).toEqual([
    'a.ts:6: "is told" – write: is notified, is reported; or say who notifies whom',
  ]);
});
