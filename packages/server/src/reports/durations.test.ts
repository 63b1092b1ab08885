import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lowerEdge, quantileOf, stepOf } from './durations.ts';

const countSteps = (lengths: readonly number[]) =>
  [...Map.groupBy(lengths, stepOf)].map(([step, own]) => ({ step, count: own.length }));

const aLength = fc.integer({ min: 1, max: 90 * 86_400 });

test('a median of any lengths is within 9 % of the exact one', () => {
  fc.assert(
    fc.property(
      fc.array(aLength, { minLength: 1, maxLength: 200 }),
      fc.constantFrom(0.5, 0.9),
      (lengths, q) => {
        const exact = lengths.toSorted((a, b) => a - b)[Math.ceil(q * lengths.length) - 1] ?? 0;
        const found = quantileOf(countSteps(lengths), q) ?? 0;
        expect(Math.abs(found - exact)).toBeLessThanOrEqual(exact * 0.0906 + 0.5);
      },
    ),
  );
});

test('a step begins at its lower edge', () => {
  for (let step = 0; step < 200; step++) expect(stepOf(lowerEdge(step) + 1e-6)).toBe(step);
  // The whole seconds that lie on an edge: 1, 2, 4, 8 …
  for (let seconds = 1; seconds < 4 * 365 * 86_400; seconds *= 2) {
    expect(lowerEdge(stepOf(seconds))).toBe(seconds);
    expect(stepOf(seconds - 1e-6)).toBe(Math.max(0, stepOf(seconds) - 1));
  }
});

test('without values there is no median, and nothing is shorter than a second or longer than four years', () => {
  expect(quantileOf([], 0.5)).toBeNull();
  expect(stepOf(0)).toBe(0);
  expect(stepOf(-5)).toBe(0);
  expect(stepOf(1e12)).toBe(stepOf(1e11));
});
