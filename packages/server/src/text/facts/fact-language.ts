import type { Language } from '@foyer/protocol/values/languages';
import { type Language as Known, knownLanguageOf } from '../languages.ts';
import { wordsOf } from '../words.ts';

/** A language whose numbers, months and currencies are read. */
export type FactLanguage = Language | Known;

/** Scripts and letters that identify a language; Japanese mixes two scripts, and Russian has letters of its own. */
const LETTERS: readonly (readonly [RegExp, FactLanguage])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja'],
  [/\p{Script=Han}/u, 'zh'],
  [/\p{Script=Arabic}/u, 'ar'],
  [/\p{Script=Hebrew}/u, 'he'],
  [/[ыэъё]/iu, 'ru'],
  [/\p{Script=Cyrillic}/u, 'uk'],
  [/[łąęśż]/iu, 'pl'],
];

/** The language of a text by its letters and function words; else `otherwise`. */
export function factLanguageOf(text: string, otherwise: FactLanguage): FactLanguage {
  const byLetters = LETTERS.find(([letters]) => letters.test(text));
  return byLetters ? byLetters[1] : (knownLanguageOf(wordsOf(text)) ?? otherwise);
}

/** As a tag that Intl knows, with the calendar that customers mean. */
export const localeOf = (language: FactLanguage): string =>
  language === 'ar' ? 'ar-EG-u-ca-gregory-nu-latn' : language === 'no' ? 'nb' : `${language}-u-nu-latn`;
