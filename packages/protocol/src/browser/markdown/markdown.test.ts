import { expect, test } from 'vitest';
import { type Block, parseMarkdown } from './blocks.ts';
import { type Inline, linkify, safeHref } from './inline.ts';

const CHAT = { breaks: true, paths: false };

const textOf = (items: Inline[]): string =>
  items
    .map((item) =>
      typeof item === 'string'
        ? item
        : 'text' in item
          ? item.text
          : 'children' in item
            ? textOf(item.children)
            : '\n',
    )
    .join('');
const links = (items: Inline[]): string[] =>
  items.flatMap((item) => {
    if (typeof item === 'string' || !('children' in item)) return [];
    return [...(item.type === 'link' ? [item.href] : []), ...links(item.children)];
  });
const inlineOf = (text: string): Inline[] => {
  const [block] = parseMarkdown(text, CHAT);
  return block?.type === 'paragraph' ? block.children : [];
};

test('strong, emphasis, code and links are recognised', () => {
  expect(inlineOf('A **bold** and *slanted* `code` [site](https://a.test/x)')).toEqual([
    'A ',
    { type: 'strong', children: ['bold'] },
    ' and ',
    { type: 'em', children: ['slanted'] },
    ' ',
    { type: 'code', text: 'code' },
    ' ',
    { type: 'link', href: 'https://a.test/x', children: ['site'] },
  ]);
});

test.each([
  ['javascript:alert(1)'],
  ['JaVaScRiPt:alert(1)'],
  ['data:text/html,<script>1</script>'],
  ['vbscript:x'],
  ['/relative'],
  ['//host/protocol-relative'],
  ['file:///etc/passwd'],
  [' javascript:alert(1)'],
  ['java\nscript:alert(1)'],
])('%j is no address to follow', (address) => {
  expect(safeHref(address, false)).toBeUndefined();
  expect(links(inlineOf(`[click](${address})`))).toEqual([]);
});

test('HTML stays text', () => {
  const html = '<img src=x onerror=alert(1)> <b>hi</b>';
  expect(inlineOf(html)).toEqual([html]);
});

test('a picture becomes a link, so nothing is loaded', () => {
  expect(inlineOf('![cat](https://a.test/cat.png)')).toEqual([
    { type: 'link', href: 'https://a.test/cat.png', children: ['cat'] },
  ]);
});

test('links do not nest in the label of a link', () => {
  const items = inlineOf('[https://evil.test](https://good.test/)');
  expect(links(items)).toEqual(['https://good.test/']);
});

test('snake_case, lone stars and unclosed marks are text', () => {
  for (const text of ['snake_case_name', '2 * 3 * 4', '**open', '`open', '[label](', 'a_b']) {
    expect(inlineOf(text)).toEqual([text]);
  }
});

test('lists keep their order, their first number and continuation lines', () => {
  const item = (...children: Inline[]): Block[] => [{ type: 'paragraph', children }];
  expect(parseMarkdown('3. three\n   more\n4. four\n\n- a\n- b', CHAT)).toEqual([
    {
      type: 'list',
      ordered: true,
      start: 3,
      items: [item('three', { type: 'break' }, 'more'), item('four')],
    },
    { type: 'list', ordered: false, start: 1, items: [item('a'), item('b')] },
  ] satisfies Block[]);
});

test('code in a fence is kept verbatim, even if the fence never closes', () => {
  expect(parseMarkdown('```js\n**a** <b>\n```\nafter', CHAT)).toEqual([
    { type: 'code', text: '**a** <b>' },
    { type: 'paragraph', children: ['after'] },
  ]);
  expect(parseMarkdown('```\nopen', CHAT)).toEqual([{ type: 'code', text: 'open' }]);
});

test('quotes and headings are blocks of their own', () => {
  expect(parseMarkdown('# Title\n> said\n> so\ntext', CHAT).map((block) => block.type)).toEqual([
    'heading',
    'quote',
    'paragraph',
  ]);
});

test('bare addresses become links without the full stop after them', () => {
  expect(linkify('See https://a.test/b?c=1. Or mailto:x@y.test!')).toEqual([
    'See ',
    { type: 'link', href: 'https://a.test/b?c=1', children: ['https://a.test/b?c=1'] },
    '. Or ',
    { type: 'link', href: 'mailto:x@y.test', children: ['mailto:x@y.test'] },
    '!',
  ]);
});

test('punctuation and closing brackets after an address are not part of it', () => {
  expect(
    links(inlineOf('(https://a.test/b) [https://a.test/c] https://a.test/d_(e), https://a.test/f?!')),
  ).toEqual(['https://a.test/b', 'https://a.test/c', 'https://a.test/d_(e)', 'https://a.test/f']);
});

test('a path of the same site is a link only where paths are allowed', () => {
  expect(safeHref('/returns', true)).toBe('/returns');
  expect(safeHref('/returns', false)).toBeUndefined();
});

test('what a visitor wrote is not markdown', () => {
  expect(linkify('**no** [x](https://a.test)').filter((item) => typeof item !== 'string')).toHaveLength(1);
  expect(textOf(linkify('**no**\n`x`'))).toBe('**no**\n`x`');
});

test('hostile text of 4,000 characters is read in one pass', () => {
  for (const piece of ['*', '_', '[', '`', '![](', '**_', '[x](', 'h', '> ', '- ']) {
    expect(parseMarkdown(piece.repeat(4000 / piece.length), CHAT).length).toBeGreaterThan(0);
  }
});
