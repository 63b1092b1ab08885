import { DAY_MS, HOUR_MS, MINUTE_MS } from '@foyer/protocol/values/durations';
import { locale } from './language.ts';
import { tCommon } from './t-common.ts';

const FORMATS = {
  full: { dateStyle: 'full', timeStyle: 'medium' },
  clock: { hour: 'numeric', minute: '2-digit' },
  moment: { weekday: 'short', day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' },
  day: { day: 'numeric', month: 'short' },
  day_of_year: { day: 'numeric', month: 'short', year: 'numeric' },
  day_counted: { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' },
  weekday: { weekday: 'long', day: 'numeric', month: 'long' },
  weekday_of_year: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

const made = new Map<string, Intl.DateTimeFormat>();

/** Each formatter is created once: that takes longer than the rest of a list's row. */
function written(time: number | Date, format: keyof typeof FORMATS, at: string): string {
  const key = `${at} ${format}`;
  let known = made.get(key);
  if (!known) {
    known = new Intl.DateTimeFormat(at, FORMATS[format]);
    made.set(key, known);
  }
  return known.format(time);
}

/** A duration in its largest sensible unit: `12 s`, `4 min`, `3 h`, `2 d`. */
export function lengthOf(ms: number): string {
  if (ms < MINUTE_MS) return tCommon('seconds', { number: Math.max(0, Math.floor(ms / 1000)) });
  if (ms < HOUR_MS) return tCommon('minutes', { number: Math.floor(ms / MINUTE_MS) });
  if (ms < DAY_MS) return tCommon('hours', { number: Math.floor(ms / HOUR_MS) });
  return tCommon('days', { number: Math.floor(ms / DAY_MS) });
}

/** The time this long ago, to the minute, so that reopening a list finds the cached one. */
export const timeBefore = (ms: number, nowMs: number): string =>
  new Date(Math.floor((nowMs - ms) / MINUTE_MS) * MINUTE_MS).toISOString();

/** How long ago, for lists: `now`, `4 min`, `3 h`, `2 d`, then the date. */
export function ago(utc: string, nowMs: number, at = locale()): string {
  const then = Date.parse(utc);
  const passed = nowMs - then;
  if (passed < MINUTE_MS) return tCommon('now');
  if (passed < 7 * DAY_MS) return lengthOf(passed);
  const sameYear = new Date(then).getFullYear() === new Date(nowMs).getFullYear();
  return written(then, sameYear ? 'day' : 'day_of_year', at);
}

/** The same for use in a sentence: `just now`, `4 min ago`, `on 3 Feb`. */
export function agoInWords(utc: string, nowMs: number, at = locale()): string {
  const passed = nowMs - Date.parse(utc);
  if (passed < MINUTE_MS) return tCommon('just_now');
  if (passed < HOUR_MS) return tCommon('ago_minutes', { count: Math.floor(passed / MINUTE_MS) });
  if (passed < DAY_MS) return tCommon('ago_hours', { count: Math.floor(passed / HOUR_MS) });
  if (passed < 7 * DAY_MS) return tCommon('ago_days', { count: Math.floor(passed / DAY_MS) });
  return tCommon('on_date', { date: ago(utc, nowMs, at) });
}

/** The exact time, for hovering. */
export const exact = (utc: string, at = locale()): string => written(Date.parse(utc), 'full', at);

/** A time in the future: `Fri 27 Nov, 09:00`. */
export const momentOf = (time: Date, at = locale()): string => written(time, 'moment', at);

/** The time of day. */
export const clock = (utc: string, at = locale()): string => written(Date.parse(utc), 'clock', at);

/** A day as a heading: `Today`, `Yesterday`, `Tuesday, 3 March`. */
export function dayName(utc: string, nowMs: number, at = locale()): string {
  const then = new Date(utc);
  const today = new Date(nowMs);
  const days = Math.round((startOfDay(today) - startOfDay(then)) / DAY_MS);
  if (days === 0) return tCommon('today');
  if (days === 1) return tCommon('yesterday');
  const sameYear = then.getFullYear() === today.getFullYear();
  return written(then, sameYear ? 'weekday' : 'weekday_of_year', at);
}

const startOfDay = (date: Date): number =>
  new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();

/** Whether two times are on the same day in the reader's time zone. */
export const sameDay = (left: string, right: string): boolean =>
  startOfDay(new Date(left)) === startOfDay(new Date(right));

/** A date without its time. */
export const dateOf = (utc: string, at = locale()): string => written(Date.parse(utc), 'day_of_year', at);

/** A day of a report, `2026-03-10`: the same in every time zone. */
export const dayOf = (day: string, at = locale()): string => written(Date.parse(day), 'day_counted', at);
