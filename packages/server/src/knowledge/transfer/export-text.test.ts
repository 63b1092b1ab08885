import { ARTICLE_CATEGORY_MAX, ARTICLE_TITLE_MAX } from '@foyer/protocol';
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { describe, expect, test } from 'vitest';
import { canonicalBody, type ExportedArticle, formatExport } from './export-text.ts';
import { articleKey, parseImport } from './import-text.ts';

/** Lines that the importer has rules for, among other lines. */
const awkwardLine = fc.oneof(
  fc.constantFrom(
    '---',
    ' --- ',
    '----',
    '```',
    '~~~',
    '````js',
    '    ```',
    '- ```',
    '> ```',
    '',
    '# Heading',
    '    code',
    'title: x',
    'status: Live',
    'category:',
    'text',
    '\\---',
    '1. item',
    '\uFEFF# x',
    '"quoted"',
  ),
  fc.string({ unit: 'grapheme', maxLength: 20 }).filter((line) => !line.includes('\0')),
);
const body = fc.array(awkwardLine, { maxLength: 12 }).map((lines) => lines.join('\n').trim());
const oneLine = (max: number): fc.Arbitrary<string> =>
  fc
    .oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
      fc.constantFrom('"a"', "'", 'a: b', '---', '# x'),
    )
    .filter((text) => !/[\r\n\0]/.test(text) && text.trim() === text && text !== '' && text.length <= max);
const article: fc.Arbitrary<ExportedArticle> = fc.record({
  title: oneLine(ARTICLE_TITLE_MAX),
  category: fc.option(oneLine(ARTICLE_CATEGORY_MAX)),
  status: fc.constantFrom('Draft', 'Published', 'Archived'),
  body,
});
const articles = fc.uniqueArray(article, {
  maxLength: 6,
  selector: ({ title, category }) => articleKey(title, category),
});

describe('import(export) changes nothing', () => {
  test('every article is unchanged, its body in canonical form', () => {
    fc.assert(
      fc.property(articles, (given) => {
        const { documents, failed } = parseImport(formatExport(given));
        expect(failed).toEqual([]);
        const back = documents.map(({ title, category, status, body }) => ({
          title,
          category,
          status,
          body,
        }));
        expect(back).toEqual(given.map((each) => ({ ...each, body: canonicalBody(each.body) })));
      }),
      { numRuns: 500 },
    );
  });

  test('a second export is the same text', () => {
    fc.assert(
      fc.property(articles, (given) => {
        const text = formatExport(given);
        const again = parseImport(text).documents.map((each) => ({
          ...each,
          status: each.status ?? 'Draft',
        }));
        expect(formatExport(again)).toBe(text);
      }),
    );
  });

  test('without articles the blob is empty', () => {
    expect(parseImport(formatExport([]))).toEqual({ documents: [], failed: [] });
  });
});

describe('canonicalBody', () => {
  // A fence that the end of the text closes has no last line end, one that is closed has.
  const html = (text: string): string => new MarkdownIt().render(text).replaceAll('\n</code>', '</code>');

  test.each([
    ['a rule', 'a\n\n---\n\nb'],
    ['a heading underlined with dashes', 'Title\n---\ntext'],
    ['an open fence', 'text\n\n  ```js\n  code\n---\nmore'],
    ['an open fence in an item', '- item\n\n    ```\n    code'],
    ['a body of pairs', 'title: x\nstatus: y'],
    ['dashes in closed fences', '```\n---\n```'],
  ])('%s renders as before', (_, text) => {
    expect(html(canonicalBody(text))).toBe(html(text));
  });

  test('leaves a canonical body unchanged', () => {
    const text = '# A\n\n----\n\n```\n---\n```\n\ntitle: x\nand more';
    expect(canonicalBody(text)).toBe(text);
  });

  test('applied twice changes nothing more', () => {
    fc.assert(
      fc.property(body, (text) => {
        expect(canonicalBody(canonicalBody(text))).toBe(canonicalBody(text));
      }),
    );
  });
});
