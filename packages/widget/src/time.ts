import { language, say } from './strings.ts';

/** In the visitor's own language and zone. */
export const clock = (utc: string): string =>
  new Date(utc).toLocaleTimeString(language(), { hour: '2-digit', minute: '2-digit' });

/** In a sentence: "9:00", as one says it. */
export const hour = (utc: string): string =>
  new Date(utc).toLocaleTimeString(language(), { hour: 'numeric', minute: '2-digit' });

export const exact = (utc: string): string =>
  new Date(utc).toLocaleString(language(), { dateStyle: 'medium', timeStyle: 'short' });

export const date = (utc: string): string =>
  new Date(utc).toLocaleDateString(language(), { dateStyle: 'medium' });

/** Whole days from now on the visitor's calendar. */
export const daysUntil = (utc: string, now: Date): number =>
  Math.round((dayNumber(new Date(utc)) - dayNumber(now)) / 86_400_000);

const WEEK_DAYS = 7;

/** The day's name within a week, else its date. */
export const weekday = (utc: string, days: number): string =>
  new Date(utc).toLocaleDateString(
    language(),
    days < WEEK_DAYS ? { weekday: 'long' } : { day: 'numeric', month: 'long' },
  );

const dayNumber = (date: Date): number => new Date(date).setHours(0, 0, 0, 0);

export const day = (utc: string, now: Date = new Date()): string => {
  const date = new Date(utc);
  // Rounded, as a day on which the clocks change is 23 or 25 hours long.
  const days = Math.round((dayNumber(now) - dayNumber(date)) / 86_400_000);
  if (days === 0) return say('today');
  if (days === 1) return say('yesterday');
  const year = date.getFullYear() === now.getFullYear() ? {} : ({ year: 'numeric' } as const);
  return date.toLocaleDateString(language(), { weekday: 'long', day: 'numeric', month: 'long', ...year });
};

/** For a list: the time today, else the date. */
export const short = (utc: string, now: Date = new Date()): string =>
  dayNumber(now) === dayNumber(new Date(utc))
    ? clock(utc)
    : new Date(utc).toLocaleDateString(language(), { day: 'numeric', month: 'short' });

export const minutesSince = (utc: string, now: number): number =>
  Math.max(0, Math.floor((now - Date.parse(utc)) / 60_000));
