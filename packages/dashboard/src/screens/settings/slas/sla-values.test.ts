import { expect, test } from 'vitest';
import { durationText, minutesOf } from './sla-values.ts';

test.each([
  ['30', 30],
  ['30 min', 30],
  ['30m', 30],
  ['4 h', 240],
  ['4h', 240],
  ['1 h 30 min', 90],
  ['1h30', 90],
  ['2 Std.', 120],
  [' 45 MIN ', 45],
  ['', null],
])('%s is a time', (typed, minutes) => {
  expect(minutesOf(typed)).toBe(minutes);
  if (minutes) expect(minutesOf(durationText(minutes))).toBe(minutes);
});

test.each(['soon', '0', '-3', '4 d', '1.5 h', 'h', '1 h 2 h'])('%s is none', (typed) => {
  expect(minutesOf(typed)).toBeUndefined();
});
