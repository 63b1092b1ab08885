import { type FactLanguage, localeOf } from './fact-language.ts';
import { anyOf, normalText } from './normal-text.ts';

/** A day, a day of any year, or a month of a year. */
export interface FactDate {
  readonly day?: number;
  readonly month: number;
  readonly year?: number;
}

interface Months {
  readonly pattern: string;
  numberOf(name: string): number;
}

const MONTHS = 12;
const known = new Map<FactLanguage, Months>();

/** The names of the months in a language and in English, long and short, alone and within a date. */
function monthsOf(language: FactLanguage): Months {
  const before = known.get(language);
  if (before) return before;
  const numbers = new Map<string, number>();
  for (const locale of new Set([localeOf(language), 'en']))
    for (let month = 1; month <= MONTHS; month += 1)
      for (const name of namesOf(locale, month)) numbers.set(name, month);
  const months = {
    pattern: anyOf(numbers.keys()),
    numberOf: (name: string): number => numbers.get(name) ?? 0,
  };
  known.set(language, months);
  return months;
}

function namesOf(locale: string, month: number): string[] {
  const at = new Date(Date.UTC(2026, month - 1, 3));
  const names = (['long', 'short'] as const).flatMap((style) =>
    [{ month: style }, { month: style, day: 'numeric' as const }].flatMap((options) =>
      new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
        .formatToParts(at)
        .flatMap(({ type, value }) => (type === 'month' ? [normalText(value).replace(/\.$/, '')] : [])),
    ),
  );
  // Chinese and Japanese number their months, which the patterns of digits read.
  return names.filter((name) => /^\p{L}/u.test(name) && !/[月\d]/u.test(name));
}

const dateOf = (day: number | undefined, month: number, year?: number): FactDate[] =>
  month >= 1 && month <= MONTHS && (day === undefined || (day >= 1 && day <= 31))
    ? [{ ...(day === undefined ? {} : { day }), month, ...(year === undefined ? {} : { year }) }]
    : [];

/** Two digits are a year of this century. */
const yearOf = (written: string | undefined): number | undefined =>
  written === undefined ? undefined : written.length === 2 ? 2_000 + Number(written) : Number(written);

/** A pattern, and the days that its groups may mean; none if they are no date. */
type DateReader = readonly [RegExp, (...groups: (string | undefined)[]) => FactDate[]];

/** How a language writes dates, the longest form first. */
export function dateReaders(language: FactLanguage): DateReader[] {
  const { pattern, numberOf } = monthsOf(language);
  const month = String.raw`(?<!\p{L})(?:ב)?(${pattern})(?!\p{L})\.?`;
  const number = (name: string | undefined): number => numberOf(name ?? '');
  return [
    [/(?<!\d)(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)/gu, (y, m, d) => dateOf(Number(d), Number(m), Number(y))],
    [
      /(\d{4})\s?年\s?(\d{1,2})\s?月\s?(\d{1,2})\s?[日号]/gu,
      (y, m, d) => dateOf(Number(d), Number(m), Number(y)),
    ],
    [/(\d{1,2})\s?月\s?(\d{1,2})\s?[日号]/gu, (m, d) => dateOf(Number(d), Number(m))],
    [
      new RegExp(
        String.raw`(?<!\d)(\d{1,2})(?:st|nd|rd|th|er|º|ª|\.)?\s{0,2}(?:(?:of|de|di)\s|d'\s?)?${month}(?:,?\s{1,2}(?:de\s|del\s)?(\d{4})(?!\d))?`,
        'gu',
      ),
      (d, m, y) => dateOf(Number(d), number(m), yearOf(y)),
    ],
    [
      new RegExp(
        String.raw`${month}\s{1,2}(\d{1,2})(?:st|nd|rd|th)?(?![\d:]|[.,]\d)(?:,?\s{1,2}(\d{4})(?!\d))?`,
        'gu',
      ),
      (m, d, y) => dateOf(Number(d), number(m), yearOf(y)),
    ],
    [
      new RegExp(String.raw`${month},?\s{1,2}(?:de\s|del\s)?(\d{4})(?!\d)`, 'gu'),
      (m, y) => dateOf(undefined, number(m), yearOf(y)),
    ],
    [
      /(?<![\d.])(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4}|\d{2})(?!\d)/gu,
      (d, m, y) => dateOf(Number(d), Number(m), yearOf(y)),
    ],
    ...(language === 'en' ? [] : [DOTTED]),
    [
      /(?<![\d/])(\d{1,2})\/(\d{1,2})\/(\d{4}|\d{2})(?![\d/])/gu,
      (one, other, y) => [
        ...dateOf(Number(one), Number(other), yearOf(y)),
        ...dateOf(Number(other), Number(one), yearOf(y)),
      ],
    ],
  ];
}

/** "24.12.": in English a number at the end of a sentence. */
const DOTTED: DateReader = [
  /(?<![\d.])(\d{1,2})\.\s?(\d{1,2})\.(?!\d)/gu,
  (d, m) => dateOf(Number(d), Number(m)),
];
