import { expect, test } from 'vitest';
import { shiftOf } from './rows-in-view.ts';

const shift = (before: string, top: number, after: string): number =>
  shiftOf([...before], top, [...after], (row) => row);

test('rows that come in above push on what is read by as many, and those that go pull it back', () => {
  expect(shift('abcdefgh', 3, 'xyabcdefgh')).toBe(2);
  expect(shift('abcdefgh', 3, 'bcdefgh')).toBe(-1);
});

test('what comes in or goes below moves nothing', () => {
  expect(shift('abcdefgh', 3, 'abcdefxgh')).toBe(0);
  expect(shift('abcdefgh', 3, 'abcdef')).toBe(0);
});

test('a row that moves to the top is not followed there', () => {
  expect(shift('abcdefgh', 3, 'dabcefgh')).toBe(0);
  expect(shift('abcdefgh', 3, 'eabcdfgh')).toBe(0);
  expect(shift('abcdefgh', 3, 'habcdefg')).toBe(1);
});

test('another list has nothing of this one’s place', () => {
  expect(shift('abcdefgh', 3, 'stuvwxyz')).toBe(0);
  expect(shift('abcdefgh', 3, '')).toBe(0);
});
