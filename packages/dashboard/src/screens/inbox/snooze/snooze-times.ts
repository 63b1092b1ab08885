import { HOUR_MS, MINUTE_MS } from '@foyer/protocol/values/durations';
import { readClock } from '../../../ui/forms/clock-text.ts';
import { t } from './t.ts';

/** The hour for a day without a time. */
const MORNING = 9;
const EVENING = 18;

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const UNITS: [RegExp, (at: Date, count: number) => Date][] = [
  [/^(m|mins?|minutes?)$/, (at, count) => new Date(at.getTime() + count * MINUTE_MS)],
  [/^(h|hrs?|hours?)$/, (at, count) => new Date(at.getTime() + count * HOUR_MS)],
  [/^(d|days?)$/, (at, count) => dayAfter(at, count)],
  [/^(w|wks?|weeks?)$/, (at, count) => dayAfter(at, 7 * count)],
  [/^(months?)$/, (at, count) => withMonths(at, count)],
];

/** By the calendar: the same time of day across a clock change. */
function dayAfter(at: Date, days: number): Date {
  const then = new Date(at);
  then.setDate(then.getDate() + days);
  return then;
}

/** The last day of a shorter month. */
function withMonths(at: Date, months: number): Date {
  const then = new Date(at);
  then.setDate(1);
  then.setMonth(then.getMonth() + months);
  const last = new Date(then.getFullYear(), then.getMonth() + 1, 0).getDate();
  then.setDate(Math.min(at.getDate(), last));
  return then;
}

const atTime = (day: Date, hour: number, minute = 0): Date =>
  new Date(day.getFullYear(), day.getMonth(), day.getDate(), hour, minute);

/** `in 3 hours`, `30 min`, `an hour`. */
function readLength(text: string, now: Date): Date | undefined {
  const found = /^(?:in )?(an?|\d{1,4}) ?([a-z]+)$/.exec(text);
  if (!found) return undefined;
  const [, count = '', unit = ''] = found;
  const step = UNITS.find(([words]) => words.test(unit))?.[1];
  return step?.(now, /^an?$/.test(count) ? 1 : Number(count));
}

const nextWeekday = (now: Date, day: number): Date => dayAfter(now, ((day - now.getDay() + 6) % 7) + 1);

function readMonthDay(text: string, now: Date): Date | undefined {
  const found = /^(?:(\d{1,2})\.? ([a-z]{3,9})|([a-z]{3,9}) (\d{1,2}))$/.exec(text);
  if (!found) return undefined;
  const name = found[2] ?? found[3] ?? '';
  const day = Number(found[1] ?? found[4]);
  const month = MONTHS.indexOf(name.slice(0, 3));
  if (month === -1) return undefined;
  const year = now.getFullYear();
  const then = new Date(year, month, day);
  if (then.getMonth() !== month || day < 1) return undefined;
  return atTime(then, 23, 59) < now ? new Date(year + 1, month, day) : then;
}

/** The day that a text names, and the hour if it includes one. */
function readDay(text: string, now: Date): { day: Date; hour: number } | undefined {
  const at = (day: Date | undefined, hour = MORNING) => day && { day, hour };
  if (text === 'today') return at(now, EVENING);
  if (text === 'tonight') return at(now, EVENING);
  if (text === 'tomorrow') return at(dayAfter(now, 1));
  if (text === 'next week') return at(nextWeekday(now, 1));
  if (text === 'next month') return at(withMonths(new Date(now.getFullYear(), now.getMonth(), 1), 1));
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (iso) {
    const day = new Date(Number(iso[1]), Number(iso[2]) - 1, Number(iso[3]));
    return day.getDate() === Number(iso[3]) ? at(day) : undefined;
  }
  const word = text.replace(/^(on|next) /, '');
  const weekday = word.length >= 3 ? DAYS.findIndex((name) => name.startsWith(word)) : -1;
  return weekday === -1 ? at(readMonthDay(word, now)) : at(nextWeekday(now, weekday));
}

