import { describe, expect, it } from 'vitest';
import { parseMarkdown as parseOfDesk } from '../../dashboard/src/markdown/blocks.ts';
import { parseMarkdown as parseOfWidget } from '../../widget/src/core/markdown.ts';
import { withoutMarks } from '../../widget/src/marks.ts';
import { linked } from '../src/base/html.ts';
import { readCited } from '../src/bot/answer/cited-text.ts';
import { extractAnswer } from '../src/bot/answer/extract.ts';
import { cleanFileName } from '../src/files/file-name.ts';
import { withoutCourtesy } from '../src/intents/small-talk.ts';
import { renderArticle } from '../src/knowledge/articles/html.ts';
import { slugOf } from '../src/knowledge/articles/slug.ts';
import { splitArticle } from '../src/knowledge/search/passages.ts';
import { SearchIndex } from '../src/knowledge/search/search-index.ts';
import { parseImport } from '../src/knowledge/transfer/import-text.ts';

// One article or one message must not hold the thread that serves every site: the time of whatever reads text from
// outside grows with the text, not with its square.

const SHORT = 20_000;
const LONG = 4 * SHORT;
/** Linear time gives 4 and quadratic time 16; between them lies what caches and collections of garbage add. */
const GROWTH_MAX = 9;
/** Less CPU than this for the long text harms nobody, and is mostly noise. */
const NEGLIGIBLE_MS = 100;
/** Attempts at a fair measurement: only what is slow each time is slow. */
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
  'an answer of a model': (text) => readCited(`SOURCES: 1\n${text}`, ['Refunds'], true),
  'half an answer of a model': (text) => readCited(`SOURCES: 1\n${text}`, ['Refunds'], false),
  'passages beside an answer of a model': (text) => readCited('SOURCES: 1\nYes.', [text], true),
  'the portal': (text) => String(linked(text)),
  'the name of a file': cleanFileName,
  'the address of an article': slugOf,
  'the desk': (text) => parseOfDesk(text, { breaks: true }),
  'the widget': parseOfWidget,
  'the list of chats': withoutMarks,
};

/** What a hostile text is made of, repeated to its length. */
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

/** Undefined when the time grows with the length; else what was measured. */
function steepness(read: (text: string) => unknown, unit: string): string | undefined {
  const [short, long] = [repeated(unit, SHORT), repeated(unit, LONG)];
  let shortMs = 0;
  let longMs = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    longMs = Math.min(
      longMs,
      cpuOf(() => read(long)),
    );
    if (longMs < NEGLIGIBLE_MS) return undefined;
    // The slowest short text against the fastest long one: chance can only hide what is steep, not make it up.
    shortMs = Math.max(
      shortMs,
      cpuOf(() => read(short)),
    );
    if (longMs < GROWTH_MAX * shortMs) return undefined;
  }
  return `${JSON.stringify(unit)}: ${shortMs.toFixed()} ms, then ${longMs.toFixed()} ms for four times as much`;
}

describe.each(Object.entries(READERS))('%s', (_, read) => {
  it('takes time in proportion to a hostile text', () => {
    expect(UNITS.flatMap((unit) => steepness(read, unit) ?? [])).toEqual([]);
  });
});
