import { z } from 'zod';
import { NAME_MAX, OFFICE_HOLIDAYS_MAX, OFFICE_INTERVALS_MAX } from '../values/bounds.ts';
import { text } from '../values.ts';

const isTimeZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
};

/** A name from the IANA database. A fixed offset such as `+02:00` has no daylight saving time. */
export const timeZone = text(1, 64).refine(
  (name) => /^[A-Za-z]/.test(name) && isTimeZone(name),
  'must be a time zone such as Europe/Berlin',
);

/** Wall-clock times. `24:00` is the end of a day; hours past midnight belong to the next day. */
const interval = z
  .strictObject({
    from: z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 09:00')
      .meta({ examples: ['09:00'] }),
    to: z
      .string()
      .regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, 'must be a time such as 17:30')
      .meta({ examples: ['17:30'] }),
  })
  .refine(({ from, to }) => from < to, {
    error: 'must end after it starts',
    params: { reason: 'order' },
  });
export type Interval = z.infer<typeof interval>;

const day = z
  .array(interval)
  .max(OFFICE_INTERVALS_MAX, `must be at most ${OFFICE_INTERVALS_MAX}`)
  .refine(
    (intervals) => intervals.every(({ from }, at) => at === 0 || from >= (intervals[at - 1]?.to ?? '')),
    { error: 'must be in order and must not overlap', params: { reason: 'overlap' } },
  );

const holiday = z.strictObject({
  date: z.iso.date('must be a date such as 2026-12-25').meta({ examples: ['2026-12-25'] }),
  name: text(1, NAME_MAX),
});
export type Holiday = z.infer<typeof holiday>;

/** Hours of each day of the week. */
export const weeklyHours = z.strictObject({
  monday: day,
  tuesday: day,
  wednesday: day,
  thursday: day,
  friday: day,
  saturday: day,
  sunday: day,
});
export type WeeklyHours = z.infer<typeof weeklyHours>;

/** A site's weekly hours and holidays, in the wall-clock time of its zone. */
export const officeHours = z.strictObject({
  time_zone: timeZone,
  weekly: weeklyHours,
  holidays: z
    .array(holiday)
    .max(OFFICE_HOLIDAYS_MAX, `must be at most ${OFFICE_HOLIDAYS_MAX}`)
    .refine((days) => new Set(days.map(({ date }) => date)).size === days.length, {
      error: 'must not repeat a date',
      params: { reason: 'twice' },
    })
    .default([]),
});
export type OfficeHours = z.infer<typeof officeHours>;
