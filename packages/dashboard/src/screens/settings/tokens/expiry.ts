import { DAY_MS } from '@foyer/protocol/values/durations';

/** How long a token works: for days from now, until a day, or without an end. */
export const EXPIRIES = ['never', '30', '90', '365', 'date'] as const;

export interface Expiry {
  expiry: (typeof EXPIRIES)[number];
  /** The last day on which it works, in this browser's time zone: `2027-01-31`. */
  date: string;
}

const WARN_MS = 7 * DAY_MS;

const twoDigits = (number: number): string => String(number).padStart(2, '0');

/** A time as a day of a date field. */
export function dayOfField(time: Date): string {
  return [time.getFullYear(), twoDigits(time.getMonth() + 1), twoDigits(time.getDate())].join('-');
}

/** A stored expiry as the form shows it. */
export const expiryShown = (utc: string | null): Expiry =>
  utc === null ? { expiry: 'never', date: '' } : { expiry: 'date', date: dayOfField(new Date(utc)) };

/** The form's expiry as the operation takes it: the end of the last day. */
export function expiryUtc({ expiry, date }: Expiry, now = Date.now()): string | null {
  if (expiry === 'never') return null;
  if (expiry === 'date') return new Date(`${date}T23:59:59`).toISOString();
  return new Date(now + Number(expiry) * DAY_MS).toISOString();
}

/** How near a token's end is. */
export function expiryState(utc: string | null, now: number): 'none' | 'later' | 'soon' | 'over' {
  if (utc === null) return 'none';
  const left = Date.parse(utc) - now;
  if (left <= 0) return 'over';
  return left <= WARN_MS ? 'soon' : 'later';
}
