import { beforeAll, expect, test } from 'vitest';
import { speak } from '../../../language.ts';
import { readSnooze, snoozeChoices } from './snooze-times.ts';

beforeAll(() => speak('en'));

/** A Tuesday, by the clocks of wherever this runs. */
const NOW = new Date(2026, 2, 10, 10, 30);
const read = (text: string): string | undefined => {
  const at = readSnooze(text, NOW);
  return at && `${at.getFullYear()}-${at.getMonth() + 1}-${at.getDate()} ${at.getHours()}:${at.getMinutes()}`;
};

test.each([
  ['in 3 hours', '2026-3-10 13:30'],
  ['3h', '2026-3-10 13:30'],
  ['in an hour', '2026-3-10 11:30'],
  ['30 min', '2026-3-10 11:0'],
  ['in 2 days', '2026-3-12 10:30'],
  ['a week', '2026-3-17 10:30'],
  ['1 month', '2026-4-10 10:30'],
  ['tomorrow', '2026-3-11 9:0'],
  ['Tomorrow  9:00', '2026-3-11 9:0'],
  ['tomorrow at 2pm', '2026-3-11 14:0'],
  ['tonight', '2026-3-10 18:0'],
  ['17:30', '2026-3-10 17:30'],
  ['9am', '2026-3-11 9:0'],
  ['friday', '2026-3-13 9:0'],
  ['fri 14.30', '2026-3-13 14:30'],
  ['tuesday', '2026-3-17 9:0'],
  ['next week', '2026-3-16 9:0'],
  ['next month', '2026-4-1 9:0'],
  ['24 dec at noon', '2026-12-24 12:0'],
  ['jan 5', '2027-1-5 9:0'],
  ['2026-04-01 8:15', '2026-4-1 8:15'],
  ['morgen um 9:00', '2026-3-11 9:0'],
  ['heute Abend', '2026-3-10 18:0'],
  ['in 3 Stunden', '2026-3-10 13:30'],
  ['in einer Woche', '2026-3-17 10:30'],
  ['am Freitag 14 Uhr', '2026-3-13 14:0'],
  ['nächste Woche', '2026-3-16 9:0'],
  ['24. Dezember um 12:00', '2026-12-24 12:0'],
  ['9 am', '2026-3-11 9:0'],
])('“%s” is %s', (text, expected) => {
  expect(read(text)).toBe(expected);
});

test.each([
  '',
  'soon',
  'yesterday',
  'today 9:00',
  '25:00',
  '13pm',
  '2026-02-30',
  '31 feb',
  'in 0 min',
  'next',
])('“%s” is no time to come', (text) => {
  expect(read(text)).toBeUndefined();
});

test('all choices are in the future, and in order of time on any day', () => {
  for (let day = 0; day < 7; day++) {
    const now = new Date(2026, 2, 8 + day, 10);
    const times = snoozeChoices(now).map(({ until }) => until.getTime());
    expect(Math.min(...times)).toBeGreaterThan(now.getTime());
    expect(times).toEqual([...new Set(times)].sort((one, other) => one - other));
  }
});

test('no choice of a whole week ends on a weekend', () => {
  for (let day = 0; day < 7; day++) {
    const last = snoozeChoices(new Date(2026, 2, 8 + day, 10))
      .at(-1)
      ?.until.getDay();
    expect([1, 2, 3, 4, 5]).toContain(last);
  }
});

test('a month from the last day of a long month ends on the last day of the next', () => {
  const januaryEnd = new Date(2026, 0, 31, 10, 30);
  expect(readSnooze('in a month', januaryEnd)).toEqual(new Date(2026, 1, 28, 10, 30));
  expect(readSnooze('in 2 months', januaryEnd)).toEqual(new Date(2026, 2, 31, 10, 30));
});
