import { folded } from '../words.ts';

const VULGAR_FRACTION = /(?=[¼-¾⅐-⅞])/gu;
const FOREIGN_DIGIT = /(?![0-9])\p{Nd}/gu;

/** The value of a decimal digit of any script: the digits of each are ten code points in a row. */
function digitValue(digit: string): string {
  const at = digit.codePointAt(0) ?? 0;
  let zero = at;
  while (at - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String(at - zero);
}

/** Lower-case, with ASCII digits and decimal signs, so that equal values have equal texts. */
export const normalText = (text: string): string =>
  folded(text.replace(VULGAR_FRACTION, ' '))
    .replace(FOREIGN_DIGIT, digitValue)
    .replaceAll('٫', '.')
    .replaceAll('٬', ',')
    .replaceAll('٪', '%')
    .replaceAll('’', "'");

/** A pattern that matches any of these, the longest first. */
export const anyOf = (texts: Iterable<string>): string =>
  [...new Set(texts)]
    .toSorted((one, other) => other.length - one.length)
    .map((text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
    .join('|');
