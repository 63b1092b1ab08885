import { expect, test } from 'vitest';
import { splitArticle } from '../../knowledge/search/passages.ts';
import { buildIndex } from '../../knowledge/search/search-index.ts';
import { candidatesOf, MEASURE_NAMES } from './likelihood.ts';
import { WEIGHTS } from './likelihood-weights.generated.ts';

const index = buildIndex(
  ['Lamps have a warranty of three years.', 'Parcels arrive within two days.', 'We open at nine.'].flatMap(
    (body, id) => splitArticle({ id: id + 1, title: `Article ${id}`, body }),
  ),
);
const likely = (question: string): number[] =>
  candidatesOf(index.search(question, 5)).map(({ probability }) => probability);

test('the probabilities of all articles and of none of them add up to 1', () => {
  const all = likely('how long is the warranty on lamps, and when do parcels arrive?');
  expect(all.length).toBeGreaterThan(1);
  for (const one of all) expect(one).toBeGreaterThanOrEqual(0);
  expect(all.reduce((sum, one) => sum + one, 0)).toBeLessThan(1);
});

test('an article that has all of a question is likelier than one that has half of it', () => {
  const [all = 0] = likely('warranty of lamps');
  const [half = 0] = likely('warranty of elephants');
  expect(all).toBeGreaterThan(half);
});

test('a better match never makes an article less likely', () => {
  for (const { measures } of Object.values(WEIGHTS))
    for (const name of MEASURE_NAMES) expect(measures[name]).toBeGreaterThanOrEqual(0);
});

test('without a hit there is no candidate', () => {
  expect(candidatesOf([])).toEqual([]);
});
