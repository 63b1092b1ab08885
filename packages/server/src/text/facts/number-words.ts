import { toCardinal as ar } from 'n2words/ar-SA';
import { toCardinal as da } from 'n2words/da-DK';
import { toCardinal as de } from 'n2words/de-DE';
import { toCardinal as enGb } from 'n2words/en-GB';
import { toCardinal as en } from 'n2words/en-US';
import { toCardinal as es } from 'n2words/es-ES';
import { toCardinal as fi } from 'n2words/fi-FI';
import { toCardinal as fr } from 'n2words/fr-FR';
import { toCardinal as he } from 'n2words/he-IL';
import { toCardinal as it } from 'n2words/it-IT';
import { toCardinal as no } from 'n2words/nb-NO';
import { toCardinal as nl } from 'n2words/nl-NL';
import { toCardinal as pl } from 'n2words/pl-PL';
import { toCardinal as pt } from 'n2words/pt-PT';
import { toCardinal as ru } from 'n2words/ru-RU';
import { toCardinal as sv } from 'n2words/sv-SE';
import { toCardinal as tr } from 'n2words/tr-TR';
import { toCardinal as uk } from 'n2words/uk-UA';
import type { FactLanguage } from './fact-language.ts';
import { normalText } from './normal-text.ts';

type Speller = (value: number) => string;

const spell =
  <Options>(toCardinal: (value: number, options?: Options) => string, options?: Options): Speller =>
  (value) =>
    toCardinal(value, options);

const MASCULINE = { gender: 'masculine' } as const;
const FEMININE = { gender: 'feminine' } as const;

/** How each language says a number. Chinese and Japanese write it in digits of their own. */
const SPELLERS: Readonly<Partial<Record<FactLanguage, readonly Speller[]>>> = {
  en: [spell(en), spell(enGb)],
  de: [spell(de)],
  fr: [spell(fr)],
  es: [spell(es, MASCULINE), spell(es, FEMININE)],
  pt: [spell(pt)],
  it: [spell(it)],
  nl: [spell(nl)],
  pl: [spell(pl, MASCULINE), spell(pl, FEMININE)],
  tr: [spell(tr)],
  uk: [spell(uk, MASCULINE), spell(uk, FEMININE)],
  ru: [spell(ru, MASCULINE), spell(ru, FEMININE)],
  ar: [spell(ar, MASCULINE), spell(ar, FEMININE)],
  he: [spell(he)],
  sv: [spell(sv)],
  da: [spell(da)],
  no: [spell(no)],
  fi: [spell(fi)],
};

/**
 * Words that more often mean something else: you are, new, a face, get on, below. They are never considered wrong
 * numbers.
 */
const AMBIGUOUS: Readonly<Partial<Record<FactLanguage, ReadonlySet<string>>>> = {
  it: new Set(['sei']),
  fr: new Set(['neuf']),
  tr: new Set(['yuz', 'bin', 'alti']),
};

/** Numbers of prices and periods; larger ones are written in digits. */
const EVERY_UP_TO = 999;
const THOUSANDS_UP_TO = 100;
const WORDS_MAX = 8;

interface Lexicon {
  /** By the words, one space between them. */
  readonly values: ReadonlyMap<string, number>;
  /** Every word that is part of one. */
  readonly parts: ReadonlySet<string>;
}

const lexicons = new Map<FactLanguage, Lexicon>();

const tokensOf = (text: string): string[] => text.match(/[\p{L}\p{M}]+/gu) ?? [];

function lexiconOf(language: FactLanguage): Lexicon {
  const known = lexicons.get(language);
  if (known) return known;
  const values = new Map<string, number>();
  const parts = new Set<string>();
  const add = (text: string, value: number): void => {
    const tokens = tokensOf(normalText(text));
    if (!values.has(tokens.join(' '))) values.set(tokens.join(' '), value);
    for (const token of tokens) parts.add(token);
  };
  const numbers = [
    ...Array.from({ length: EVERY_UP_TO }, (_, at) => at + 1),
    ...Array.from({ length: THOUSANDS_UP_TO }, (_, at) => (at + 1) * 1_000),
  ];
  for (const say of SPELLERS[language] ?? [])
    for (const value of numbers) for (const text of spellings(say(value), language)) add(text, value);
  const lexicon = { values, parts };
  lexicons.set(language, lexicon);
  return lexicon;
}

/** In the library's spelling, and in people's. */
function spellings(said: string, language: FactLanguage): string[] {
  // The library writes some Ukrainian words with a Latin i.
  if (language === 'uk') return [said.replaceAll('i', 'і')];
  if (language === 'he') return [said, said.replaceAll('שלש', 'שלוש')];
  if (language === 'de') return [said, said.replace(/^ein(?=hundert|tausend)/, '')];
  return [said];
}

const HAN = '〇一二三四五六七八九';
const HAN_TENS: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1_000, 万: 10_000 };
/** Before other characters a Chinese or Japanese numeral is most often part of a word, and 十分 means "very". */
const HAN_NUMBER =
  /(?!十分)([一二两三四五六七八九十百千万]{1,12})(?=個月|个月|か月|ヶ月|[天日年月周週個个小时時間点分秒元円块塊歳岁次件人倍回つ])/gu;

/** The value of a Chinese or Japanese numeral. */
export function readHan(written: string): number {
  let total = 0;
  let digit = 0;
  for (const character of written.replaceAll('两', '二')) {
    const scale = HAN_TENS[character];
    if (scale === undefined) digit = HAN.indexOf(character);
    else {
      total += (digit || 1) * scale;
      digit = 0;
    }
  }
  return total + digit;
}

/** A number in words, and the words. */
export interface SpelledNumber {
  readonly text: string;
  readonly value: number;
}

/**
 * The numbers that a normal text has in words of the language.
 * @param strictly only from two on, and without words that more often mean something else
 */
export function spelledNumbers(text: string, language: FactLanguage, strictly: boolean): SpelledNumber[] {
  const found: SpelledNumber[] = [];
  const skipped = strictly ? AMBIGUOUS[language] : undefined;
  const add = (words: string, value: number): void => {
    if (!(strictly && value < 2) && !skipped?.has(words)) found.push({ text: words, value });
  };
  if (language === 'zh' || language === 'ja') {
    for (const [written] of text.matchAll(HAN_NUMBER)) add(written, readHan(written));
    return found;
  }
  const { values } = lexiconOf(language);
  for (const clause of text.split(/[^\p{L}\p{M}\s'-]+/u)) {
    const tokens = tokensOf(clause);
    for (let at = 0; at < tokens.length; ) {
      const match = longestAt(tokens, at, values);
      if (match) add(match.words, match.value);
      at += match?.length ?? 1;
    }
  }
  return found;
}

function longestAt(tokens: readonly string[], at: number, values: Lexicon['values']) {
  for (let length = Math.min(WORDS_MAX, tokens.length - at); length > 0; length -= 1) {
    const words = tokens.slice(at, at + length).join(' ');
    const value = values.get(words);
    if (value !== undefined) return { words, value, length };
  }
  return undefined;
}

/** Whether a word may be a part of a number in words: of "twenty-one", each half may. */
export const isPartOfNumber = (word: string, language: FactLanguage): boolean =>
  tokensOf(normalText(word)).some((token) => lexiconOf(language).parts.has(token));
