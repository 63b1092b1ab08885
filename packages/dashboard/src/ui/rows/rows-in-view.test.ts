import { expect, test } from 'vitest';
import { shiftOf } from './rows-in-view.ts';

const shift = (before: string, top: number, after: string): number =>
  shiftOf([...before], top, [...after], (row) => row);

test('rows added above shift the visible rows down by as many, and removed ones shift them up', () => {
  expect(shift('abcdefgh', 3, 'xyabcdefgh')).toBe(2);
  expect(shift('abcdefgh', 3, 'bcdefgh')).toBe(-1);
});

test('rows that are added or removed below shift nothing', () => {
  expect(shift('abcdefgh', 3, 'abcdefxgh')).toBe(0);
  expect(shift('abcdefgh', 3, 'abcdef')).toBe(0);
});

test('a row that moves to the top is not followed there', () => {
  expect(shift('abcdefgh', 3, 'dabcefgh')).toBe(0);
  expect(shift('abcdefgh', 3, 'eabcdfgh')).toBe(0);
  expect(shift('abcdefgh', 3, 'habcdefg')).toBe(1);
});

test('the position is not kept for another list', () => {
  expect(shift('abcdefgh', 3, 'stuvwxyz')).toBe(0);
  expect(shift('abcdefgh', 3, '')).toBe(0);
});
