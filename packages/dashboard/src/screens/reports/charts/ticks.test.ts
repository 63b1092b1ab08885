import { expect, test } from 'vitest';
import { countTicks, durationTicks, labelledBars } from './ticks.ts';

test.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [5, [0, 2, 4, 6]],
  [17, [0, 5, 10, 15, 20]],
  [40, [0, 10, 20, 30, 40]],
  [41, [0, 20, 40, 60]],
  [98_765, [0, 50_000, 100_000]],
])('an axis up to %i has round whole numbers', (most, ticks) => {
  expect(countTicks(most)).toEqual(ticks);
});

const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400];
test.each([
  [0, [0, 1]],
  [45, [0, 15, 30, 45]],
  [61, [0, 30, 60, 90]],
  [9 * MINUTE, [0, 5 * MINUTE, 10 * MINUTE]],
  [5 * HOUR, [0, 2 * HOUR, 4 * HOUR, 6 * HOUR]],
  [47 * HOUR, [0, 12 * HOUR, 24 * HOUR, 36 * HOUR, 48 * HOUR]],
  [30 * DAY, [0, 10 * DAY, 20 * DAY, 30 * DAY]],
])('an axis up to %i seconds has steps that a clock knows', (most, ticks) => {
  expect(durationTicks(most)).toEqual(ticks);
});

test.each([
  [1, 300, [0]],
  [7, 300, [0, 2, 4, 6]],
  [7, 1_000, [0, 1, 2, 3, 4, 5, 6]],
  [30, 1_000, [0, 3, 6, 9, 12, 15, 18, 21, 24, 27]],
  [90, 300, [0, 28, 56, 84]],
  [120, 0, [0]],
  [0, 300, []],
])('of %i bars on %i pixels as many have a label as there is room for', (count, width, labelled) => {
  expect(labelledBars(count, width)).toEqual(labelled);
});
