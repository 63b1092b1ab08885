import { parseMarkdown } from '@foyer/protocol/browser/markdown/blocks';
import { safeHref } from '@foyer/protocol/browser/markdown/inline';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Markdown } from './Markdown.tsx';

const html = (text: string, breaks = false): string =>
  renderToStaticMarkup(createElement(Markdown, { text, breaks })).replaceAll(
    / (class|dir|rel|target)="[^"]*"/g,
    '',
  );

test('headings, emphasis, code and lists become their elements', () => {
  expect(html('# Title\n\nA **bold** and *soft* `x < y`.')).toBe(
    '<div><h2>Title</h2><p>A <strong>bold</strong> and <em>soft</em> <code>x &lt; y</code>.</p></div>',
  );
  expect(html('- one\n- two\n\n3. three\n4. four')).toBe(
    '<div><ul><li><p>one</p></li><li><p>two</p></li></ul><ol start="3"><li><p>three</p></li><li><p>four</p></li></ol></div>',
  );
});

test('a list inside a list stays inside', () => {
  expect(html('- one\n  - inner\n- two')).toBe(
    '<div><ul><li><p>one</p><ul><li><p>inner</p></li></ul></li><li><p>two</p></li></ul></div>',
  );
});

test('fenced code keeps its text verbatim', () => {
  expect(html('```js\nif (a < b) **c**\n```\nafter')).toBe(
    '<div><pre><code>if (a &lt; b) **c**</code></pre><p>after</p></div>',
  );
  expect(html('```\nnever closed')).toBe('<div><pre><code>never closed</code></pre></div>');
});

test('quotes, rules and tables', () => {
  expect(html('> said\n\n---')).toBe('<div><blockquote><p>said</p></blockquote><hr/></div>');
  expect(html('| a | b |\n|---|---|\n| 1 | 2 |')).toContain('<td>1</td><td>2</td>');
});

test('HTML is text', () => {
  const hostile = '<img src=x onerror=alert(1)><script>alert(1)</script>';
  expect(html(hostile)).not.toContain('<img');
  expect(html(hostile)).not.toContain('<script');
});

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  '//evil.example',
  '/\\evil.example',
  'java\nscript:alert(1)',
])('a link to %j is not followed', (target) => {
  expect(safeHref(target, true)).toBeUndefined();
  expect(html(`[click](${target})`)).not.toContain('href');
});

test('links to the web, to mail and within the site are', () => {
  for (const target of ['https://a.example/x?y=1', 'mailto:a@b.example', '/returns', '#top']) {
    expect(html(`[go](${target})`)).toBe(`<div><p><a href="${target}">go</a></p></div>`);
  }
});

test('an address in the text is a link, without the full stop after it', () => {
  expect(html('See https://a.example/b.')).toBe(
    '<div><p>See <a href="https://a.example/b">https://a.example/b</a>.</p></div>',
  );
});

test('a link can’t contain a link', () => {
  expect(html('[https://a.example](https://b.example)')).toBe(
    '<div><p><a href="https://b.example">https://a.example</a></p></div>',
  );
});

test('in a chat every line break counts, in an article two spaces are needed', () => {
  expect(html('a\nb', true)).toBe('<div><p>a<br/>b</p></div>');
  expect(html('a\nb')).toBe('<div><p>a b</p></div>');
  expect(html('a  \nb')).toBe('<div><p>a<br/>b</p></div>');
});

test('marks that are never closed, and escaped ones, stay as they are', () => {
  expect(html('2 * 3 * 4 and snake_case_name and \\*not\\*')).toBe(
    '<div><p>2 * 3 * 4 and snake_case_name and *not*</p></div>',
  );
  expect(html('**open')).toBe('<div><p>**open</p></div>');
});

test.each(['[', '*', '_', '`', '> ', '- ', '![', '~~', '|', '#', '\\'])(
  'a hundred thousand of %j ends, and loses none of the text’s length to a crash',
  (mark) => {
    expect(parseMarkdown(mark.repeat(100_000), { breaks: true, paths: true }).length).toBeGreaterThan(0);
  },
);
