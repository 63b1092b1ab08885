/** The word, and what a letter less leaves of it, from a letter on. */
const shortened = (letters: readonly string[], from = 0): string[] => [
  letters.join(''),
  ...letters.slice(from).map((_, at) => letters.toSpliced(from + at, 1).join('')),
];

/**
 * What the index `visitors_typo_keys` has of each word that differs from this one by one typing error, and of few
 * others: the word, and what a letter less leaves of it.
 */
const oneSlip = (word: string): string[] => [...new Set(shortened([...word]))];

/** The commonest letters of the writings that most names are in, about four of five: all take twice as many lookups. */
const COMMON = new Set('aeiourlnsthdαεηιοσρντλκμаеионрстлвкмд');
const BLOCK = 32;
/** More entries of the index take longer to look up than a search may: a word of 17 Latin letters has so many. */
const TWO_SLIPS_MAX = 4_000;

/** Letters that a wrong or missing one may be, of the part of Unicode that a letter is in. */
function alphabetBeside(block: number): string[] {
  const letters = Array.from({ length: BLOCK }, (_, at) => String.fromCodePoint(block * BLOCK + at)).filter(
    (letter) => /\p{L}/u.test(letter) && letter === letter.toLowerCase(),
  );
  const common = letters.filter((letter) => COMMON.has(letter));
  return common.length > 0 ? common : letters;
}

const alphabetOf = (letters: readonly string[]): string[] =>
  [...new Set(letters.map((letter) => Math.floor((letter.codePointAt(0) ?? 0) / BLOCK)))].flatMap(
    alphabetBeside,
  );

/**
 * What that index has of each word that differs from this one by two typing errors, and of some others: the first of
 * the two is put right in every possible way, and what is left of each of those with a letter less. Those with two
 * letters that are wrong or missing only if the first of them is a common one. Undefined if there are too many.
 */
function twoSlips(word: string): string[] | undefined {
  const letters = [...word];
  const alphabet = alphabetOf(letters);
  if (alphabet.length * letters.length * (letters.length + 2) > TWO_SLIPS_MAX) return undefined;
  const found = new Set<string>();
  const add = (fixed: readonly string[], from: number): void => {
    for (const one of shortened(fixed, from)) found.add(one);
  };
  add(letters, 0);
  for (let at = 0; at <= letters.length; at++) {
    const [here = '', next] = letters.slice(at, at + 2);
    for (const letter of alphabet) {
      add(letters.toSpliced(at, 0, letter), at + 1);
      if (here !== '') add(letters.with(at, letter), at + 1);
    }
    if (here !== '') add(letters.toSpliced(at, 1), at);
    // The other typo may come before these: there are few ways to swap two letters.
    if (next !== undefined) add(letters.toSpliced(at, 2, next, here), 0);
  }
  return [...found];
}

/**
 * For each word, what the index has of the words that it may mean. Those for which `mayHaveTwo` holds may differ by two
 * typing errors, as long as there are few enough ways to put them right.
 */
export function indexedFor(words: readonly string[], mayHaveTwo: (word: string) => boolean): string[][] {
  let left = TWO_SLIPS_MAX;
  return words.map((word) => {
    const two = mayHaveTwo(word) ? twoSlips(word) : undefined;
    if (two === undefined || two.length > left) return oneSlip(word);
    left -= two.length;
    return two;
  });
}
