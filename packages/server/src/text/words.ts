const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const ASCII_WORD = /[a-z0-9]+/g;
const CJK_RUN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+/gu;
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u;
/** Marks that writers omit: accents, Arabic and Hebrew vowels; but not й or Japanese voicing. */
const OPTIONAL_MARKS = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}])\p{M}+/gu;
/** Letters that no normal form decomposes. */
const LETTERS = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ø', 'o'],
  ['đ', 'd'],
  ['ł', 'l'],
  ['ı', 'i'],
  ['ё', 'е'],
]);
/** English endings after an apostrophe; any other apostrophe (l'article) separates two words. */
const POSSESSIVE = /['’]s(?![\p{L}\p{N}])/gu;
const CONTRACTION = /['’](?=(?:t|m|d|ve|ll|re)(?![\p{L}\p{N}]))/gu;
const WORD_MAX_CHARS = 64;

/** Lower-case, compatibility forms unified (NFKC), without the diacritics that writers omit. */
export function folded(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(OPTIONAL_MARKS, '$1')
    .normalize('NFC')
    .replace(/[ßæœøđłıё]/g, (letter) => LETTERS.get(letter) ?? letter);
}

/** The words of a text, folded. Chinese and Japanese, which have no spaces, give pairs of characters. */
export function wordsOf(text: string): string[] {
  const lower = isAscii(text) ? text.toLowerCase() : folded(text);
  const plain = /['’]/.test(lower) ? lower.replace(POSSESSIVE, '').replace(CONTRACTION, '') : lower;
  if (isAscii(plain)) return asciiWords(plain);
  return (plain.match(WORD) ?? []).flatMap((word) => (CJK.test(word) ? cjkWords(word) : [bounded(word)]));
}

function isAscii(text: string): boolean {
  return !/[^ -~\s]/.test(text);
}

function asciiWords(text: string): string[] {
  const words: string[] = text.match(ASCII_WORD) ?? [];
  return text.length > WORD_MAX_CHARS ? words.map(bounded) : words;
}

function bounded(word: string): string {
  return word.length > WORD_MAX_CHARS ? word.slice(0, WORD_MAX_CHARS) : word;
}

function cjkWords(word: string): string[] {
  return (word.match(CJK_RUN) ?? []).flatMap((run) => (CJK.test(run) ? pairsOf([...run]) : [bounded(run)]));
}

function pairsOf(characters: readonly string[]): string[] {
  if (characters.length < 2) return [...characters];
  return characters.slice(1).map((character, at) => (characters[at] ?? '') + character);
}
