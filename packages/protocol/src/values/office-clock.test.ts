import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type OfficeHours, officeHours } from '../sites/office-hours.ts';
import {
  isOpen,
  minuteOfDay,
  nextChange,
  nextOpening,
  openTimeAfter,
  openTimeBetween,
  WEEKDAYS,
} from './office-clock.ts';

type Weekly = OfficeHours['weekly'];
const NONE: Weekly = {
  monday: [],
  tuesday: [],
  wednesday: [],
  thursday: [],
  friday: [],
  saturday: [],
  sunday: [],
};
const every = (...intervals: Weekly['monday']): Weekly =>
  ({ ...NONE, ...Object.fromEntries(WEEKDAYS.map((day) => [day, intervals])) }) as Weekly;
const hoursIn = (time_zone: string, weekly: Partial<Weekly>, holidays: OfficeHours['holidays'] = []) =>
  officeHours.parse({ time_zone, weekly: { ...NONE, ...weekly }, holidays });

const open = (hours: OfficeHours, utc: string): boolean => isOpen(hours, new Date(utc));
const next = (hours: OfficeHours, utc: string): string | undefined =>
  nextOpening(hours, new Date(utc))?.toISOString();

const OFFICE = hoursIn(
  'Europe/Berlin',
  {
    monday: [
      { from: '09:00', to: '12:00' },
      { from: '13:00', to: '17:30' },
    ],
    friday: [{ from: '09:00', to: '12:00' }],
  },
  [{ date: '2026-06-15', name: 'Works outing' }],
);

test('it is open within an interval, from its first moment to before its last', () => {
  expect(open(OFFICE, '2026-06-01T06:59:59.999Z')).toBe(false);
  expect(open(OFFICE, '2026-06-01T07:00:00Z')).toBe(true);
  expect(open(OFFICE, '2026-06-01T09:59:59.999Z')).toBe(true);
  expect(open(OFFICE, '2026-06-01T10:00:00Z')).toBe(false);
  expect(open(OFFICE, '2026-06-01T15:29:00Z')).toBe(true);
});

test('it opens next after the break, on another day, and after a holiday', () => {
  expect(next(OFFICE, '2026-06-01T10:15:00Z')).toBe('2026-06-01T11:00:00.000Z');
  expect(next(OFFICE, '2026-06-01T16:00:00Z')).toBe('2026-06-05T07:00:00.000Z');
  expect(open(OFFICE, '2026-06-15T08:00:00Z')).toBe(false);
  expect(next(OFFICE, '2026-06-12T20:00:00Z')).toBe('2026-06-19T07:00:00.000Z');
});

test('a holiday is a calendar day in the team’s time zone, however far that is from UTC', () => {
  const day = { ...every({ from: '00:00', to: '24:00' }) };
  const christmas = [{ date: '2026-12-25', name: 'Christmas Day' }];
  const auckland = hoursIn('Pacific/Auckland', day, christmas);
  expect(open(auckland, '2026-12-24T10:59:00Z')).toBe(true);
  expect(open(auckland, '2026-12-24T11:00:00Z')).toBe(false);
  expect(next(auckland, '2026-12-25T10:00:00Z')).toBe('2026-12-25T11:00:00.000Z');
  const losAngeles = hoursIn('America/Los_Angeles', day, christmas);
  expect(open(losAngeles, '2026-12-25T07:59:00Z')).toBe(true);
  expect(open(losAngeles, '2026-12-25T08:00:00Z')).toBe(false);
  expect(next(losAngeles, '2026-12-25T20:00:00Z')).toBe('2026-12-26T08:00:00.000Z');
});

test('there is no next opening while it is open, or if it never opens', () => {
  expect(next(OFFICE, '2026-06-01T08:00:00Z')).toBeUndefined();
  expect(next(hoursIn('Europe/Berlin', {}), '2026-06-01T08:00:00Z')).toBeUndefined();
});

