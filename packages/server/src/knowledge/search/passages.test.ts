import { describe, expect, test } from 'vitest';
import { lineText, type Passage, splitArticle } from './passages.ts';

const split = (body: string, title = 'Title'): Passage[] => splitArticle({ id: 7, title, body });

describe('splitArticle', () => {
  test('splits by headings and keeps their path', () => {
    const passages = split('Intro.\n\n## A\n\none\n\n### B *b*\n\ntwo\n\n## C\n\nthree');
    expect(passages.map(({ headings, text }) => [headings, text])).toEqual([
      [[], 'Intro.'],
      [['A'], 'one'],
      [['A', 'B b'], 'two'],
      [['C'], 'three'],
    ]);
    expect(passages[0]).toMatchObject({ articleId: 7, title: 'Title' });
  });

  test('gives plain words and the source', () => {
    const source = 'See **this** [page](https://example.com/a), `code` and ![a lamp](x.png).';
    expect(split(source)).toMatchObject([{ text: 'See this page, code and a lamp.', markdown: source }]);
  });

  test('a heading inside code is no heading', () => {
    expect(split('```\n# no\n```')).toMatchObject([{ headings: [], text: '# no' }]);
  });

  test('lists, tables and wrapped lines become one line for each item, row and paragraph', () => {
    const body =
      'A long line of prose\nthat was wrapped once\nor even twice.\n\n1. one\n2. two\n   - deep\n\n| A | B |\n|---|---|\n| x | y |';
    const [passage] = split(body);
    expect(passage?.lines.map((line) => [line.kind, line.marker, lineText(line)])).toEqual([
      ['prose', '', 'A long line of prose that was wrapped once or even twice.'],
      ['item', '1. ', 'one'],
      ['item', '2. ', 'two'],
      ['item', '  - ', 'deep'],
      ['row', '- ', 'A: x; B: y'],
    ]);
  });

  test('a ragged list of sentences keeps its lines', () => {
    const [passage] = split(
      'where is my order\ntrack\nI would like to know when my parcel arrives\nstatus please',
    );
    expect(passage?.lines).toHaveLength(4);
  });

  test('sentences end at marks, not at abbreviations or within links', () => {
    const [passage] = split(
      'It takes approx. 5 days, e.g. Monday. See [our page. Really](https://example.com). Done! 次です。終わり。',
    );
    expect(passage?.lines.flatMap((line) => line.sentences.map((sentence) => sentence.text))).toEqual([
      'It takes approx. 5 days, e.g. Monday.',
      'See our page. Really.',
      'Done!',
      '次です。',
      '終わり。',
    ]);
  });

  test('long sections are split between paragraphs, long paragraphs between sentences', () => {
    const sentence = 'This is a sentence of some length that repeats itself often enough.';
    const passages = split(
      `## A\n\n${Array(12).fill(sentence).join(' ')}\n\n${Array(40).fill(sentence).join(' ')}\n\nend`,
    );
    expect(passages.length).toBeGreaterThan(2);
    for (const passage of passages) {
      expect(passage.headings).toEqual(['A']);
      expect(passage.text.length).toBeLessThanOrEqual(1_100);
    }
    expect(
      passages
        .map(({ text }) => text)
        .join(' ')
        .match(/This is/g),
    ).toHaveLength(52);
    expect(
      passages
        .map(({ markdown }) => markdown)
        .join(' ')
        .match(/This is/g),
    ).toHaveLength(52);
  });

  test('an article without text is one empty passage', () => {
    expect(split('')).toMatchObject([{ title: 'Title', text: '', lines: [] }]);
    expect(split('## Only a heading')).toMatchObject([{ headings: ['Only a heading'], lines: [] }]);
  });

  test('HTML is text, and only safe absolute addresses stay links', () => {
    const [passage] = split(
      '<script>x</script> [a](javascript:alert(1)) [b](/relative) [c](mailto:a@example.com)',
    );
    const markdown = passage?.lines[0]?.sentences.map((sentence) => sentence.markdown).join('');
    expect(markdown).toContain('\\<script>');
    expect(markdown).not.toContain('](<javascript');
    expect(markdown).not.toContain('](</relative');
    expect(markdown).toContain('[c](<mailto:a@example.com>)');
  });

  test.each([
    ['dots', '.'.repeat(300_000)],
    ['brackets', '['.repeat(100_000)],
    ['quotes', '> '.repeat(50_000)],
    ['stars', '**a '.repeat(50_000)],
    ['links', '[a](b) `c`. Dd '.repeat(20_000)],
    ['broken characters', '\ud800\0\u202e'.repeat(1_000)],
  ])('hostile %s are split like anything else', (_, body) => {
    expect(split(body).length).toBeGreaterThan(0);
  });
});
