import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitArticle } from './passages.ts';
import { buildIndex, SearchIndex } from './search-index.ts';

const ARTICLES = [
  {
    id: 1,
    title: 'Returns',
    body: 'Send it back within 30 days.\n\n## Cost\n\nReturns from Spain are free of charge.',
  },
  {
    id: 2,
    title: 'Delivery times',
    body: 'Parcels arrive in two days.\n\n## Express\n\nExpress parcels arrive tomorrow.',
  },
  { id: 3, title: 'Gift cards', body: 'A card is valid for three years.' },
  { id: 4, title: 'Rückgabe', body: 'Die Rückgabe ist in der Filiale möglich und kostet nichts.' },
];
const indexOf = (articles: typeof ARTICLES): SearchIndex => buildIndex(articles.flatMap(splitArticle));
const found = (index: SearchIndex, question: string): number[] =>
  index.search(question, 10).map((hit) => hit.passage.articleId);

describe('search', () => {
  const index = indexOf(ARTICLES);

  test.each([
    ['how do I return something', 1],
    ['delivery time', 2],
    ['how long is the gift card valid?', 3],
    ['is it possible to have it delivred tomorrow with expres', 2],
    ['RÜCKGABEN', 4],
    ['ruckgabe', 4],
  ])('%j finds article %i first', (question, id) => {
    expect(found(index, question)[0]).toBe(id);
  });

  test('returns the best matching passage, with its best sentence', () => {
    const [hit] = index.search('does it cost anything to return from Spain', 5);
    expect(hit?.passage.headings).toEqual(['Cost']);
    expect(hit?.passages[0]?.sentences[0]?.sentence.text).toBe('Returns from Spain are free of charge.');
    expect(hit?.passages).toHaveLength(2);
  });

  test('scores and coverage lie between 0 and 1', () => {
    for (const hit of index.search('returns returns gift card parcels tomorrow xyzzy', 10)) {
      for (const value of [hit.score, hit.coverage, hit.passages[0]?.coverage ?? -1]) {
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1);
      }
    }
  });

  test('unknown words lower the coverage', () => {
    const plain = index.search('gift cards', 1)[0]?.coverage ?? 0;
    const padded = index.search('gift cards zebra quagga', 1)[0]?.coverage ?? 1;
    expect(plain).toBe(1);
    expect(padded).toBeLessThan(0.7);
  });

  test('each article is found once, at most as many as requested', () => {
    const ids = found(index, 'returns parcels express card');
    expect(new Set(ids).size).toBe(ids.length);
    expect(index.search('returns parcels express card', 1)).toHaveLength(1);
  });

  test.each(['', '   ', '???', '😀', '\0\ud800', 'xyzzy'])('%j finds nothing', (question) => {
    expect(found(index, question)).toEqual([]);
  });

  test('only the first 1,000 characters of a question count', () => {
    expect(found(index, `${'x '.repeat(500)} gift card`)).toEqual([]);
    expect(found(index, `gift card ${'word '.repeat(20_000)}`)[0]).toBe(3);
  });

  test('an empty index finds nothing', () => {
    expect(found(new SearchIndex(), 'anything')).toEqual([]);
  });

  test('Chinese and Japanese are found by pairs of characters', () => {
    const eastern = indexOf([
      { id: 1, title: '返品について', body: '商品は三十日以内に返品できます。' },
      { id: 2, title: '配送', body: '通常二日でお届けします。' },
    ]);
    expect(found(eastern, '返品したい')[0]).toBe(1);
    expect(found(eastern, 'いつ届く？お届け日')[0]).toBe(2);
  });
});

describe('updating', () => {
  test('a changed article is found by its new words alone', () => {
    const index = indexOf(ARTICLES);
    index.add(splitArticle({ id: 3, title: 'Vouchers', body: 'They never expire.' }));
    expect(found(index, 'gift card')).toEqual([]);
    expect(found(index, 'voucher')).toEqual([3]);
    expect(index.articleCount).toBe(4);
  });

  test('a removed article is not found, and removing it twice is no error', () => {
    const index = indexOf(ARTICLES);
    index.remove(2);
    index.remove(2);
    expect(found(index, 'express parcels')).toEqual([]);
    expect(index.has(2)).toBe(false);
  });

  test('articles that are saved repeatedly need no more room', () => {
    const index = indexOf(ARTICLES);
    const room = index.room;
    for (const article of [...ARTICLES, ...ARTICLES, ...ARTICLES]) index.add(splitArticle(article));
    expect(index.room).toBe(room);
  });

  test('after any additions and removals it answers like a fresh index', () => {
    const step = fc.tuple(fc.nat({ max: 5 }), fc.constantFrom(...ARTICLES), fc.boolean());
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const worn = new SearchIndex();
        const kept = new Map<number, (typeof ARTICLES)[number]>();
        for (const [id, article, stays] of steps) {
          if (stays) kept.set(id, { ...article, id });
          else kept.delete(id);
          if (stays) worn.add(splitArticle({ ...article, id }));
          else worn.remove(id);
        }
        const fresh = indexOf([...kept.values()]);
        const scores = (index: SearchIndex): [number, string][] =>
          index
            .search('return parcels express card Rückgabe valid', 10)
            .map((hit): [number, string] => [hit.passage.articleId, hit.score.toFixed(9)])
            .sort(([a], [b]) => a - b);
        expect(scores(worn)).toEqual(scores(fresh));
      }),
      { numRuns: 200 },
    );
  });
});