test('the same wall clock is another moment in summer than in winter', () => {
  expect(open(OFFICE, '2026-01-05T07:30:00Z')).toBe(false);
  expect(next(OFFICE, '2026-01-05T07:30:00Z')).toBe('2026-01-05T08:00:00.000Z');
  // The clocks go forward on Sunday 29 March 2026.
  expect(next(OFFICE, '2026-03-27T12:00:00Z')).toBe('2026-03-30T07:00:00.000Z');
});

test('an opening in the hour that is skipped in spring is at the change of clocks', () => {
  const night = hoursIn('Europe/Berlin', { sunday: [{ from: '02:30', to: '04:00' }] });
  expect(next(night, '2026-03-28T22:00:00Z')).toBe('2026-03-29T01:00:00.000Z');
  const gone = hoursIn('Europe/Berlin', { sunday: [{ from: '02:10', to: '02:50' }] });
  expect(next(gone, '2026-03-28T22:00:00Z')).toBe('2026-04-05T00:10:00.000Z');
});

test('the hour that occurs twice in autumn is open twice', () => {
  const night = hoursIn('Europe/Berlin', { sunday: [{ from: '02:15', to: '02:45' }] });
  expect(next(night, '2026-10-24T22:00:00Z')).toBe('2026-10-25T00:15:00.000Z');
  expect(open(night, '2026-10-25T00:50:00Z')).toBe(false);
  expect(next(night, '2026-10-25T00:50:00Z')).toBe('2026-10-25T01:15:00.000Z');
});

test('hours over midnight continue on the next day, and a full day has no gap at midnight', () => {
  const always = hoursIn('Asia/Kathmandu', every({ from: '00:00', to: '24:00' }));
  for (const utc of ['2026-06-01T18:14:59Z', '2026-06-01T18:15:00Z']) expect(open(always, utc)).toBe(true);
});

test('clock changes at midnight, by half an hour or by a full day are correct too', () => {
  const morning = every({ from: '00:15', to: '01:00' });
  // Lebanon leaves out 00:00 to 01:00, Lord Howe half an hour, Samoa left out 30 December 2011.
  expect(next(hoursIn('Asia/Beirut', morning), '2026-03-28T21:00:00Z')).toBe('2026-03-29T21:15:00.000Z');
  const howe = hoursIn('Australia/Lord_Howe', every({ from: '02:15', to: '03:00' }));
  expect(next(howe, '2026-10-03T14:00:00Z')).toBe('2026-10-03T15:30:00.000Z');
  const samoa = hoursIn('Pacific/Apia', { friday: [{ from: '09:00', to: '17:00' }] });
  expect(next(samoa, '2011-12-28T00:00:00Z')).toBe('2012-01-05T19:00:00.000Z');
});

const clock = fc
  .integer({ min: 0, max: 95 })
  .map(
    (quarter) =>
      `${String(Math.floor(quarter / 4)).padStart(2, '0')}:${String((quarter % 4) * 15).padStart(2, '0')}`,
  );
const dayOf = fc.uniqueArray(clock, { maxLength: 6 }).map((times) => {
  const sorted = times.toSorted();
  return sorted.flatMap((from, at) => {
    const to = sorted[at + 1] ?? '24:00';
    return at % 2 === 0 ? [{ from, to }] : [];
  });
});

const OVER_CHANGES = fc.constantFrom(
  ['Europe/Berlin', '2026-03-27T12:00:00Z'],
  ['Europe/Berlin', '2026-10-23T12:00:00Z'],
  ['America/New_York', '2026-03-06T12:00:00Z'],
  ['America/New_York', '2026-10-30T12:00:00Z'],
  ['Asia/Beirut', '2026-03-27T00:00:00Z'],
  ['Africa/Casablanca', '2026-02-13T12:00:00Z'],
  ['Australia/Lord_Howe', '2026-04-03T00:00:00Z'],
  ['Asia/Kathmandu', '2026-06-01T00:00:00Z'],
);
const MINUTES = fc.integer({ min: 0, max: 2 * 24 * 60 });

