import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

// People read the same English everywhere: on screens, in emails, at the command line, in errors and in the docs.
// docs/glossary.md lists the words that we don't use; here are those that a machine can find.

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

/** Links to tests by their titles: a title is quoted as it is. */
const TITLES = /\[[^\]\n]*\]\([^)\s]+\.test\.ts\)/g;

test('so does the documentation', () => {
  expect(PAGES.length).toBeGreaterThan(40);
  expect(faultsIn(PAGES.flatMap((path) => linesOf(path, read(path).replace(TITLES, ''))))).toEqual([]);
});

test('the search finds a phrase in a text, and none in a comment or a name', () => {
  const code = "/** Whoever reads this. */\nconst anew = 'Sent anew'; // anew\n";
  expect(faultsIn(literalsOf('a.ts', code))).toEqual(['a.ts:2: "anew" – write: again, new']);
});
