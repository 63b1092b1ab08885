import { slipsBetween } from '../text/typos.ts';

/** How a text is searched in `visitors.search`. */
type Term =
  /** By the index: anywhere. */
  | { kind: 'anywhere' }
  /**
   * By the index: at the beginning of a word of the name, the address or the key. Too short for trigrams anywhere
   * else.
   */
  | { kind: 'beginning' }
  /** By no index: only punctuation. */
  | { kind: 'odd' };

/** @param search the text as the database function `visitor_search_text` writes it. */
export function termOf(search: string): Term {
  if (/[a-z0-9]{3}/.test(search)) return { kind: 'anywhere' };
  return /^[a-z0-9]/.test(search) ? { kind: 'beginning' } : { kind: 'odd' };
}

const WORDS_MAX = 8;
const SHORTEST_TYPO = 4;
const TWO_SLIPS_FROM = 8;
/** The words that the index `visitors_typo_keys` has, by their length. */
const INDEXED_FROM = 3;
const INDEXED_MAX = 32;
/** Few visitors of a million have the same number of so many digits. */
const LONG_NUMBER = 5;

/** How many typos a word may contain. */
export type Slips = 1 | 2;

export interface TypedWords {
  /** Words that may contain typos; at least one. */
  forgiven: string[];
  /** Words too short to guess, which a word must begin with. */
  short: string[];
  numbers: string[];
}

/** The text in its own letters. The column stores each byte of a non-ASCII character as `\ooo`, and `\` as `\\`. */
function plainOf(search: string): string {
  if (!search.includes('\\')) return search;
  const bytes = search.replace(/\\(\\|\d{3})/g, (_, code: string) =>
    code === '\\' ? code : String.fromCharCode(Number.parseInt(code, 8)),
  );
  return Buffer.from(bytes, 'latin1').toString();
}

/** As the column stores it. */
const storedOf = (plain: string): string =>
  [...Buffer.from(plain)]
    .map((byte) => (byte < 0x80 ? String.fromCharCode(byte) : `\\${byte.toString(8)}`))
    .join('');

/** Letters, or digits. */
const RUN = /[^\t\n\r\x20-\x60\x7b-\x7e]+|[0-9]+/gu;

const runsOf = (search: string): string[] => plainOf(search).match(RUN) ?? [];

const isNumber = (run: string): boolean => /^[0-9]/.test(run);

const isOfLength = (run: string, least: number): boolean => {
  const { length } = [...run];
  return length >= least && length <= INDEXED_MAX;
};

const isForgiven = (run: string): boolean => !isNumber(run) && isOfLength(run, SHORTEST_TYPO);

const isIndexed = (run: string): boolean => isOfLength(run, INDEXED_FROM);

/** The words of a search, some of which may be mistyped; undefined if none is long enough to guess. */
export function typedWords(search: string): TypedWords | undefined {
  const runs = runsOf(search).slice(0, WORDS_MAX);
  const forgiven = runs.filter(isForgiven);
  if (forgiven.length === 0) return undefined;
  const numbers = runs.filter(isNumber);
  return { forgiven, numbers, short: runs.filter((run) => !isNumber(run) && !isForgiven(run)) };
}

/** Of numbers, those that the index has. */
export const indexedNumbers = ({ numbers }: TypedWords): string[] => numbers.filter(isIndexed);

/**
 * The words and numbers which each text that contains this one has as a whole, because it shows where they begin and
 * end; of those, what the index has. None of a text that a key of an anonymous visitor may contain: the index leaves
 * most of those out.
 */
export function wholeWords(search: string): string[] {
  const plain = plainOf(search);
  if (/^[a-z0-9_ -]*$/.test(plain)) return [];
  const whole = [...plain.matchAll(RUN)].filter(
    ({ index, 0: run }) => index > 0 && index + run.length < plain.length && isIndexed(run),
  );
  return [...new Set(whole.map(([run]) => run))];
}

/** Whether a number of a text is a long one that the index has. */
export const isLongNumber = (number: string): boolean => isOfLength(number, LONG_NUMBER);

/** The part of a text from its first digit to its last, if it has a long number. */
export function numberedPart(search: string): string | undefined {
  if (!search.match(/[0-9]+/g)?.some((number) => number.length >= LONG_NUMBER)) return undefined;
  const from = search.search(/[0-9]/);
  const behind = [...search].findLastIndex((one) => one >= '0' && one <= '9') + 1;
  return search.slice(from, behind);
}

/** How many typos the word may have, if a long one may have `most`. */
export const slipsOf = (word: string, most: Slips): Slips => (word.length >= TWO_SLIPS_FROM ? most : 1);

/**
 * Parts of a word, of which any word with so few typos contains one, as the column stores them: a typo changes two
 * letters side by side at most, so it spares all parts but one.
 */
export function partsOf(word: string, slips: Slips): string[] {
  const letters = [...word];
  const size = Math.max(1, Math.floor((letters.length - slips) / (slips + 1)));
  return Array.from({ length: slips + 1 }, (_, at) => {
    const from = at === slips ? letters.length - size : at * (size + 1);
    return storedOf(letters.slice(from, from + size).join(''));
  });
}

/** Whether at most one of the words is mistyped: the text contains the others. */
export const isMistypedOnce = (text: string, { forgiven }: TypedWords): boolean => {
  const plain = plainOf(text);
  return forgiven.filter((word) => !plain.includes(word)).length <= 1;
};

/** Whether the text contains each word, with typos. */
export function isMeantBy(text: string, { forgiven, short, numbers }: TypedWords, most: Slips): boolean {
  const there = runsOf(text);
  const isNear = (word: string): boolean => {
    const slips = slipsOf(word, most);
    return there.some(
      (one) => Math.abs(one.length - word.length) <= slips && slipsBetween(word, one, slips) <= slips,
    );
  };
  return (
    short.every((word) => there.some((one) => one.startsWith(word))) &&
    numbers.every((number) => there.includes(number)) &&
    forgiven.every(isNear)
  );
}
