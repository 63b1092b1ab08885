import type { OfficeHours } from '../sites/office-hours.ts';
import { DAY_MS, MINUTE_MS } from './durations.ts';

export const WEEKDAYS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** The largest offset from UTC, plus a margin to catch a clock change at midnight. */
const FARTHEST_MS = 15 * 60 * MINUTE_MS;
/** Hours that don't begin within this many days have no next opening. */
const DAYS_AHEAD = 400;

/** Minutes since midnight on the wall clock. */
export const minuteOfDay = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  formatters.set(zone, made);
  return made;
}

/** The wall-clock time at a moment (ms), encoded as if it were UTC, to read dates and minutes from. */
export function wallClock(zone: string, at: number): number {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
  for (const { type, value } of formatterOf(zone).formatToParts(at)) parts[type] = value;
  const { year, month, day, hour, minute, second } = parts;
  return Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
    ((at % 1000) + 1000) % 1000,
  );
}

/** Midnight of a wall-clock time's day. */
const dayOf = (wall: number): number => Math.floor(wall / DAY_MS) * DAY_MS;

/** The date of a wall-clock time: `2026-12-24`. */
export const dateShown = (wall: number): string => new Date(wall).toISOString().slice(0, 10);

function intervalsOn({ weekly, holidays }: OfficeHours, wall: number) {
  const date = dateShown(wall);
  if (holidays.some((holiday) => holiday.date === date)) return [];
  // 1970-01-01 was a Thursday.
  const weekday = WEEKDAYS[(Math.floor(wall / DAY_MS) + 3) % 7];
  return weekday ? weekly[weekday] : [];
}

/** Whether the wall clock is within office hours. An hour that occurs twice in autumn is open twice. */
export function isOpen(hours: OfficeHours, at: Date): boolean {
  const wall = wallClock(hours.time_zone, at.getTime());
  const minute = (wall % DAY_MS) / MINUTE_MS;
  return intervalsOn(hours, wall).some(
    ({ from, to }) => minute >= minuteOfDay(from) && minute < minuteOfDay(to),
  );
}

/**
 * The time between two moments that is within office hours, in ms of wall-clock time, also around a clock change.
 */
export function openTimeBetween(hours: OfficeHours, from: Date, to: Date): number {
  const start = wallClock(hours.time_zone, from.getTime());
  const end = wallClock(hours.time_zone, to.getTime());
  let open = 0;
  for (let midnight = dayOf(start); midnight < end; midnight += DAY_MS) {
    for (const interval of intervalsOn(hours, midnight)) {
      const opens = midnight + minuteOfDay(interval.from) * MINUTE_MS;
      const closes = midnight + minuteOfDay(interval.to) * MINUTE_MS;
      open += Math.max(0, Math.min(end, closes) - Math.max(start, opens));
    }
  }
  return open;
}

/** The first moment with the later offset, between two moments with one clock change between them. */
function changeOfClocks(zone: string, before: number, after: number): number {
  const offset = (at: number): number => wallClock(zone, at) - at;
  const old = offset(before);
  let [low, high] = [before, after];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offset(middle) === old) low = middle;
    else high = middle;
  }
  return high;
}

/**
 * The moments at which intervals of this day may begin or end: by the wall clock before and after a clock change, and
 * at the change itself if the clock jumps into or out of an interval. Some of them belong to adjacent days.
 */
function edges(hours: OfficeHours, midnight: number, side: 'from' | 'to'): number[] {
  const zone = hours.time_zone;
  const [before, after] = [midnight - FARTHEST_MS, midnight + DAY_MS + FARTHEST_MS];
  const [early, late] = [wallClock(zone, before) - before, wallClock(zone, after) - after];
  const shown = intervalsOn(hours, midnight).map((one) => midnight + minuteOfDay(one[side]) * MINUTE_MS);
  if (early === late) return shown.map((wall) => wall - early);
  return [changeOfClocks(zone, before, after), ...shown.flatMap((wall) => [wall - early, wall - late])];
}

/** The next opening; null while it is open, and if it doesn't open within a year. */
export function nextOpening(hours: OfficeHours, at: Date): Date | null {
  if (isOpen(hours, at)) return null;
  const dayAt = (moment: number): number => dayOf(wallClock(hours.time_zone, moment));
  const today = dayAt(at.getTime());
  for (let ahead = 0; ahead <= DAYS_AHEAD; ahead++) {
    const day = today + ahead * DAY_MS;
    const [next] = edges(hours, day, 'from')
      .filter((moment) => moment > at.getTime() && dayAt(moment) === day && isOpen(hours, new Date(moment)))
      .toSorted((a, b) => a - b);
    if (next !== undefined) return new Date(next);
  }
  return null;
}

/** The next closing while it is open; null if it stays open for a year. */
function nextClosing(hours: OfficeHours, at: Date): Date | null {
  const today = dayOf(wallClock(hours.time_zone, at.getTime()));
  for (let ahead = 0; ahead <= DAYS_AHEAD; ahead++) {
    const [next] = edges(hours, today + ahead * DAY_MS, 'to')
      .filter((moment) => moment > at.getTime() && !isOpen(hours, new Date(moment)))
      .toSorted((a, b) => a - b);
    if (next !== undefined) return new Date(next);
  }
  return null;
}

/** When it opens or closes next; null if it does neither within a year. */
export const nextChange = (hours: OfficeHours, at: Date): Date | null =>
  isOpen(hours, at) ? nextClosing(hours, at) : nextOpening(hours, at);

/** The first moment at which the wall clock shows this time or, where a clock change skips it, a later one. */
function momentOf(zone: string, wall: number): number {
  const [before, after] = [wall - FARTHEST_MS, wall + FARTHEST_MS];
  const [early, late] = [wallClock(zone, before) - before, wallClock(zone, after) - after];
  const shown = [wall - early, wall - late].filter((moment) => wallClock(zone, moment) === wall);
  return shown.length === 0 ? changeOfClocks(zone, before, after) : Math.min(...shown);
}

/**
 * The moment by which so much time within office hours has passed, as `openTimeBetween` counts it: what is due two
 * hours after a Friday evening is due on Monday morning. Null if the hours never open.
 */
export function openTimeAfter(hours: OfficeHours, from: Date, ms: number): Date | null {
  if (ms <= 0) return from;
  const start = wallClock(hours.time_zone, from.getTime());
  let left = ms;
  let closedDays = 0;
  for (let midnight = dayOf(start); closedDays <= DAYS_AHEAD; midnight += DAY_MS) {
    closedDays += 1;
    for (const interval of intervalsOn(hours, midnight)) {
      const opens = Math.max(start, midnight + minuteOfDay(interval.from) * MINUTE_MS);
      const open = midnight + minuteOfDay(interval.to) * MINUTE_MS - opens;
      if (open <= 0) continue;
      closedDays = 0;
      if (open >= left) return new Date(Math.max(from.getTime(), momentOf(hours.time_zone, opens + left)));
      left -= open;
    }
  }
  return null;
}
