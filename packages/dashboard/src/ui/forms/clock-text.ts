import { locale } from '../../language.ts';

interface Clock {
  hour: number;
  minute: number;
}

/** `9`, `9:30`, `9am`, `17.30`, `noon`; in lower case. */
export function readClock(text: string): Clock | undefined {
  if (text === 'noon') return { hour: 12, minute: 0 };
  if (text === 'midnight') return { hour: 0, minute: 0 };
  const found = /^(\d{1,2})(?:[:.](\d{2}))? ?(am|pm)?$/.exec(text);
  if (!found) return undefined;
  const [, hours = '', minutes = '0', half] = found;
  const given = Number(hours);
  if (half && (given < 1 || given > 12)) return undefined;
  const hour = half ? (given % 12) + (half === 'pm' ? 12 : 0) : given;
  const minute = Number(minutes);
  return hour < 24 && minute < 60 ? { hour, minute } : undefined;
}

const twoDigits = (number: number): string => String(number).padStart(2, '0');

/** A typed time of day, `9`, `9:30 a.m.` or `17 Uhr`, as `09:30`; undefined if it isn't one. */
export function readTimeOfDay(written: string): string | undefined {
  const text = written
    .trim()
    .toLowerCase()
    .replace(/ ?uhr$/, '')
    .replace(/\s/, ' ')
    .replace(/([ap])\.?m\.?$/, '$1m');
  const clock = readClock(text);
  return clock && `${twoDigits(clock.hour)}:${twoDigits(clock.minute)}`;
}

/** `09:30` in the desk's usual format. A browser's own time field would use the browser's language. */
export const timeOfDay = (clock: string, at = locale()): string =>
  new Intl.DateTimeFormat(at, { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' }).format(
    Date.parse(`1970-01-01T${clock}Z`),
  );
