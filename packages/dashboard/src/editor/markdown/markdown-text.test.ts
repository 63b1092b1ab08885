import fc from 'fast-check';
import { expect, test } from 'vitest';
import { schema } from '../schema.ts';
import { ARTICLE, type Dialect, REPLY } from './dialect.ts';
import { isFaithful, MarkdownText } from './markdown-text.ts';
import { readBlocks, shownAs } from './read.ts';

const SAMPLES: Record<string, string> = import.meta.glob('../../../../server/src/**/*.md', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** Written as if every block had been changed. */
const rewritten = (text: string, dialect: Dialect = ARTICLE): string =>
  new MarkdownText(dialect).write(
    schema.nodes.doc.create(
      null,
      readBlocks(text, dialect).blocks.map(({ node }) => node),
    ),
  );

const expectSame = (text: string, dialect: Dialect = ARTICLE): void => {
  const again = rewritten(text, dialect);
  expect(shownAs(again, dialect), `${text}\n=== became ===\n${again}`).toBe(shownAs(text, dialect));
};

test('there are samples', () => expect(Object.keys(SAMPLES)).not.toEqual([]));

test.each(Object.entries(SAMPLES))('%s reads the same when it is written again', (_file, text) => {
  for (const article of text.split(/^---$/m)) expectSame(article);
});

test.each([
  ['# One\n\nTwo **three** _four_ ~~five~~ `six`', undefined],
  ['* a\n* b\n    * c\n', '- a\n- b\n  - c'],
  ['1) a\n2) b', '1. a\n2. b'],
  ['Title\n=====\n\nText', '# Title\n\nText'],
  ['    code', '```\ncode\n```'],
  ['a<br>b & c &amp;amp; <b>', 'a\\<br>b & c \\&amp; \\<b>'],
  ['See https://a.example/b_c and www.b.example.', undefined],
  ['[a][1]\n\n[1]: https://a.example "t"', '[a](https://a.example "t")'],
  ['- a\n\n- b', undefined],
  ['- a\n* b', '- a\n\n* b'],
  ['a\\\nb  \nc', 'a\\\nb\\\nc'],
  ['| a | b |\n|:--|--:|\n| x \\| y | `z` |', '| a | b |\n| :--- | ---: |\n| x \\| y | `z` |'],
  ['---', '***'],
  ['- - -', '***'],
  ['![Alt](/help/images/1-2-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa "t")', undefined],
  ['1 \\* 2\\. 3 [ ] x 2 * 3 4*5', '1 * 2. 3 [ ] x 2 * 3 4\\*5'],
])('%j is written as %j', (text, expected = text) => {
  expect(rewritten(text)).toBe(expected);
  expectSame(text);
});

test('what nobody changes stays as it was written, to the letter', () => {
  const text = '* one\n* two\n\nA *word* and `code`\n===\n\n+ three\n';
  const markdown = new MarkdownText(ARTICLE);
  const doc = markdown.read(text);
  expect(markdown.write(doc)).toBe(text);
  const more = doc.copy(doc.content.addToEnd(schema.node('paragraph', null, schema.text('new'))));
  expect(markdown.write(more)).toBe('* one\n* two\n\nA *word* and `code`\n===\n\n+ three\n\nnew');
});

const PIECES = [
  ...[
    '**',
    '*',
    '_',
    '__',
    '~~',
    '`',
    '``',
    '[',
    ']',
    '](',
    ')',
    '(',
    '!',
    '![',
    '<',
    '>',
    '&',
    '&amp;',
    '\\',
    '"',
  ],
  ...[
    '# ',
    '## ',
    '- ',
    '* ',
    '+ ',
    '1. ',
    '2) ',
    '10. ',
    '> ',
    '```\n',
    '~~~\n',
    '---',
    '===',
    '***',
    '|',
    '|---|',
    ' | ',
  ],
  ...['\n', '\n\n', '\n  ', '\n    ', '\n- ', '\n  - ', '\n> ', '\n1. ', '  \n', '\\\n', ' ', '  ', '\t'],
  ...[
    'a',
    'word',
    'Ünï',
    '42',
    '.',
    ':',
    ',',
    ' https://a.example/x_y ',
    ' www.b.example ',
    ' c@d.example ',
    ' [x](https://a.example) ',
  ],
  ...[
    '\n| a | b |\n|---|---|\n| 1 | 2 |\n',
    '[ref]: https://a.example\n',
    ' [ref] ',
    '😀',
    '\u00a0',
    '<b>',
    '[ ] ',
  ],
];

/** A heading of several lines, a link of no words, and an emphasis within its like: the editor opens such a text as markdown. */
const UNKNOWN = /<h\d>.*<br>|<a [^>]*><\/a>|<(em|strong)>(?:(?!<\/\1>).)*<\1>/;

test.each([
  ['an article', ARTICLE],
  ['a reply', REPLY],
])('any mixture of markdown in %s reads the same when it is written again', (_what, dialect) => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }), (pieces) => {
      const text = pieces.join('');
      fc.pre(!UNKNOWN.test(shownAs(text, dialect)));
      // In a reply the end of a line is a break, and a backslash before it would be shown.
      fc.pre(dialect === ARTICLE || !text.includes('\\\n'));
      expectSame(text, dialect);
    }),
    { numRuns: 3_000 },
  );
});

test('a text that the editor can’t show as it is found out', () => {
  expect(isFaithful('Title\\\nof two lines\n===', ARTICLE)).toBe(false);
  expect(isFaithful('Title of one line\n===', ARTICLE)).toBe(true);
});
