import { takeAddresses } from './addresses.ts';
import { dateReaders, type FactDate } from './dates.ts';
import type { FactLanguage } from './fact-language.ts';
import { normalText } from './normal-text.ts';
import { spelledNumbers } from './number-words.ts';
import { NUMBER, readNumber } from './numbers.ts';
import { takeTimes } from './times.ts';
import { unitsOf } from './units.ts';

/** A statement of a text that can be right or wrong on its own. `text` is how it is written, in lower case. */
export type Fact = { readonly text: string } & (
  | { readonly kind: 'number'; readonly value: number }
  /** A percentage or an amount of money; the currencies that it may be in. */
  | { readonly kind: 'amount'; readonly value: number; readonly units: ReadonlySet<string> }
  /** A time of day, in minutes since midnight. */
  | { readonly kind: 'time'; readonly minute: number }
  /** The days that it may be: 3/4/2026 is one of two. */
  | { readonly kind: 'date'; readonly days: readonly FactDate[] }
  /** Letters with digits behind them, such as a voucher. */
  | { readonly kind: 'code' }
  /** A web or email address, without its scheme. */
  | { readonly kind: 'address' }
);

/** Replaces a removed fact, so that its neighbours stay separate. */
const TAKEN = ' · ';
const NUMBERS = new RegExp(NUMBER, 'gu');
const CODE = /(?<![\p{L}\p{N}])[a-zа-яіїєґα-ω]{1,30}\d[a-zа-яіїєґα-ω\d]{0,60}/gu;
const LIST_MARK = /^([ \t]*)(\d{1,2})[.)](?=\s)/;

/** Without the numbers that only count the items of a list. */
function withoutListMarks(text: string): string {
  let counted = 0;
  return text
    .split('\n')
    .map((line) => {
      const [mark = '', indent = '', number] = LIST_MARK.exec(line) ?? [];
      if (number === undefined) return line;
      const isNext = Number(number) === counted + 1 || Number(number) === 1;
      if (isNext) counted = Number(number);
      return isNext ? indent + line.slice(mark.length) : line;
    })
    .join('\n');
}

/**
 * All facts of a text.
 * @param strictly for a text to check: a number in words counts only if it surely is one. For known texts, each number
 *   also counts separately, whatever it is a part of.
 */
export function factsOf(text: string, language: FactLanguage, strictly: boolean): Fact[] {
  const { addresses, rest } = takeAddresses(text);
  const facts: Fact[] = addresses.map((address) => ({ kind: 'address', text: address }));
  const normal = normalText(strictly ? withoutListMarks(rest) : rest);
  const left = takeNumbers(takeAmounts(takeWhen(normal, language, facts), language, facts), facts);
  if (!strictly) takeNumbers(normal, facts);
  for (const { text: words, value } of spelledNumbers(left, language, strictly))
    facts.push({ kind: 'number', text: words, value });
  return facts;
}

/** Without the end of its sentence. */
const trimmed = (text: string): string => text.replace(/(?<![\s.,])[\s.,]+$/, '').trim();

/** Dates and times of day. */
function takeWhen(normal: string, language: FactLanguage, facts: Fact[]): string {
  let rest = normal;
  for (const [pattern, read] of dateReaders(language))
    rest = rest.replace(pattern, (whole: string, ...groups: (string | number | undefined)[]) => {
      const days = read(
        ...groups.slice(0, 3).map((group) => (group === undefined ? undefined : String(group))),
      );
      if (days.length === 0) return whole;
      facts.push({ kind: 'date', text: trimmed(whole), days });
      return TAKEN;
    });
  return takeTimes(rest, (whole, minute) => {
    facts.push({ kind: 'time', text: trimmed(whole), minute });
    return TAKEN;
  });
}

function takeAmounts(normal: string, language: FactLanguage, facts: Fact[]): string {
  const { pattern, meaning } = unitsOf(language);
  const take = (whole: string, number: string, unit: string): string => {
    facts.push({ kind: 'amount', text: whole.trim(), value: readNumber(number), units: meaning(unit) });
    return TAKEN;
  };
  const behind = new RegExp(String.raw`(?<![\d.,])(${NUMBER})[ \t-]?(${pattern})(?![\p{L}\p{M}])`, 'gu');
  const before = new RegExp(String.raw`(?<![\p{L}\p{M}])(${pattern})[ \t]?(${NUMBER})(?![\d])`, 'gu');
  return normal
    .replace(before, (whole: string, unit: string, number: string) => take(whole, number, unit))
    .replace(behind, (whole: string, number: string, unit: string) => take(whole, number, unit));
}

function takeNumbers(normal: string, facts: Fact[]): string {
  return normal
    .replace(CODE, (code) => {
      facts.push({ kind: 'code', text: code });
      return TAKEN;
    })
    .replace(NUMBERS, (number) => {
      facts.push({ kind: 'number', text: number, value: readNumber(number) });
      return TAKEN;
    });
}
