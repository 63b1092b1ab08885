import { isFunctionWord, knownLanguageOf } from './languages.ts';
import { wordsOf } from './words.ts';

/** On `bench/sites`, articles in English have from 17 %, those in other languages up to 9 %. */
const FUNCTION_WORDS_FROM = 0.15;
/** Other languages share short words with English ("do", "a", "my"), but few have so little beside a to z. */
const OTHER_LETTERS_MAX = 0.05;
const OTHER_LETTER = /[^\p{ASCII}\P{L}]/u;

/** Whether a text of some sentences is surely English. */
export function isEnglish(text: string): boolean {
  const words = wordsOf(text);
  if (knownLanguageOf(words) !== 'en') return false;
  const grammar = words.filter((word) => isFunctionWord(word, ['en'])).length;
  const other = text.split(/\s+/).filter((word) => OTHER_LETTER.test(word)).length;
  return grammar >= FUNCTION_WORDS_FROM * words.length && other <= OTHER_LETTERS_MAX * words.length;
}

/** Whether a short text, which may have no grammar at all, could be English. */
export function maybeEnglish(text: string): boolean {
  return !OTHER_LETTER.test(text) && (knownLanguageOf(wordsOf(text)) ?? 'en') === 'en';
}
