import { type FactLanguage, localeOf } from './fact-language.ts';
import { anyOf, normalText } from './normal-text.ts';

/** Currencies that shops name. */
const CURRENCIES = (
  'EUR USD GBP CHF JPY CNY PLN TRY UAH ILS SEK NOK DKK CZK HUF RON BGN AUD CAD NZD HKD SGD INR KRW BRL MXN ZAR AED ' +
  'SAR EGP MAD RUB THB IDR ARS CLP COP'
).split(' ');
const PERCENT = '%';
/** What people write and CLDR doesn't have. */
const ALSO: readonly (readonly [string, string])[] = [
  ['per cent', PERCENT],
  ['процентів', PERCENT],
  ['في المئة', PERCENT],
  ['في المائة', PERCENT],
  ['بالمئة', PERCENT],
  ['بالمائة', PERCENT],
  ['tl', 'TRY'],
  ['lira', 'TRY'],
  ['fr.', 'CHF'],
  ['円', 'JPY'],
  ['元', 'CNY'],
  ['块', 'CNY'],
  ['грн', 'UAH'],
  ['гривень', 'UAH'],
  ['гривні', 'UAH'],
  ['zloty', 'PLN'],
  ['zlotych', 'PLN'],
  ['שקל', 'ILS'],
  ['שקלים', 'ILS'],
  ['ש"ח', 'ILS'],
];

/** Languages in which the currency comes before its country: "livre turque". */
const COUNTRY_LAST = /^(?:fr|es|pt|it|he|ar|pl|uk)/;
const WORD_MIN_CHARS = 3;

/** The possible units of an amount. */
export interface Units {
  /** A pattern of all names and signs. */
  readonly pattern: string;
  /** The currencies that a name may mean, or `%`: a dollar may be one of several. */
  meaning(name: string): ReadonlySet<string>;
}

const known = new Map<FactLanguage, Units>();

/** The names and signs of percents and currencies in a language, and in English. */
export function unitsOf(language: FactLanguage): Units {
  const before = known.get(language);
  if (before) return before;
  const meanings = new Map<string, Set<string>>();
  const add = (name: string, meaning: string): void => {
    const normal = normalText(name)
      .replace(/[\u200e\u200f\u061c]/g, '')
      .trim();
    if (normal === '') return;
    meanings.set(normal, (meanings.get(normal) ?? new Set()).add(meaning));
  };
  for (const [name, meaning] of ALSO) add(name, meaning);
  for (const locale of new Set([localeOf(language), 'en'])) {
    for (const name of percentNames(locale)) add(name, PERCENT);
    for (const currency of CURRENCIES)
      for (const name of currencyNames(locale, currency)) add(name, currency);
  }
  const units = {
    pattern: anyOf(meanings.keys()),
    meaning: (name: string): ReadonlySet<string> => meanings.get(name) ?? new Set(),
  };
  known.set(language, units);
  return units;
}

const percentNames = (locale: string): string[] => [
  PERCENT,
  ...new Intl.NumberFormat(locale, { style: 'unit', unit: 'percent', unitDisplay: 'long' })
    .formatToParts(5)
    .flatMap(({ type, value }) => (type === 'unit' ? [value] : [])),
];

/** Signs and names, singular and plural; of a name also the word for the currency, such as "dollars". */
function currencyNames(locale: string, currency: string): string[] {
  const shown = (currencyDisplay: 'name' | 'symbol' | 'narrowSymbol', value: number): string[] =>
    new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay, maximumFractionDigits: 0 })
      .formatToParts(value)
      .flatMap((part) => (part.type === 'currency' ? [part.value] : []));
  const names = [1, 2, 5].flatMap((value) => shown('name', value));
  const words = names.flatMap((name) => {
    const parts = name.split(/[\s-]+/);
    const word = COUNTRY_LAST.test(locale) ? parts[0] : parts.at(-1);
    return word !== undefined && word.length >= WORD_MIN_CHARS ? [word] : [];
  });
  // A letter alone, such as the L of Romania's lei, is more often another unit.
  const signs = [...shown('symbol', 1), ...shown('narrowSymbol', 1)].filter((sign) => !/^[a-z]$/i.test(sign));
  return [currency, ...signs, ...names, ...words];
}
