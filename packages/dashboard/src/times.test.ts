import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { speak } from './language.ts';
import { ago, agoInWords, dayName, dayOf, lengthOf, sameDay } from './times.ts';

beforeAll(() => speak('en'));
afterEach(() => vi.unstubAllEnvs());

const NOW = new Date(2026, 2, 10, 12, 0, 0).getTime();
const before = (ms: number): string => new Date(NOW - ms).toISOString();
const MIN = 60_000;
const HOUR = 60 * MIN;
const DAY = 24 * HOUR;

test('a moment ago is now, and a clock that runs ahead gives no negative time', () => {
  expect(ago(before(20_000), NOW)).toBe('now');
  expect(ago(before(-5 * MIN), NOW)).toBe('now');
});

test('a time within a week is a duration in its largest unit', () => {
  expect(ago(before(4 * MIN + 59_000), NOW)).toBe('4 min');
  expect(ago(before(3 * HOUR), NOW)).toBe('3 h');
  expect(ago(before(2 * DAY), NOW)).toBe('2 d');
});

test('within a sentence a time says “ago” or “on”', () => {
  expect(agoInWords(before(20_000), NOW)).toBe('just now');
  expect(agoInWords(before(4 * MIN), NOW)).toBe('4 min ago');
  expect(agoInWords(new Date(2026, 1, 3).toISOString(), NOW, 'en-GB')).toBe('on 3 Feb');
});

test('an older time is a date, with the year if it isn’t the current one', () => {
  expect(ago(new Date(2026, 1, 3).toISOString(), NOW, 'en-GB')).toBe('3 Feb');
  expect(ago(new Date(2024, 1, 3).toISOString(), NOW, 'en-GB')).toBe('3 Feb 2024');
});

test('a duration has only whole units', () => {
  expect(lengthOf(0)).toBe('0 s');
  expect(lengthOf(-10)).toBe('0 s');
  expect(lengthOf(59_999)).toBe('59 s');
  expect(lengthOf(2 * MIN + 30_000)).toBe('2 min');
});

test('days are named by the calendar of the reader, not by 24 hours', () => {
  const lateYesterday = new Date(2026, 2, 9, 23, 59).toISOString();
  expect(dayName(lateYesterday, NOW)).toBe('Yesterday');
  expect(dayName(new Date(2026, 2, 10, 0, 1).toISOString(), NOW)).toBe('Today');
  expect(dayName(new Date(2026, 2, 3, 9, 0).toISOString(), NOW, 'en-GB')).toContain('3 March');
  expect(sameDay(lateYesterday, new Date(NOW).toISOString())).toBe(false);
});

test('the days of 23 and 25 hours at a change of clocks are named correctly too', () => {
  vi.stubEnv('TZ', 'Europe/Berlin');
  for (const [month, day] of [
    [2, 29],
    [9, 25],
  ] as const) {
    const changed = new Date(2026, month, day, 20).toISOString();
    const noonAfter = (days: number) => new Date(2026, month, day + days, 12).getTime();
    expect(dayName(changed, noonAfter(0))).toBe('Today');
    expect(dayName(changed, noonAfter(1))).toBe('Yesterday');
    expect(dayName(changed, noonAfter(2), 'en-GB')).toContain(`${day}`);
  }
});

test('a calendar day of a report is the same day west and east of Greenwich', () => {
  for (const zone of ['America/Los_Angeles', 'Pacific/Auckland']) {
    vi.stubEnv('TZ', zone);
    expect(dayOf('2026-03-10', 'en-GB')).toBe('10 Mar 2026');
  }
});
