/** A match and its replacement. */
export interface Span {
  start: number;
  end: number;
  shown: string;
}

/** Zeros of the digits that people type: ASCII, full-width, Arabic, Persian, Devanagari. */
const ZEROS = [0x30, 0xff10, 0x660, 0x6f0, 0x966];

/** The digit there, of any script that people type. @returns -1 for anything else */
export function digitAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  const zero = ZEROS.find((first) => code >= first && code < first + 10);
  return zero === undefined ? -1 : code - zero;
}

/** Of any script. */
export const isLetter = (char: string): boolean => /\p{L}/u.test(char);
/** Whether there is a letter or digit, so that a match beginning or ending beside it is part of a word. */
export const isWordAt = (text: string, at: number): boolean =>
  digitAt(text, at) >= 0 || (at >= 0 && at < text.length && isLetter(text.charAt(at)));
/** Between the groups of a number. */
export const isGap = (char: string): boolean => /[\s.\-\u2010-\u2015]/u.test(char);

/**
 * Lengths by the first digits, from ISO/IEC 7812 as the networks publish them: Visa, Mastercard, American Express,
 * Diners Club, Discover, JCB, UnionPay, Maestro, Mir.
 */
function isCardLength(digits: string): boolean {
  const four = Number(digits.slice(0, 4));
  const two = Math.floor(four / 100);
  const is = (...lengths: number[]): boolean => lengths.includes(digits.length);
  const isLong = digits.length >= 16;
  if (digits.startsWith('4')) return is(13, 16, 19);
  if ((two >= 51 && two <= 55) || (four >= 2221 && four <= 2720)) return is(16);
  if (two === 34 || two === 37) return is(15);
  if ((four >= 3000 && four <= 3059) || two === 36 || two === 38 || two === 39) return digits.length >= 14;
  if (four === 6011 || (four >= 6440 && four <= 6499) || two === 65 || two === 62) return isLong;
  if ((four >= 3528 && four <= 3589) || (four >= 2200 && four <= 2204)) return isLong;
  return two === 50 || (two >= 56 && two <= 58) || four === 6304 || two === 67;
}

/** The check digit of ISO/IEC 7812. */
function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let at = digits.length - 1, doubles = false; at >= 0; at--, doubles = !doubles) {
    const value = Number(digits[at]) * (doubles ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}

/** Without a look of its own, such as a zero-width space or a soft hyphen: it comes along when a number is copied. */
export const isInvisible = (char: string): boolean => /\p{Cf}/u.test(char);
/** Commas aren't among them: lists of numbers would look like one. */
const isBetweenGroups = (char: string): boolean =>
  isGap(char) || /[/_+|·*~`]/.test(char) || isInvisible(char);
const SPACE_IN_URL = '%20';
/** Enough for markup around each group: `** **`. */
const GAP_MAX = 5;

/** Where a number continues after a separator between two of its characters; the same place without one. */
function afterGap(text: string, at: number): number {
  let to = at;
  while (to < text.length && to - at < GAP_MAX) {
    if (text.startsWith(SPACE_IN_URL, to)) to += SPACE_IN_URL.length;
    else if (isBetweenGroups(text.charAt(to))) to++;
    else break;
  }
  return to;
}

/** Reads digits with gaps between them. @returns where each of them ends */
function readDigits(text: string, start: number, max: number): { digits: string; ends: number[] } {
  let digits = '';
  const ends: number[] = [];
  for (let at = start; digits.length < max; at = afterGap(text, at + 1)) {
    const digit = digitAt(text, at);
    if (digit < 0) break;
    digits += digit;
    ends.push(at + 1);
  }
  return { digits, ends };
}

const CARD_MIN = 13;
const CARD_MAX = 19;

/** The card number that begins there. */
export function cardAt(text: string, start: number): Span | undefined {
  if (digitAt(text, start) < 0 || isWordAt(text, start - 1)) return undefined;
  const { digits, ends } = readDigits(text, start, CARD_MAX);
  for (let length = digits.length; length >= CARD_MIN; length--) {
    const card = digits.slice(0, length);
    const end = ends[length - 1] ?? 0;
    if (isCardLength(card) && passesLuhn(card) && !isWordAt(text, end))
      return { start, end, shown: `•••• ${card.slice(-4)}` };
  }
  return undefined;
}

/** Of the SWIFT registry: the length of account numbers, and the countries that have it. Other words would pass the check digits by chance. */
const IBAN_LENGTHS: Readonly<Record<number, string>> = {
  15: 'NO',
  16: 'BE',
  18: 'DK FI FK FO GL NL SD',
  19: 'MK SI',
  20: 'AT BA EE KZ LT LU MN XK',
  21: 'CH HR LI LV',
  22: 'BG BH CR DE GB GE IE ME RS VA',
  23: 'AE GI IL IQ OM SO TL',
  24: 'AD CZ ES MD PK RO SA SE SK TN VG',
  25: 'LY PT ST',
  26: 'IS TR',
  27: 'BI DJ FR GR IT MC MR SM',
  28: 'AL AZ BY CY DO GT HN HU LB NI PL SV',
  29: 'BR EG PS QA UA',
  30: 'JO KW MU YE',
  31: 'MT SC',
  32: 'LC',
  33: 'RU',
};
const LENGTH_OF = new Map(
  Object.entries(IBAN_LENGTHS).flatMap(([length, countries]) =>
    countries.split(' ').map((country) => [country, Number(length)] as const),
  ),
);

/** The remainder of ISO 7064, which is 1 for a valid IBAN. */
function ibanRemainder(iban: string): number {
  let remainder = 0;
  for (const char of iban.slice(4) + iban.slice(0, 4))
    for (const digit of String(Number.parseInt(char, 36))) remainder = (remainder * 10 + Number(digit)) % 97;
  return remainder;
}

/** The account number that begins there. */
export function ibanAt(text: string, start: number): Span | undefined {
  if (isWordAt(text, start - 1) || !/^[A-Za-z]{2}\d{2}/.test(text.slice(start, start + 4))) return undefined;
  const length = LENGTH_OF.get(text.slice(start, start + 2).toUpperCase()) ?? 0;
  let iban = '';
  let end = start;
  for (let at = start; iban.length < length; at = afterGap(text, end)) {
    const char = text.charAt(at);
    if (!/[A-Za-z0-9]/.test(char)) return undefined;
    iban += char.toUpperCase();
    end = at + 1;
  }
  if (length === 0 || isWordAt(text, end) || ibanRemainder(iban) !== 1) return undefined;
  return { start, end, shown: `•••• ${iban.slice(-4)}` };
}
