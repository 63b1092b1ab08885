import { DAY_MS } from '@foyer/protocol/values/durations';
import { dateShown, wallClock } from '@foyer/protocol/values/office-clock';

/** The last days in a time zone, including today. */
export function lastDays(count: number, timeZone: string, nowMs: number): { from: string; to: string } {
  const today = wallClock(timeZone, nowMs);
  return { from: dateShown(today - (count - 1) * DAY_MS), to: dateShown(today) };
}