test('the next change is the first minute that differs from now, whatever the hours and clock changes', () => {
  fc.assert(
    fc.property(OVER_CHANGES, MINUTES, dayOf, dayOf, ([zone = '', start = ''], skip, odd, even) => {
      const hours = hoursIn(zone, {
        ...every(...odd),
        ...{ tuesday: even, thursday: even, saturday: even },
      });
      const at = Date.parse(start) + skip * 60_000;
      const found = nextChange(hours, new Date(at));
      const now = isOpen(hours, new Date(at));
      const until = Math.min(found?.getTime() ?? Number.POSITIVE_INFINITY, at + 2 * 24 * 60 * 60_000);
      for (let minute = at; minute < until; minute += 60_000 * 15)
        expect(isOpen(hours, new Date(minute))).toBe(now);
      if (found) expect(isOpen(hours, found)).toBe(!now);
      if (found) expect(isOpen(hours, new Date(found.getTime() - 1))).toBe(now);
    }),
    { numRuns: 60 },
  );
});

test('round-the-clock hours never close, and adjacent intervals close once', () => {
  const change = (hours: OfficeHours, utc: string): string | undefined =>
    nextChange(hours, new Date(utc))?.toISOString();
  expect(
    change(hoursIn('Europe/Berlin', every({ from: '00:00', to: '24:00' })), '2026-06-01T08:00:00Z'),
  ).toBe(undefined);
  const touching = every({ from: '09:00', to: '12:00' }, { from: '12:00', to: '17:00' });
  expect(change(hoursIn('UTC', touching), '2026-06-01T10:00:00Z')).toBe('2026-06-01T17:00:00.000Z');
  expect(change(OFFICE, '2026-06-14T10:00:00Z')).toBe('2026-06-19T07:00:00.000Z');
});

test('the next opening is the first open minute, whatever the hours and clock changes', () => {
  fc.assert(
    fc.property(OVER_CHANGES, MINUTES, dayOf, dayOf, ([zone = '', start = ''], skip, odd, even) => {
      const hours = hoursIn(zone, {
        ...every(...odd),
        ...{ tuesday: even, thursday: even, saturday: even },
      });
      const at = Date.parse(start) + skip * 60_000;
      const found = nextOpening(hours, new Date(at));
      if (isOpen(hours, new Date(at))) {
        expect(found).toBeNull();
        return;
      }
      const until = Math.min(found?.getTime() ?? Number.POSITIVE_INFINITY, at + 2 * 24 * 60 * 60_000);
      for (let minute = at; minute < until; minute += 60_000 * 15)
        expect(isOpen(hours, new Date(minute))).toBe(false);
      if (found) expect(isOpen(hours, found)).toBe(true);
    }),
    { numRuns: 60 },
  );
});

test('a clock change on a later day does not precede that day’s opening', () => {
  const day = [{ from: '00:00', to: '03:15' }];
  const hours = hoursIn('Europe/Berlin', { friday: day, sunday: day });
  expect(nextOpening(hours, new Date('2026-03-27T12:00:00Z'))).toEqual(new Date('2026-03-28T23:00:00Z'));
});

test('hours that overlap, end before they begin, or have an unknown time zone are refused', () => {
  const refused = (change: object): boolean => !officeHours.safeParse({ ...OFFICE, ...change }).success;
  const monday = (...intervals: object[]) => ({ weekly: { ...NONE, monday: intervals } });
  expect(refused(monday({ from: '09:00', to: '12:00' }, { from: '11:00', to: '13:00' }))).toBe(true);
  expect(refused(monday({ from: '13:00', to: '14:00' }, { from: '09:00', to: '10:00' }))).toBe(true);
  expect(refused(monday({ from: '12:00', to: '12:00' }))).toBe(true);
  expect(refused(monday({ from: '9:00', to: '12:00' }))).toBe(true);
  expect(refused({ time_zone: 'Europe/Atlantis' })).toBe(true);
  expect(refused({ time_zone: '+02:00' })).toBe(true);
  const twice = [
    { date: '2026-12-25', name: 'One' },
    { date: '2026-12-25', name: 'Two' },
  ];
  expect(refused({ holidays: twice })).toBe(true);
  expect(minuteOfDay('24:00')).toBe(1440);
});

