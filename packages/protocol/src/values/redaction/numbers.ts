/** What is replaced, and by what. */
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
/** Whether a letter or digit stands there, so that what begins or ends beside it is part of a word. */
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

/** Reads digits with at most one gap between two of them. @returns where each of them ends */
function readDigits(text: string, start: number, max: number): { digits: string; ends: number[] } {
  let digits = '';
  const ends: number[] = [];
  for (let at = start; at < text.length && digits.length < max; at++) {
    const digit = digitAt(text, at);
    if (digit >= 0) {
      digits += digit;
      ends.push(at + 1);
    } else if (!isGap(text.charAt(at)) || digitAt(text, at + 1) < 0) break;
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

const IBAN_MIN = 15;
const IBAN_MAX = 34;

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
  let iban = '';
  for (let at = start; at < text.length && iban.length < IBAN_MAX; at++) {
    const char = text.charAt(at);
    if (/[A-Za-z0-9]/.test(char)) iban += char.toUpperCase();
    else if (char !== ' ' || !/[A-Za-z0-9]/.test(text.charAt(at + 1))) break;
    if (iban.length >= IBAN_MIN && !isWordAt(text, at + 1) && ibanRemainder(iban) === 1)
      return { start, end: at + 1, shown: `•••• ${iban.slice(-4)}` };
  }
  return undefined;
}
