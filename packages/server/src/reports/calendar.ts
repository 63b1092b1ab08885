import { dateShown, type OfficeHours, openTimeBetween, wallClock } from '@foyer/protocol';
import { HOUR_MS } from '@foyer/protocol/values/durations';

/** Days and hours in a site's time zone. */
export interface Calendar {
  readonly timeZone: string;
  dayOf(time: Date): string;
  hourOf(time: Date): number;
  /** Null for a site without office hours. */
  openSecondsBetween(from: Date, to: Date): number | null;
}

/** Days are `YYYY-MM-DD`, hours 0 to 23. `timeZone` is an IANA name. */
export function createCalendar(timeZone: string, hours: OfficeHours | null): Calendar {
  return {
    timeZone,
    dayOf: (time) => dateShown(wallClock(timeZone, time.getTime())),
    hourOf: (time) => Math.floor(wallClock(timeZone, time.getTime()) / HOUR_MS) % 24,
    openSecondsBetween: (from, to) => (hours ? openTimeBetween(hours, from, to) / 1000 : null),
  };
}

/** 0 if `to` is before `from`, which can happen if two processes' clocks differ. */
export const secondsBetween = (from: Date, to: Date): number =>
  Math.max(0, (to.getTime() - from.getTime()) / 1000);
