import { isRightToLeft, type Language } from '@foyer/protocol/values/languages';
import { fill, grammarOf, type Phrase, type Translated } from '@foyer/protocol/values/phrases';
import type { words as homeWords } from './languages/home/en.ts';
import type { words as placeWords } from './languages/places/en.ts';

export type PlaceWords = Translated<typeof placeWords>;

/** A language's words for the first view, and how the others are loaded. */
export interface HomeTable {
  words: Translated<typeof homeWords>;
  loadOthers: () => Promise<PlaceWords>;
}

export type StringKey = keyof typeof homeWords | keyof typeof placeWords;

type Words = Partial<Record<StringKey, Phrase>>;

/** A language that can be spoken. */
export interface Spoken extends HomeTable {
  language: Language;
  /** Undefined until they are needed. */
  others: PlaceWords | undefined;
}

type Values = Record<string, string | number>;

/** Each is a separate file, loaded when it is needed. */
const TABLES: Record<Language, () => Promise<HomeTable>> = {
  en: () => import('./languages/home/en.ts'),
  de: () => import('./languages/home/de.ts'),
  fr: () => import('./languages/home/fr.ts'),
  es: () => import('./languages/home/es.ts'),
  pt: () => import('./languages/home/pt.ts'),
  it: () => import('./languages/home/it.ts'),
  nl: () => import('./languages/home/nl.ts'),
  pl: () => import('./languages/home/pl.ts'),
  tr: () => import('./languages/home/tr.ts'),
  uk: () => import('./languages/home/uk.ts'),
  ja: () => import('./languages/home/ja.ts'),
  zh: () => import('./languages/home/zh.ts'),
  ar: () => import('./languages/home/ar.ts'),
  he: () => import('./languages/home/he.ts'),
};

let spoken: Language = 'en';
let words: Words | undefined;
let grammar = grammarOf('en');
let loadOthers: HomeTable['loadOthers'] | undefined;
/** A place other than home was needed. */
let needsOthers = false;

/** The current language, for Intl. */
export const language = (): Language => spoken;

/** Uses these words from now on. */
export const speak = (next: Spoken): void => {
  spoken = next.language;
  words = { ...next.words, ...next.others };
  loadOthers = next.loadOthers;
  grammar = grammarOf(spoken);
};

const load = async (language: Language): Promise<Spoken> => {
  const { words, loadOthers } = await TABLES[language]();
  return { language, words, loadOthers, others: needsOthers ? await loadOthers() : undefined };
};

/** @throws if neither this language nor English can be loaded */
export const loadWords = (next: Language): Promise<Spoken> =>
  // The network broke in between; English may be in the browser's cache.
  load(next).catch(() => load('en'));

/** Loads the words of all places, in the current language and in each one spoken from now on. */
export const loadPlaceWords = async (): Promise<void> => {
  needsOthers = true;
  const asked = loadOthers;
  const others = await asked?.();
  // Another language is spoken by now.
  if (asked !== loadOthers) return loadPlaceWords();
  words = { ...words, ...others };
};

/** Tells the browser, and so screen readers, the language and direction. */
export const declareLanguage = (root: HTMLElement): void => {
  root.lang = spoken;
  root.dir = isRightToLeft(spoken) ? 'rtl' : 'ltr';
};

/** `say('unread', { count: 2 })`; `count` selects the plural form. Empty before the first `speak`. */
export const say = (key: StringKey, values: Values = {}): string => {
  const phrase = words?.[key];
  return phrase === undefined ? '' : fill<string | number>(phrase, values, grammar).join('');
};
