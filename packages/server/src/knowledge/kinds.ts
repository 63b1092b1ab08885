import { folded } from '../text/words.ts';

/** Kinds of statements that questions ask for without their words: "how much" expects an amount. */
export type Kind = '#money' | '#hours' | '#phone' | '#email' | '#duration';

const UNITS =
  'min|minut|hour|day|week|month|year|stund|tag|woche|monat|jahr|heure|jour|semaine|mois|hora|dia|semana|mes|ano|ora|ore|giorn|settiman|uur|dag|wek|maand|jaar';
const NUMBERS =
  '\\d+|one|two|three|four|five|six|seven|eight|nine|ten|ein|eine|zwei|drei|vier|funf|sechs|un|une|deux|trois|quatre|cinq|dos|tres|cuatro|cinco|due|tre|quattro|cinque|dois|duas|twee|drie|vijf';
const PATTERNS: readonly (readonly [Kind, RegExp])[] = [
  [
    '#money',
    /[€$£¥]\s?\d|\d\s?(?:[€$£¥]|euros?\b|dollars?\b|pounds?\b|eur\b|usd\b|gbp\b|chf\b|franken\b|francs?\b|reais\b)/,
  ],
  [
    '#hours',
    /\b\d{1,2}[:.h]\d\d\b|\b\d{1,2}\s?(?:am|pm|uhr|h|horas?|heures?|uur)\b|\b(?:from|von|de|das|dalle|van)\s(?:las\s)?\d{1,2}\s(?:to|until|bis|a|as|alle|tot)\s/,
  ],
  ['#phone', /(?:\+|\b)\d{2,5}(?:[\s/.-]\d{2,})+|\b\d{8,}\b/],
  ['#duration', new RegExp(`\\b(?:${NUMBERS})\\s(?:\\p{L}+\\s)?(?:${UNITS})`, 'u')],
];

/** Finds `x@y.z` within a word. A regular expression would read a long word once for each `@`. */
const hasEmail = (text: string): boolean =>
  text.includes('@') &&
  text.split(/\s/).some((word) => {
    const at = word.indexOf('@', 1);
    return at > 0 && word.lastIndexOf('.', word.length - 2) > at + 1;
  });

/** The kinds that can be expressed without a digit. */
const WORDED = PATTERNS.filter(([kind]) => kind === '#duration');

/** A kind as a term of an index; no word has this form. */
export function kindTerm(kind: Kind): string {
  return kind;
}

/** Distinguishes kinds from words: no word begins with `#`. */
export function isKindTerm(term: string): boolean {
  return term.startsWith('#');
}

/** The kinds of statement that a sentence contains. */
export function kindsOf(sentence: string): Kind[] {
  // A fast path for ASCII, because building an index reads every sentence.
  const text = /^[ -~]*$/.test(sentence) ? sentence.toLowerCase() : folded(sentence);
  const patterns = /[\d@]/.test(text) ? PATTERNS : WORDED;
  const kinds = patterns.filter(([, pattern]) => pattern.test(text)).map(([kind]) => kind);
  return hasEmail(text) ? [...kinds, '#email'] : kinds;
}
