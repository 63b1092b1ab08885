import { ARTICLE_TITLE_MAX } from '@foyer/protocol';
import { describe, expect, test } from 'vitest';
import { articleKey, parseImport } from './import-text.ts';

const titles = (text: string): string[] => parseImport(text).documents.map((document) => document.title);
const bodies = (text: string): string[] => parseImport(text).documents.map((document) => document.body);
const failures = (text: string): [number, number][] =>
  parseImport(text).failed.map(({ index, line }) => [index, line]);

describe('separators', () => {
  test('a line of three dashes separates documents, spaces around it do not matter', () => {
    expect(titles('# One\na\n---\n# Two\nb\n  ---\t\n# Three')).toEqual(['One', 'Two', 'Three']);
  });

  test('four dashes, dashes with words and other rules are part of the document', () => {
    expect(bodies('# One\n----\n--- x\n***\n- - -')).toEqual(['----\n--- x\n***\n- - -']);
  });

  test.each([
    ['backticks', '```', '```'],
    ['tildes', '~~~', '~~~'],
    ['a longer fence around a shorter', '````md\n```', '````'],
    ['a language', '```yaml', '```'],
    ['a longer closing fence', '```', '`````'],
    ['an indented fence', '   ```', '  ```'],
    ['a fence in a list item', '1. Do this:\n\n    ```\n    ---', '    ```'],
    ['a fence behind a list marker', '- ```\n  ---', '  ```'],
  ])('three dashes in fenced code do not separate: %s', (_, open, close) => {
    const indent = /^\s*/.exec(close)?.[0] ?? '';
    const body = `${open}\n${indent}---\n${indent}title: no\n${indent}---\n${close}\nend`;
    expect(parseImport(`# One\n${body}\n---\n# Two`).documents).toMatchObject([
      { title: 'One', body: body.trim() },
      { title: 'Two', body: '' },
    ]);
  });

  test.each(['`code`\n---\n# Two', '``` a ` b\n---\n# Two', '> ```\n---\n# Two', '- ```\n---\n# Two'])(
    'an invalid fence at the separator does not hide it: %j',
    (rest) => {
      expect(titles(`# One\n${rest}`)).toEqual(['One', 'Two']);
    },
  );

  test('a shorter fence, another marker or trailing words do not close a fence', () => {
    expect(titles('# One\n````\n```\n~~~~\n```` x\n---\n# no\n````\n---\n# Two')).toEqual(['One', 'Two']);
  });

  test('an unclosed fence reaches to the end, as in CommonMark', () => {
    expect(titles('# One\n```\n---\n# Two')).toEqual(['One']);
  });

  test('empty parts are ignored', () => {
    expect(parseImport('---\n\n---\n \t\n---\n# One\n---\n---\n')).toMatchObject({
      documents: [{ index: 1, line: 6, title: 'One' }],
      failed: [],
    });
    expect(parseImport('')).toEqual({ documents: [], failed: [] });
    expect(parseImport('\uFEFF\r\n---\r\n')).toEqual({ documents: [], failed: [] });
  });
});

describe('front matter', () => {
  test('gives title, category and status to the document after it', () => {
    const text = '---\ntitle: Returns\ncategory: Orders\nstatus: Published\n---\nSend it back.';
    expect(parseImport(text).documents).toEqual([
      { index: 1, line: 2, title: 'Returns', category: 'Orders', status: 'Published', body: 'Send it back.' },
    ]);
  });

  test('its title takes precedence over a heading, which then stays in the body', () => {
    expect(parseImport('title: Front\n---\n# Heading\ntext').documents).toMatchObject([
      { title: 'Front', body: '# Heading\ntext' },
    ]);
  });

  test('reaches over empty parts, but only to the next document', () => {
    const { documents } = parseImport('category: A\n---\n\n---\n# One\n---\n# Two');
    expect(documents.map(({ title, category }) => [title, category])).toEqual([
      ['One', 'A'],
      ['Two', null],
    ]);
  });

  test('may be in any order, with empty lines, quotes and colons', () => {
    const { documents } = parseImport(
      'status: Draft\n\n  category : \'A: B\'\ntitle: "Why: this"\n---\ntext',
    );
    expect(documents).toMatchObject([{ title: 'Why: this', category: 'A: B', status: 'Draft' }]);
  });

  test('empty values count as not given', () => {
    expect(parseImport('title:\ncategory: ""\nstatus:\n---\n# One').documents).toEqual([
      { index: 1, line: 1, title: 'One', category: null, status: undefined, body: '' },
    ]);
  });

  test('a part with any other line is a document, not front matter', () => {
    expect(parseImport('# One\ntitle: Not this\nauthor: X').documents).toMatchObject([
      { title: 'One', body: 'title: Not this\nauthor: X' },
    ]);
  });

  test('without a document after it, it is a document without a body', () => {
    expect(parseImport('title: A\n---\ntitle: B\n---\ntext\n---\ntitle: C').documents).toMatchObject([
      { index: 1, line: 1, title: 'A', body: '' },
      { index: 2, line: 3, title: 'B', body: 'text' },
      { index: 3, line: 7, title: 'C', body: '' },
    ]);
  });

  test('a field given twice is reported', () => {
    expect(failures('title: A\ntitle: B\n---\ntext')).toEqual([[1, 1]]);
  });
});

