/** Replaces a redacted text. */
export const REDACTED = '[redacted]';

/** A shorter text is only redacted in the chosen message: elsewhere it would match ordinary words. */
const COPIED_MIN_CHARS = 4;
/** How much of a text must be left before an excerpt's end to be recognised as its beginning. */
const CUT_MIN_CHARS = 4;
/** Differences between copies: white space, quotation marks of emails, markdown. */
const IGNORED = /[\s\p{Cf}*_`#<>[\]|\\~"“”„«»]/u;

/** A text without what copies change, in lower case, and where each of its units is in the text. */
interface Letters {
  units: string;
  at: number[];
}

function lettersOf(text: string): Letters {
  const at: number[] = [];
  let units = '';
  let index = 0;
  for (const char of text) {
    if (!IGNORED.test(char)) {
      const lower = char.toLowerCase();
      const kept = lower.length === char.length ? lower : char;
      units += kept;
      for (let unit = 0; unit < kept.length; unit++) at.push(index + unit);
    }
    index += char.length;
  }
  return { units, at };
}

/** A text to be found in others, whatever white space, case and markdown they give it. */
export interface Needle {
  readonly units: string;
  /** By length of a match so far: the longest shorter one that goes on from there (Knuth, Morris and Pratt). */
  readonly shorter: readonly number[];
}

/** Undefined for a text that is only white space and signs. */
export function needleOf(text: string): Needle | undefined {
  const { units } = lettersOf(text);
  if (units === '') return undefined;
  const shorter = [0, 0];
  for (let at = 1, length = 0; at < units.length; at++) {
    while (length > 0 && units[at] !== units[length]) length = shorter[length] ?? 0;
    if (units[at] === units[length]) length++;
    shorter.push(length);
  }
  return { units, shorter };
}

interface Place {
  from: number;
  to: number;
}

/** Where a text has the needle, and with `cut` also where an excerpt ends in the middle of it. Takes linear time. */
function placesIn(text: string, { units: wanted, shorter }: Needle, cut: boolean): Place[] {
  const { units, at } = lettersOf(text);
  const places: Place[] = [];
  const add = (end: number, length: number): void => {
    places.push({ from: at[end - length + 1] ?? 0, to: (at[end] ?? 0) + 1 });
  };
  for (let index = 0, length = 0; index < units.length; index++) {
    while (length > 0 && units[index] !== wanted[length]) length = shorter[length] ?? 0;
    if (units[index] === wanted[length]) length++;
    const isEnd = index === units.length - 1 || units[index + 1] === '…';
    if (length === wanted.length || (cut && isEnd && length >= CUT_MIN_CHARS)) {
      add(index, length);
      length = 0;
    }
  }
  return places;
}

/** Whether a text has the needle. */
export const contains = (text: string, needle: Needle): boolean => placesIn(text, needle, false).length > 0;

/**
 * Replaces each place of the needle.
 * @param cut whether the text may be an excerpt, which ends in the middle of the needle
 */
export function redactAll(text: string, needle: Needle, cut = false): string {
  let redacted = '';
  let from = 0;
  for (const place of placesIn(text, needle, cut)) {
    redacted += text.slice(from, place.from) + REDACTED;
    from = place.to;
  }
  return from === 0 ? text : redacted + text.slice(from);
}

/** Replaces the needle in a copy. Of a very short text only a copy that consists of it. */
export function redactCopy(text: string, needle: Needle, cut = false): string {
  if (needle.units.length >= COPIED_MIN_CHARS) return redactAll(text, needle, cut);
  return lettersOf(text).units === needle.units ? REDACTED : text;
}

/** The same for all texts within a JSON value. */
export function redactJson(value: unknown, needle: Needle, cut = false): unknown {
  if (typeof value === 'string') return redactCopy(value, needle, cut);
  if (Array.isArray(value)) return value.map((item) => redactJson(item, needle, cut));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redactJson(item, needle, cut)]));
}
