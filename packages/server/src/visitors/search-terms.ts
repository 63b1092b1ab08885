import { slipsBetween } from '../text/typos.ts';

/** How a text is looked for in `visitors.search`. */
type Term =
  /** By the index: anywhere in it. */
  | { kind: 'anywhere' }
  /** By the index: where a name's word, the address or the key begins. Too short for the trigrams of anything else. */
  | { kind: 'beginning' }
  /** By no index: nothing but punctuation. */
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
  /** Forgiven slips; at least one. */
  forgiven: string[];
  /** Too short to guess, or with digits, where every one counts. */
  exact: string[];
}

const wordsOf = (search: string): string[] => search.match(/(?:[a-z0-9]|\\\d{3})+/g) ?? [];

/** The word's own letters: in the column each byte of what is no ASCII stands as `\ooo`. */
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

/** The words of a search as they may have been mistyped; undefined where nothing is long enough to guess. */
export function typedWords(search: string): TypedWords | undefined {
  const words = wordsOf(search).slice(0, WORDS_MAX);
  const forgiven = words.filter(isForgiven);
  return forgiven.length === 0 ? undefined : { forgiven, exact: words.filter((word) => !isForgiven(word)) };
}

/** Whether each of the words stands in the text, give or take one slip of the pen, or two in a long word. */
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
