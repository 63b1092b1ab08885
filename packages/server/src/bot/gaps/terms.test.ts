import { expect, test } from 'vitest';
import { groupOf, termsOf } from './terms.ts';

test.each([
  ['Do you ship to Norway?', ['norway', 'ship']],
  ['shipping to NORWAY, please!', ['norway', 'ship']],
  ['Liefert ihr nach Norwegen?', ['liefert', 'norweg']],
  ['who are you', ['are', 'who', 'you']],
  ['???', []],
])('%s is about %j', (question, terms) => {
  expect(termsOf(question)).toEqual(terms);
});

test('an endless question has few terms', () => {
  expect(termsOf('word'.repeat(9_000)).length).toBe(1);
  expect(termsOf(Array.from({ length: 900 }, (_, at) => `word${at}`).join(' ')).length).toBe(20);
});

test('similar questions are one group, whatever else they say', () => {
  const groups = [
    { id: 1, terms: termsOf('Do you ship to Norway?') },
    { id: 2, terms: termsOf('Can I pay with bitcoin?') },
  ];
  const of = (question: string) => groupOf(termsOf(question), groups)?.id;
  expect(of('how long does shipping to Norway take')).toBe(1);
  expect(of('is paying by bitcoin possible')).toBe(2);
  expect(of('Do you ship to Sweden?')).toBeUndefined();
  expect(of('???')).toBeUndefined();
});

test('of two equally similar groups, the older one gets the question', () => {
  const groups = [
    { id: 9, terms: ['a', 'b'] },
    { id: 3, terms: ['a', 'c'] },
  ];
  expect(groupOf(['a'], groups)?.id).toBe(3);
});