test('of the time between two moments only the part within the hours counts', () => {
  const minutes = (from: string, to: string): number =>
    openTimeBetween(OFFICE, new Date(from), new Date(to)) / 60_000;
  expect(minutes('2026-06-01T07:30:00Z', '2026-06-01T08:00:00Z')).toBe(30);
  // Over the midday break, and from a Monday's evening to the Friday.
  expect(minutes('2026-06-01T09:30:00Z', '2026-06-01T11:30:00Z')).toBe(60);
  expect(minutes('2026-06-01T15:00:00Z', '2026-06-05T07:10:00Z')).toBe(40);
  // A holiday, and the wrong way round.
  expect(minutes('2026-06-15T06:00:00Z', '2026-06-15T16:00:00Z')).toBe(0);
  expect(minutes('2026-06-01T08:00:00Z', '2026-06-01T07:30:00Z')).toBe(0);
});

const HOUR_MS = 3_600_000;
const afterOpen = (hours: OfficeHours, utc: string, ms: number): string | undefined =>
  openTimeAfter(hours, new Date(utc), ms)?.toISOString();

test('open time passes only within office hours, over lunch, nights, holidays and weekends', () => {
  // A Monday, from 11:30 in Berlin.
  expect(afterOpen(OFFICE, '2026-06-01T09:30:00Z', 0.5 * HOUR_MS)).toBe('2026-06-01T10:00:00.000Z');
  expect(afterOpen(OFFICE, '2026-06-01T09:30:00Z', HOUR_MS)).toBe('2026-06-01T11:30:00.000Z');
  expect(afterOpen(OFFICE, '2026-06-01T09:30:00Z', 6 * HOUR_MS)).toBe('2026-06-05T08:00:00.000Z');
  // Before it opens; and a Friday evening before a Monday that is a holiday.
  expect(afterOpen(OFFICE, '2026-06-01T01:00:00Z', HOUR_MS)).toBe('2026-06-01T08:00:00.000Z');
  expect(afterOpen(OFFICE, '2026-06-12T16:00:00Z', HOUR_MS)).toBe('2026-06-19T08:00:00.000Z');
  expect(afterOpen(OFFICE, '2026-06-12T16:00:00Z', 0)).toBe('2026-06-12T16:00:00.000Z');
  expect(openTimeAfter(hoursIn('UTC', {}), new Date(), 1)).toBeNull();
});

test('around a clock change, open time passes as the wall clock shows it', () => {
  const nights = hoursIn('Europe/Berlin', every({ from: '00:00', to: '06:00' }));
  // 2026-03-29: 02:00 becomes 03:00. 2026-10-25: 03:00 becomes 02:00.
  expect(afterOpen(nights, '2026-03-29T00:00:00Z', 3 * HOUR_MS)).toBe('2026-03-29T02:00:00.000Z');
  expect(afterOpen(nights, '2026-03-29T00:00:00Z', 1.5 * HOUR_MS)).toBe('2026-03-29T01:00:00.000Z');
  expect(afterOpen(nights, '2026-10-24T23:00:00Z', 3 * HOUR_MS)).toBe('2026-10-25T03:00:00.000Z');
});

test('openTimeAfter is the inverse of openTimeBetween', () => {
  const hours = { ...OFFICE, time_zone: 'Asia/Kolkata' };
  fc.assert(
    fc.property(
      fc.date({ min: new Date('2026-01-01'), max: new Date('2026-12-01'), noInvalidDate: true }),
      fc.integer({ min: 1, max: 100 * HOUR_MS }),
      (from, ms) => {
        const due = openTimeAfter(hours, from, ms);
        expect(due && openTimeBetween(hours, from, due)).toBe(ms);
        expect(due && openTimeBetween(hours, from, new Date(due.getTime() - 1))).toBe(ms - 1);
      },
    ),
  );
});
