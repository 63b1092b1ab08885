import { DAY_MS } from '@foyer/protocol/values/durations';
import { language, say } from './strings.ts';

type Options = Intl.DateTimeFormatOptions;

const CLOCK: Options = { timeStyle: 'short' };
const HOUR: Options = { hour: 'numeric', minute: '2-digit' };
const EXACT: Options = { dateStyle: 'medium', timeStyle: 'short' };
const DATE: Options = { dateStyle: 'medium' };
const WEEKDAY: Options = { weekday: 'long' };
const DAY: Options = { day: 'numeric', month: 'long' };
const DAY_AND_WEEKDAY: Options = { ...WEEKDAY, ...DAY };
const DAY_OF_YEAR: Options = { ...DAY_AND_WEEKDAY, year: 'numeric' };
const SHORT: Options = { day: 'numeric', month: 'short' };

/** Formatters of one language: creating one takes longer than drawing a message. */
const formats = new Map<Options, Intl.DateTimeFormat>();
let formatsOf: string | undefined;

/** The browser's own variant of the chat's language: the British write 14:05, Americans 2:05 PM. */
const locale = (): string =>
  navigator.languages.find((tag) => /^[\w-]+$/.test(tag) && tag.startsWith(language())) ?? language();

/** In the visitor's own language, region and zone. */
const written = (time: string | Date, options: Options): string => {
  if (formatsOf !== language()) formats.clear();
  formatsOf = language();
  const format = formats.get(options) ?? new Intl.DateTimeFormat(locale(), options);
  formats.set(options, format);
  return format.format(new Date(time));
};

export const clock = (utc: string): string => written(utc, CLOCK);

/** For use in a sentence: "9:00". */
export const hour = (utc: string): string => written(utc, HOUR);

export const exact = (utc: string): string => written(utc, EXACT);

export const date = (utc: string): string => written(utc, DATE);

/** Days from now in the visitor's calendar. Rounded, because a day with a clock change has 23 or 25 hours. */
export const daysUntil = (utc: string, now: Date): number => {
  const dayNumber = (time: string | Date) => new Date(time).setHours(0, 0, 0, 0);
  return Math.round((dayNumber(utc) - dayNumber(now)) / DAY_MS);
};

const WEEK_DAYS = 7;

/** The weekday within a week, otherwise the date. */
export const weekday = (utc: string, days: number): string => written(utc, days < WEEK_DAYS ? WEEKDAY : DAY);

export const day = (utc: string, now: Date = new Date()): string => {
  const days = daysUntil(utc, now);
  if (days === 0) return say('today');
  if (days === -1) return say('yesterday');
  const isThisYear = new Date(utc).getFullYear() === now.getFullYear();
  return written(utc, isThisYear ? DAY_AND_WEEKDAY : DAY_OF_YEAR);
};

/** For a list: the time if it is today, otherwise the date. */
export const short = (utc: string, now: Date = new Date()): string =>
  daysUntil(utc, now) === 0 ? clock(utc) : written(utc, SHORT);