describe('the title from a heading', () => {
  test('is the first "# " heading, which is removed from the body if it comes first', () => {
    expect(parseImport('\n# One\n\ntext\n# Two').documents).toMatchObject([
      { title: 'One', body: 'text\n# Two' },
    ]);
  });

  test('stays in the body if it doesn’t come first', () => {
    expect(parseImport('Intro\n\n# One\ntext').documents).toMatchObject([
      { title: 'One', body: 'Intro\n\n# One\ntext' },
    ]);
  });

  test.each([
    ['# One #', 'One'],
    ['#   **One** `two` [three](https://example.com)', 'One two three'],
    ['# C#', 'C#'],
    ['   # One', 'One'],
    ['#\tOne', 'One'],
    ['## Two\n# One', 'One'],
    ['#Hash\n# One', 'One'],
    ['# \n# One', 'One'],
    ['```\n# code\n```\n# One', 'One'],
    ['    # indented code\n\n# One', 'One'],
  ])('%j gives %j', (text, title) => {
    expect(titles(text)).toEqual([title]);
  });
});

describe('skipped documents', () => {
  test('are reported by their index, and the others are imported', () => {
    const text = '# One\n---\nno title\n---\nstatus: Live\n---\n# Three\n---\n\n# Four';
    const { documents, failed } = parseImport(text);
    expect(documents.map(({ index, title }) => [index, title])).toEqual([
      [1, 'One'],
      [4, 'Four'],
    ]);
    expect(failed).toMatchObject([
      { index: 2, line: 3, reason: 'title_none', message: expect.stringContaining('no title') },
      { index: 3, line: 5, reason: 'status', values: { name: 'Live' } },
    ]);
  });

  test.each(['published', 'Live', 'draft', 'Draft Published', 'Draft,'])('have the status %j', (status) => {
    expect(failures(`status: ${status}\n---\n# One`)).toEqual([[1, 1]]);
  });

  test('the same title and category twice in one blob: the first is imported', () => {
    const { documents, failed } = parseImport(
      '# Straße\na\n---\n# STRASSE\nb\n---\ncategory: X\n---\n# Straße\nc',
    );
    expect(documents.map(({ body }) => body)).toEqual(['a', 'c']);
    expect(failed).toMatchObject([{ index: 2, line: 4, reason: 'same', values: { index: 1, line: 1 } }]);
  });

  test('a document that failed does not make its twin fail', () => {
    expect(titles('status: x\n---\n# One\n---\n# One')).toEqual(['One']);
  });

  test('too long titles and categories, NUL and unpaired surrogates', () => {
    const long = 'x'.repeat(ARTICLE_TITLE_MAX + 1);
    const text = `# ${long}\n---\ncategory: ${long}\n---\n# A\n---\n# B\n\0\n---\n# C\n\ud800\n---\n# D`;
    expect(failures(text).map(([index]) => index)).toEqual([1, 2, 3, 4]);
    expect(titles(text)).toEqual(['D']);
  });
});

describe('bytes and lines', () => {
  test('CRLF, lone CR and a byte order mark change nothing', () => {
    const text = 'title: One\ncategory: A\n---\nfirst\n\nsecond\n---\n# Two\ntext\n';
    const plain = parseImport(text);
    expect(plain.documents).toHaveLength(2);
    expect(parseImport(`\uFEFF${text.replaceAll('\n', '\r\n')}`)).toEqual(plain);
    expect(parseImport(text.replaceAll('\n', '\r'))).toEqual(plain);
  });

  test('hostile headings, fences and separators by the megabyte are read', () => {
    expect(failures(`# ${'['.repeat(1_000_000)}`)).toEqual([[1, 1]]);
    expect(failures(`# ${'# '.repeat(500_000)}x`)).toEqual([[1, 1]]);
    expect(parseImport('---\n'.repeat(500_000)).documents).toEqual([]);
    expect(failures('- '.repeat(500_000))).toEqual([[1, 1]]);
    expect(failures('title: a\n---\n'.repeat(100_000))).toHaveLength(99_999);
  });
});

describe('articleKey', () => {
  test.each([
    ['Straße', 'STRASSE'],
    ['ΟΔΟΣ', 'οδος'],
    ['É', 'e\u0301'],
    [' Returns ', 'returns'],
  ])('%j and %j are the same title', (a, b) => {
    expect(articleKey(a, 'X')).toBe(articleKey(b, 'X'));
  });

  test('another category, another case of the category and none are different', () => {
    const keys = [articleKey('A', null), articleKey('A', ''), articleKey('A', 'X'), articleKey('A', 'x')];
    expect(new Set(keys).size).toBe(4);
  });
});
