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

const WORDS_MAX = 5;
const SHORTEST_TYPO = 4;
const TWO_SLIPS_FROM = 8;

export interface TypedWords {
  /** Words that may contain typos; at least one. */
  forgiven: string[];
  /** Words too short to guess, or with digits, which must match exactly. */
  exact: string[];
}

const wordsOf = (search: string): string[] => search.match(/(?:[a-z0-9]|\\\d{3})+/g) ?? [];

/** The word's characters. The column stores each byte of a non-ASCII character as `\ooo`. */
function lettersOf(word: string): string {
  if (!word.includes('\\')) return word;
  const bytes = word.replace(/\\(\d{3})/g, (_, octal: string) =>
    String.fromCharCode(Number.parseInt(octal, 8)),
  );
  return Buffer.from(bytes, 'latin1').toString();
}

const isForgiven = (word: string): boolean => {
  const letters = lettersOf(word);
  return letters.length >= SHORTEST_TYPO && !/\d/.test(letters);
};

/** The words of a search, some of which may be mistyped; undefined if none is long enough to guess. */
export function typedWords(search: string): TypedWords | undefined {
  const words = wordsOf(search).slice(0, WORDS_MAX);
  const forgiven = words.filter(isForgiven);
  return forgiven.length === 0 ? undefined : { forgiven, exact: words.filter((word) => !isForgiven(word)) };
}

/** Whether at most one of the words is mistyped: the text contains the others. */
export const isMistypedOnce = (text: string, { forgiven }: TypedWords): boolean =>
  forgiven.filter((word) => !text.includes(word)).length <= 1;

/** Whether the text contains each word, allowing for one typo, or two in a long word. */
export function isMeantBy(text: string, { forgiven, exact }: TypedWords): boolean {
  const there = wordsOf(text);
  const letters = there.map(lettersOf);
  const isNear = (word: string): boolean => {
    const slips = word.length >= TWO_SLIPS_FROM ? 2 : 1;
    return letters.some(
      (one) => Math.abs(one.length - word.length) <= slips && slipsBetween(word, one, slips) <= slips,
    );
  };
  return (
    exact.every((word) => there.some((one) => one.startsWith(word))) && forgiven.map(lettersOf).every(isNear)
  );
}