/** `tomorrow 9:00`, `monday at 2pm`, or just a time today or tomorrow. */
function readMoment(text: string, now: Date): Date | undefined {
  const alone = readClock(text.replace(/^at /, ''));
  if (alone) {
    const today = atTime(now, alone.hour, alone.minute);
    return today > now ? today : dayAfter(today, 1);
  }
  const whole = readDay(text, now);
  if (whole) return atTime(whole.day, whole.hour);
  const found = /^(.+?)(?: at)? ([\d:.]+ ?(?:am|pm)?|noon|midnight)$/.exec(text);
  const day = found && readDay(found[1] ?? '', now);
  const clock = found && readClock(found[2] ?? '');
  return day && clock ? atTime(day.day, clock.hour, clock.minute) : undefined;
}

/** German words and their English counterparts below; whole words only. */
const GERMAN: Record<string, string> = {
  heute: 'today',
  'heute abend': 'tonight',
  morgen: 'tomorrow',
  'nächste woche': 'next week',
  'nächsten monat': 'next month',
  mittag: 'noon',
  mitternacht: 'midnight',
  um: 'at',
  am: 'on',
  nächsten: 'next',
  einer: 'an',
  einem: 'a',
  eine: 'an',
  minute: 'minute',
  minuten: 'minutes',
  std: 'hours',
  stunde: 'hour',
  stunden: 'hours',
  tag: 'day',
  tage: 'days',
  tagen: 'days',
  woche: 'week',
  wochen: 'weeks',
  monat: 'month',
  monate: 'months',
  monaten: 'months',
  montag: 'monday',
  dienstag: 'tuesday',
  mittwoch: 'wednesday',
  donnerstag: 'thursday',
  freitag: 'friday',
  samstag: 'saturday',
  sonnabend: 'saturday',
  sonntag: 'sunday',
  januar: 'january',
  februar: 'february',
  märz: 'march',
  mai: 'may',
  juni: 'june',
  juli: 'july',
  oktober: 'october',
  dezember: 'december',
  dez: 'dec',
};
const GERMAN_WORDS = new RegExp(
  `(?<!\\p{L})(?:${Object.keys(GERMAN)
    .toSorted((a, b) => b.length - a.length)
    .join('|')})(?!\\p{L})`,
  'gu',
);

/** `9 am` is a time, not the German `am`. */
const inEnglish = (text: string): string =>
  text
    .replace(/(\d) uhr\b/g, '$1')
    .replace(GERMAN_WORDS, (word, at: number) =>
      word === 'am' && /\d ?$/.test(text.slice(0, at)) ? word : (GERMAN[word] ?? word),
    );

/**
 * The end of a snooze typed in English or German: `in 3 hours`, `tomorrow 9:00`, `friday`, `24 dec at noon`.
 * @returns undefined for an unreadable text or a time in the past
 */
export function readSnooze(text: string, now: Date): Date | undefined {
  const words = inEnglish(text.trim().toLowerCase().replace(/\s+/g, ' '));
  const then = readLength(words, now) ?? readMoment(words, now);
  return then && then > now ? then : undefined;
}

/** Moves a weekend to the following Monday. */
const onWorkday = (day: Date): Date => (day.getDay() === 0 || day.getDay() === 6 ? nextWeekday(day, 1) : day);

interface SnoozeChoice {
  label: string;
  until: Date;
}

/** The usual choices in order of time; on a Sunday, tomorrow is Monday and listed once. */
export function snoozeChoices(now: Date): SnoozeChoice[] {
  const choices = [
    { label: t('snooze_3_hours'), until: new Date(now.getTime() + 3 * HOUR_MS) },
    { label: t('snooze_tomorrow'), until: atTime(dayAfter(now, 1), MORNING) },
    { label: t('snooze_monday'), until: atTime(nextWeekday(now, 1), MORNING) },
    { label: t('snooze_week'), until: atTime(onWorkday(dayAfter(now, 7)), MORNING) },
  ];
  const isFirst = ({ until }: SnoozeChoice, at: number): boolean =>
    choices.findIndex((one) => one.until.getTime() === until.getTime()) === at;
  return choices.filter(isFirst);
}
