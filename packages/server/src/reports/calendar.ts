import { dateShown, type OfficeHours, openTimeBetween, wallClock } from '@foyer/protocol';
import { HOUR_MS } from '@foyer/protocol/values/durations';

/** Days and hours as a site's wall clock shows them. */
export interface Calendar {
  readonly timeZone: string;
  dayOf(time: Date): string;
  hourOf(time: Date): number;
  /** Null where the site has no office hours. */
  openSecondsBetween(from: Date, to: Date): number | null;
}

export function createCalendar(timeZone: string, hours: OfficeHours | null): Calendar {
  return {
    timeZone,
    dayOf: (time) => dateShown(wallClock(timeZone, time.getTime())),
    hourOf: (time) => Math.floor(wallClock(timeZone, time.getTime()) / HOUR_MS) % 24,
    openSecondsBetween: (from, to) => (hours ? openTimeBetween(hours, from, to) / 1000 : null),
  };
}

export const secondsBetween = (from: Date, to: Date): number =>
  Math.max(0, (to.getTime() - from.getTime()) / 1000);
