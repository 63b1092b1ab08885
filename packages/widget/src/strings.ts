import { isRightToLeft, type Language } from '@foyer/protocol/values/languages';
import { fill, grammarOf, type Translated } from '@foyer/protocol/values/phrases';
import type { words as english } from './languages/en.ts';

export type StringKey = keyof typeof english;

/** All of the widget's own words in one language, by key. */
export type Words = Translated<typeof english>;

type Values = Record<string, string | number>;

/** Each is a separate file, loaded when it is needed. */
const TABLES: Record<Language, () => Promise<{ words: Words }>> = {
  en: () => import('./languages/en.ts'),
  de: () => import('./languages/de.ts'),
  fr: () => import('./languages/fr.ts'),
  es: () => import('./languages/es.ts'),
  pt: () => import('./languages/pt.ts'),
  it: () => import('./languages/it.ts'),
  nl: () => import('./languages/nl.ts'),
  pl: () => import('./languages/pl.ts'),
  tr: () => import('./languages/tr.ts'),
  uk: () => import('./languages/uk.ts'),
  ja: () => import('./languages/ja.ts'),
  zh: () => import('./languages/zh.ts'),
  ar: () => import('./languages/ar.ts'),
  he: () => import('./languages/he.ts'),
};

let spoken: Language = 'en';
let words: Words | undefined;
let grammar = grammarOf('en');

/** The current language, for Intl. */
export const language = (): Language => spoken;

/** Uses these words from now on. */
export const speak = (next: Language, table: Words): void => {
  spoken = next;
  words = table;
  grammar = grammarOf(next);
};

/** @throws if neither this language nor English can be loaded */
export const loadWords = async (next: Language): Promise<[Language, Words]> => {
  try {
    return [next, (await TABLES[next]()).words];
  } catch {
    // The network broke in between; English may be in the browser's cache.
    return ['en', (await TABLES.en()).words];
  }
};

/** Tells the browser, and so screen readers, the language and direction. */
export const declareLanguage = (root: HTMLElement): void => {
  root.lang = spoken;
  root.dir = isRightToLeft(spoken) ? 'rtl' : 'ltr';
};

/** `say('waiting_minutes', { minutes: 2 })`; `count` selects the plural form. Empty before the first `speak`. */
export const say = (key: StringKey, values: Values = {}): string => {
  const phrase = words?.[key];
  return phrase === undefined ? '' : fill<string | number>(phrase, values, grammar).join('');
};
