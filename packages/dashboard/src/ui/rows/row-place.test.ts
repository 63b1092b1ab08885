import { expect, test } from 'vitest';
import { rowsFrom } from './row-place.ts';

test('the focus of a removed row moves to the row in its place, or else to the nearest before it', () => {
  expect(rowsFrom(['a', 'b', 'c', 'd'], 2)).toEqual(['c', 'd', 'b', 'a']);
  expect(rowsFrom(['a', 'b'], 2)).toEqual(['b', 'a']);
  expect(rowsFrom([], 0)).toEqual([]);
});
