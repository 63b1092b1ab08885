const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A length of time in the largest unit that says enough: `12 s`, `4 min`, `3 h`, `2 d`. */
export function lengthOf(ms: number): string {
  if (ms < MINUTE) return `${Math.max(0, Math.floor(ms / SECOND))} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h`;
  return `${Math.floor(ms / DAY)} d`;
}

/** How long ago, for lists: `now`, `4 min`, `3 h`, `2 d`, then the date. */
export function ago(utc: string, nowMs: number, locale?: string): string {
  const then = Date.parse(utc);
  const passed = nowMs - then;
  if (passed < MINUTE) return 'now';
  if (passed < 7 * DAY) return lengthOf(passed);
  const sameYear = new Date(then).getFullYear() === new Date(nowMs).getFullYear();
  return new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    ...(sameYear ? {} : { year: 'numeric' }),
  }).format(then);
}

/** The same within a sentence: `just now`, `4 min ago`, `on 3 Feb`. */
export function agoInWords(utc: string, nowMs: number, locale?: string): string {
  const passed = nowMs - Date.parse(utc);
  if (passed < MINUTE) return 'just now';
  return passed < 7 * DAY ? `${lengthOf(passed)} ago` : `on ${ago(utc, nowMs, locale)}`;
}

/** The exact time, for hovering. */
export const exact = (utc: string, locale?: string): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'medium' }).format(Date.parse(utc));

/** The time of day. */
export const clock = (utc: string, locale?: string): string =>
  new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' }).format(Date.parse(utc));

/** A day as a heading: `Today`, `Yesterday`, `Tuesday, 3 March`. */
export function dayName(utc: string, nowMs: number, locale?: string): string {
  const then = new Date(utc);
  const today = new Date(nowMs);
  const days = Math.round((startOfDay(today) - startOfDay(then)) / DAY);
  if (days === 0) return 'Today';
  if (days === 1) return 'Yesterday';
  return new Intl.DateTimeFormat(locale, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(then.getFullYear() === today.getFullYear() ? {} : { year: 'numeric' }),
  }).format(then);
}

const startOfDay = (date: Date): number =>
  new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();

/** Whether two times fall on one day where the reader is. */
export const sameDay = (left: string, right: string): boolean =>
  startOfDay(new Date(left)) === startOfDay(new Date(right));

/** A date without its time. */
export const dateOf = (utc: string, locale?: string): string =>
  new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' }).format(
    Date.parse(utc),
  );
