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

test('unchanged text stays exactly as it was written', () => {
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
const UNKNOWN = /<h\d>.*<br>|<a [^>]*>(?:<\/?(?:em|strong|s)>)*<\/a>|<(em|strong)>(?:(?!<\/\1>).)*<\1>/;

/**
 * In a reply a line's end is a break, so that a backslash before it would be shown. A link that doesn't work there is
 * shown as its text: without text nothing is left, and an address as its text would become a link.
 */
const UNKNOWN_IN_REPLY = /\\\n|\[\]\(|(?:https?:|www\.|@)[\s\S]*\]\((?!https:)/;

test.each([
  ['an article', ARTICLE],
  ['a reply', REPLY],
])('any mixture of markdown in %s reads the same when it is written again', (_what, dialect) => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }), (pieces) => {
      const text = pieces.join('');
      fc.pre(!UNKNOWN.test(shownAs(text, dialect)));
      fc.pre(dialect === ARTICLE || !UNKNOWN_IN_REPLY.test(text));
      expectSame(text, dialect);
    }),
    { numRuns: 3_000 },
  );
});

// Found by the property above, in more runs than it has.
test.each([
  ['***a***word', 'reply'],
  ['word***42***', 'reply'],
  ['word***10. ](***', 'reply'],
  ['****a***word', 'reply'],
  ['*a*1. ', 'reply'],
  ['***a*word', 'reply'],
  ['`  \u00a0  `', 'reply'],
  ['`  \u00a0  `', 'article'],
  ['~~~~  ~~``', 'article'],
  ['~~~~  ~~``', 'reply'],
  ['**\\\n [x](https://a.example) )**', 'article'],
  ['**\\\n c@d.example ===**', 'article'],
  ['**\\\n\u00a0!**', 'article'],
  ['__**__**(**', 'article'],
] as const)('%j reads the same in a %s when it is written again', (text, kind) =>
  expectSame(text, kind === 'reply' ? REPLY : ARTICLE),
);

test.each([
  ['***a***word', '***a***word'],
  ['*a*1.', '*a*1.'],
  ['word**b *a***', 'word**b _a_**'],
])('in a reply, %j is written as %j: an emphasis within a word has asterisks', (text, written) =>
  expect(rewritten(text, REPLY)).toBe(written),
);

test('text that a reply can’t express is detected', () => {
  expect(isFaithful('[]()  \n**', REPLY)).toBe(false);
  expect(isFaithful('[ https://a.example/x_y ](2)', REPLY)).toBe(false);
});

test('a text that the editor can’t represent is detected', () => {
  expect(isFaithful('Title\\\nof two lines\n===', ARTICLE)).toBe(false);
  expect(isFaithful('Title of one line\n===', ARTICLE)).toBe(true);
});
