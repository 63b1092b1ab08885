/**
 * How the time of every reader of external text grows with the text: one article or message must not block the thread
 * that serves every site. Compared with itself: a text four times as long takes four times as long, or sixteen times if
 * the time is quadratic. `regular-expressions.test.ts` checks the patterns; this measures complete readers.
 */
import { parseMarkdown } from '../packages/protocol/src/browser/markdown/blocks.ts';
import { linkify } from '../packages/protocol/src/browser/markdown/inline.ts';
import { linked } from '../packages/server/src/base/html.ts';
import { extractAnswer } from '../packages/server/src/bot/answer/extract.ts';
import { readReply } from '../packages/server/src/bot/model-turn/reply-format.ts';
import { cleanFileName } from '../packages/server/src/files/file-name.ts';
import { withoutCourtesy } from '../packages/server/src/intents/courtesy.ts';
import { renderArticle } from '../packages/server/src/knowledge/articles/html.ts';
import { slugOf } from '../packages/server/src/knowledge/articles/slug.ts';
import { splitArticle } from '../packages/server/src/knowledge/search/passages.ts';
import { SearchIndex } from '../packages/server/src/knowledge/search/search-index.ts';
import { parseImport } from '../packages/server/src/knowledge/transfer/import-text.ts';
import { Evidence, statedFacts } from '../packages/server/src/text/facts/evidence.ts';
import { withoutMarks } from '../packages/widget/src/marks.ts';
import { type Figure, NONE } from './figures.ts';

const SHORT = 20_000;
const LONG = 4 * SHORT;
/** Linear time gives 4 and quadratic time 16; caches and garbage collection add something in between. */
const GROWTH_WANTED = 9;
/** Less CPU than this for the long text is harmless, and mostly noise. */
const NEGLIGIBLE_MS = 100;
/** Attempts at a fair measurement: a reader counts as slow only if it is slow each time. */
const ATTEMPTS = 4;

function indexed(body: string): SearchIndex {
  const index = new SearchIndex();
  index.add(splitArticle({ id: 1, title: 'Refunds', body }));
  return index;
}

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  'the index of the bot': indexed,
  'an answer of the bot': (text) =>
    indexed(`Refunds take days.\n\n${text}`)
      .search('how many days do refunds take a b', 5)
      .map((hit) => extractAnswer(hit, 'how many days do refunds take')),
  'a question to the bot': (text) => indexed('Refunds take 5 days.').search(withoutCourtesy(text), 5),
  'a search with a long query': (text) => indexed('Refunds take 5 days.').search(text, 5),
  'what the bot learns': (text) => {
    const index = indexed(text);
    for (let id = 2; id < 10; id++) index.add(splitArticle({ id, title: `T${id}`, body: `Words of ${id}.` }));
    return [...index.learn()];
  },
  'the help centre': (text) => String(renderArticle(text).html),
  'the import': parseImport,
  'a reply of a model': (text) => readReply(`ANSWER\nQUOTE 1: Refunds\n\n${text}`, true),
  'half a reply of a model': (text) => readReply(`ANSWER\nQUOTE 1: Refunds\n\n${text}`, false),
  'a reply of a model without its keyword': (text) => readReply(text, true),
  'facts in a reply of a model': (text) => new Evidence([]).unsupported(text, 'en'),
  'facts in articles': (text) => new Evidence(statedFacts(text, 'en')),
  'the portal': (text) => String(linked(text)),
  'the name of a file': cleanFileName,
  'the address of an article': slugOf,
  'a message in the chat': (text) => parseMarkdown(text, { breaks: true, paths: false }),
  'an article at the desk': (text) => parseMarkdown(text, { breaks: false, paths: true }),
  'what a visitor wrote': linkify,
  'the list of chats': withoutMarks,
};

/** The unit of a hostile text, repeated to its length. */
const UNITS = [
  ...[
    'a',
    'a@',
    'a.',
    '. ',
    '!',
    '! ',
    '!」',
    '。',
    ' ',
    '\t',
    '\n',
    'a\n',
    'a\n\n',
    '\r',
    '\u00a0',
    '\u200b',
  ],
  ...[
    '[',
    '[]',
    '](',
    '[](',
    '[a](',
    '[a]:',
    '[a]: b\n',
    '![',
    '![](',
    '[[]',
    '(a',
    '"',
    ' "',
    "a'",
    '“',
    '“a',
  ],
  ...[
    '*',
    '**',
    '* ',
    '*a',
    '_',
    '_a',
    '`',
    '` ',
    '``` ',
    '```\n',
    '~',
    '<',
    '<a ',
    '</',
    '<?',
    '<!--',
    '&',
    '&amp;',
  ],
  ...[
    '#',
    '# ',
    ' #',
    '# a\n',
    '>',
    '> ',
    '- ',
    '-',
    '- a\n',
    '1. ',
    '1',
    '1.',
    '1 ',
    '1-',
    '12 ',
    '+1 2',
    '=\n',
  ],
  ...['|', '| ', '|-', '-|', '| a\n', '\\', '\\[', '  a', 'a:\n', '---\n', 'title: a\n', 'www.', 'http://'],
  ...[
    'http://a ',
    'http://a(',
    'https://a.!',
    '/help/images/1-',
    'one ',
    'what do ',
    'help! ',
    '!?',
    'e\u0301',
    '\u0301',
  ],
  ...['ß', 'а', '漢', '漢。', '한', '😀', 'ü '],
];

const repeated = (unit: string, length: number): string => unit.repeat(Math.ceil(length / unit.length));

function cpuOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

interface Growth {
  unit: string;
  shortMs: number;
  longMs: number;
}

const factorOf = ({ shortMs, longMs }: Growth): number => longMs / shortMs;

/** Undefined when the long text takes too little time to measure. */
function growthOf(read: (text: string) => unknown, unit: string): Growth | undefined {
  const [short, long] = [repeated(unit, SHORT), repeated(unit, LONG)];
  let [shortMs, longMs] = [0, Number.POSITIVE_INFINITY];
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    longMs = Math.min(
      longMs,
      cpuOf(() => read(long)),
    );
    if (longMs < NEGLIGIBLE_MS) return undefined;
    // The slowest short text compared with the fastest long one: noise can only hide a steep growth, not fake it.
    shortMs = Math.max(
      shortMs,
      cpuOf(() => read(short)),
    );
    if (longMs < GROWTH_WANTED * shortMs) break;
  }
  return { unit, shortMs, longMs };
}

/** Each reader with the unit whose time grows most. */
export async function longTexts(): Promise<Figure[]> {
  return Object.entries(READERS).map(([name, read]) => {
    const [steepest] = UNITS.flatMap((unit) => growthOf(read, unit) ?? []).sort(
      (a, b) => factorOf(b) - factorOf(a),
    );
    if (!steepest)
      return {
        what: `${name}, 80,000 characters`,
        ours: `< ${NEGLIGIBLE_MS} ms`,
        bare: NONE,
        ratio: NONE,
        wanted: `≤ ${GROWTH_WANTED} ×`,
      };
    return {
      what: `${name}, 80,000 characters of ${JSON.stringify(steepest.unit)}`,
      ours: `${steepest.longMs.toFixed()} ms`,
      bare: `${steepest.shortMs.toFixed()} ms for 20,000`,
      ratio: `${factorOf(steepest).toFixed(1)} ×`,
      wanted: `≤ ${GROWTH_WANTED} ×`,
    };
  });
}
