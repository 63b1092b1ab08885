import { isRightToLeft, type Language } from '@foyer/protocol/languages';
import type { words as english } from './languages/en.ts';

/** Forms by the categories of Intl.PluralRules for `{count}`. */
export type Plural = { readonly other: string } & {
  readonly [category in Exclude<Intl.LDMLPluralRule, 'other'>]?: string;
};

export type StringKey = keyof typeof english;

/** One language: every word that the widget says itself, by key. */
export type Words = { readonly [K in StringKey]: (typeof english)[K] extends string ? string : Plural };

type Values = Record<string, string | number>;

/** Each is a file of its own, loaded when it is spoken. */
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
/** Made when a number is first said: to make them takes longer than all else of the widget's start. */
let rules: Intl.PluralRules | undefined;
let numbers: Intl.NumberFormat | undefined;

/** The language that is spoken now, for Intl. */
export const language = (): Language => spoken;

/** Speaks these words from now on. */
export const speak = (next: Language, table: Words): void => {
  spoken = next;
  words = table;
  rules = undefined;
  numbers = undefined;
};

/** @throws when neither this language nor English can be loaded */
export const loadWords = async (next: Language): Promise<[Language, Words]> => {
  try {
    return [next, (await TABLES[next]()).words];
  } catch {
    // The line broke in between; English may be in the browser's cache.
    return ['en', (await TABLES.en()).words];
  }
};

/** Tells the browser, and with it those who listen to the page, how to read it. */
export const declareLanguage = (root: HTMLElement): void => {
  root.lang = spoken;
  root.dir = isRightToLeft(spoken) ? 'rtl' : 'ltr';
};

/** `say('waiting_minutes', { minutes: 2 })`; `count` chooses the plural's form. Nothing before the first `speak`. */
export const say = (key: StringKey, values: Values = {}): string => {
  const found: string | Plural | undefined = words?.[key];
  const text = typeof found === 'object' ? (found[categoryOf(Number(values.count))] ?? found.other) : found;
  return (text ?? '').replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = values[name];
    return typeof value === 'number' ? written(value) : (value ?? placeholder);
  });
};

const categoryOf = (count: number): Intl.LDMLPluralRule => {
  rules ??= new Intl.PluralRules(spoken);
  return rules.select(count);
};

const written = (value: number): string => {
  numbers ??= new Intl.NumberFormat(spoken);
  return numbers.format(value);
};
