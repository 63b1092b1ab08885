import { readHan } from './number-words.ts';

const HALF_DAY = /\s?([ap])\.?\s?m(?:\.|(?!\p{L}))/u.source;
const CLOCK = String.raw`\s?(?:uhr|uur)(?!\p{L})`;
const MINUTES = String.raw`(?::([0-5]\d)(?::[0-5]\d)?)`;

/** "2–5 pm": the first time has the sign of the second, or the other one if it would be later. */
const RANGE = new RegExp(
  String.raw`(?<![\d.,:])(\d{1,2})${MINUTES}?(\s?(?:-|–|—|to|until|till|bis|tot|and|und)\s?)(?=(\d{1,2})${MINUTES}?(?:${HALF_DAY}|(${CLOCK})))`,
  'gu',
);
/** What is surely a time of day: with a colon, or with a word. "24 h" is a duration. */
const TIMES: readonly RegExp[] = [
  new RegExp(String.raw`(?<![\d.,:])(\d{1,2})${MINUTES}?${HALF_DAY}`, 'gu'),
  new RegExp(String.raw`(?<![\d,:])(\d{1,2})[.:]([0-5]\d)()${CLOCK}`, 'gu'),
  new RegExp(String.raw`(?<![\d.,:])(\d{1,2})()()${CLOCK}`, 'gu'),
  new RegExp(String.raw`(?<![\d.,:])(\d{1,2})${MINUTES}()(?!\d)`, 'gu'),
  /(?<![\d.,:])(\d{1,2})h([0-5]\d)()(?!\d)/gu,
  /(?<![\d.,:])(\d{1,2})\s?[時点點](?!間|间)(?:\s?([0-5]?\d)\s?分)?()/gu,
];

/** Minutes since midnight; undefined for an invalid time. */
function minuteOf(hours: number, minutes: number, half: string | undefined): number | undefined {
  if (half === undefined || half === '') return hours <= 24 ? (hours % 24) * 60 + minutes : undefined;
  return hours >= 1 && hours <= 12 ? ((hours % 12) + (half === 'p' ? 12 : 0)) * 60 + minutes : undefined;
}

/** Adds the omitted sign of a range's first time after it. */
const withBothSigns = (text: string): string =>
  text.replace(RANGE, (...groups: (string | undefined)[]) => {
    const [whole = '', from = '', minutes, joint = '', to = '', , half, clock] = groups;
    if (clock !== undefined) return minutes === undefined ? `${from} uhr${joint}` : whole;
    const isBefore = Number(from) % 12 <= Number(to) % 12;
    const first = isBefore ? half : half === 'p' ? 'a' : 'p';
    return `${from}${minutes === undefined ? '' : `:${minutes}`} ${first}m${joint}`;
  });

/** "下午5点半", "午後五時30分": the half of the day, the hour, and its minutes or "half". */
const HALF_DAY_FIRST =
  /(?:(上午|早上|凌晨|午前)|下午|晚上|傍晚|午後)\s?(?:(\d{1,2})|([一二两三四五六七八九十]{1,3}))\s?(?::([0-5]\d)|[時时点點](?:\s?([0-5]?\d)\s?分|(半))?)/gu;

/** Moves a half of the day from before its time to after it, as in English. */
const withHalfDayBehind = (text: string): string =>
  text.replace(HALF_DAY_FIRST, (...groups: (string | undefined)[]) => {
    const [, isMorning, digits, han, colon, minutes, isHalf] = groups;
    const hour = digits ?? String(readHan(han ?? ''));
    const sign = Number(hour) > 12 ? '' : isMorning === undefined ? ' pm' : ' am';
    return `${hour}:${isHalf === undefined ? (colon ?? minutes ?? '0').padStart(2, '0') : '30'}${sign} `;
  });

/** Removes the times of day from a normal text. */
export function takeTimes(text: string, take: (written: string, minute: number) => string): string {
  return TIMES.reduce(
    (rest, pattern) =>
      rest.replace(pattern, (...groups: (string | undefined)[]) => {
        const [whole = '', hours, minutes, half] = groups;
        const minute = minuteOf(Number(hours), Number(minutes || 0), half);
        return minute === undefined ? whole : take(whole, minute);
      }),
    withBothSigns(withHalfDayBehind(text)),
  );
}
