import { DAY_MS, DAY_S, HOUR_S, MINUTE_S } from '@foyer/protocol/values/durations';
import { locale } from '../../../language.ts';
import { tCommon } from '../../../t-common.ts';
import { t } from '../t.ts';

/** A little more than a sure figure: `1.5 min`, `12 min`; from ten on without a fraction. */
const short = (number: number): number => (number < 10 ? Math.round(number * 10) / 10 : Math.round(number));

/** A measured duration: `45 s`, `1.5 min`, `12 h`. */
export function duration(seconds: number): string {
  if (seconds < MINUTE_S) return tCommon('seconds', { number: Math.round(seconds) });
  if (seconds < HOUR_S) return tCommon('minutes', { number: short(seconds / MINUTE_S) });
  if (seconds < DAY_S) return tCommon('hours', { number: short(seconds / HOUR_S) });
  return tCommon('days', { number: short(seconds / DAY_S) });
}

/** The same, for a duration that may be missing. */
export const durationOrNone = (seconds: number | null): string =>
  seconds === null ? '—' : duration(seconds);

/** A day of a report, which has no time zone. */
export const dayShort = (day: string): string =>
  new Intl.DateTimeFormat(locale(), { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(
    Date.parse(day),
  );

/** A day with its weekday and year. */
export const dayLong = (day: string): string =>
  new Intl.DateTimeFormat(locale(), {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(Date.parse(day));

/** 1: Monday. 2024-01-01 was one. */
export const weekdayName = (weekday: number, width: 'long' | 'short'): string =>
  new Intl.DateTimeFormat(locale(), { weekday: width, timeZone: 'UTC' }).format(Date.UTC(2024, 0, weekday));

/** An hour of the day in the agent's language. */
export const hourName = (hour: number): string =>
  new Intl.DateTimeFormat(locale(), { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' }).format(
    Date.UTC(2024, 0, 1, hour),
  );

/** An average with one decimal. */
export const average = (number: number | null): string =>
  number === null
    ? '—'
    : new Intl.NumberFormat(locale(), { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(number);

/** A share of a whole in percent. */
export const percentOf = (part: number, all: number): number =>
  all === 0 ? 0 : Math.round((part / all) * 100);

interface Days {
  from: string;
  to: string;
}

/** How many days a report covers. */
export const daysIn = ({ from, to }: Days): number => (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;

/** From this ratio on, a multiple is easier to read than a percentage. */
const TIMES_FROM = 3;

/** The change from the previous period: `up 12% from the previous period`. */
export function changeWords(now: number, earlier: number): string {
  if (earlier === 0) return t('change_none');
  if (now / earlier >= TIMES_FROM) return t('change_times', { times: Math.round(now / earlier) });
  const percent = Math.round(Math.abs(now / earlier - 1) * 100);
  if (percent === 0) return t('change_same');
  return t(now > earlier ? 'change_more' : 'change_less', { percent });
}

/** More days than this are grouped by week: their bars would be too thin. */
const BARS_MAX = 120;

export interface Point {
  readonly day: string;
  /** Null: no measurement. */
  readonly parts: readonly (number | null)[];
}

/** The days, or their sums by weeks starting on Monday. */
export function readablePoints(days: readonly Point[]): { weekly: boolean; points: Point[] } {
  if (days.length <= BARS_MAX) return { weekly: false, points: [...days] };
  const monday = (day: string): string => {
    const time = Date.parse(day);
    return new Date(time - ((new Date(time).getUTCDay() + 6) % 7) * DAY_MS).toISOString().slice(0, 10);
  };
  const weeks = Map.groupBy(days, ({ day }) => monday(day));
  const points = [...weeks].map(([day, own]) => ({
    day,
    parts: (own[0]?.parts ?? []).map((_, at) => own.reduce((sum, { parts }) => sum + (parts[at] ?? 0), 0)),
  }));
  return { weekly: true, points };
}
