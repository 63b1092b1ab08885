import { isRightToLeft, type Language } from '@foyer/protocol';
import { words as ar } from './languages/ar.ts';
import { words as de } from './languages/de.ts';
import { words as en } from './languages/en.ts';
import { words as es } from './languages/es.ts';
import { words as fr } from './languages/fr.ts';
import { words as he } from './languages/he.ts';
import { words as it } from './languages/it.ts';
import { words as ja } from './languages/ja.ts';
import { words as nl } from './languages/nl.ts';
import { words as pl } from './languages/pl.ts';
import { words as pt } from './languages/pt.ts';
import { words as tr } from './languages/tr.ts';
import { words as uk } from './languages/uk.ts';
import { words as zh } from './languages/zh.ts';
import type { Plural, WordKey, Words } from './phrase-table.ts';

export const WORDS: Readonly<Record<Language, Words>> = {
  en,
  de,
  fr,
  es,
  pt,
  it,
  nl,
  pl,
  tr,
  uk,
  ja,
  zh,
  ar,
  he,
};

/** The values of `{…}`: numbers are formatted for the language, text is inserted as it is. */
type Values = Readonly<Record<string, string | number>>;

/** Phrases and formats of one language, for pages and emails. */
export interface Speech {
  readonly language: Language;
  readonly direction: 'ltr' | 'rtl';
  say(key: WordKey, values?: Values): string;
  /** `1 March 2026` */
  date(at: Date): string;
  /** `1 March 2026 at 09:30 CET`, in an IANA zone. The zone is named because the reader's own is unknown. */
  time(at: Date, timeZone: string): string;
  /** `312 bytes`, `24 kB`, `1.5 MB` */
  size(bytes: number): string;
}

const KILOBYTE = 1024;

/** English for most of the world: day first, 24 hours. */
const tagOf = (language: Language): string => (language === 'en' ? 'en-GB' : language);

function timeFormat(tag: string, timeZone: string): (at: Date) => string {
  const time = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeStyle: 'short', timeZone });
  const zone = new Intl.DateTimeFormat(tag, { timeZone, timeZoneName: 'short' });
  return (at) => {
    const name = zone.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
    return `${time.format(at)} ${name}`;
  };
}

function makeSpeech(language: Language): Speech {
  const words = WORDS[language];
  const tag = tagOf(language);
  const rules = new Intl.PluralRules(tag);
  const numbers = new Intl.NumberFormat(tag);
  const dates = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' });
  const times = new Map<string, (at: Date) => string>();
  const unitOf = (unit: string, unitDisplay: 'long' | 'short') =>
    new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay, maximumFractionDigits: 1 });
  const [bytes, kilobytes, megabytes] = [
    unitOf('byte', 'long'),
    unitOf('kilobyte', 'short'),
    unitOf('megabyte', 'short'),
  ];
  const written = (value: string | number): string =>
    typeof value === 'number' ? numbers.format(value) : value;
  return {
    language,
    direction: isRightToLeft(language) ? 'rtl' : 'ltr',
    say(key, values = {}) {
      const entry: string | Plural = words[key];
      const text =
        typeof entry === 'string' ? entry : (entry[rules.select(Number(values.count))] ?? entry.other);
      return text.replace(/\{(\w+)\}/g, (whole, name: string) => written(values[name] ?? whole));
    },
    date: (at) => dates.format(at),
    time(at, timeZone) {
      const format = times.get(timeZone) ?? timeFormat(tag, timeZone);
      times.set(timeZone, format);
      return format(at);
    },
    size(count) {
      if (count < KILOBYTE) return bytes.format(count);
      const inKilobytes = count / KILOBYTE;
      // Anything that rounds to 1,024 kB is shown as 1 MB.
      if (inKilobytes < KILOBYTE - 0.5) return kilobytes.format(Math.round(inKilobytes));
      return megabytes.format(inKilobytes / KILOBYTE);
    },
  };
}

const speeches = new Map<Language, Speech>();

/** One object per language, kept for the life of the process because its formatters are slow to create. */
export function speechOf(language: Language): Speech {
  const known = speeches.get(language) ?? makeSpeech(language);
  speeches.set(language, known);
  return known;
}
