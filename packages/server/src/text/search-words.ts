import { LANGUAGES, languageOf, stem } from './languages.ts';
import { wordsOf } from './words.ts';

/** Words are cut here, in the index and in queries: longer ones are codes or noise. */
const WORD_MAX_CHARS = 32;
/** The limit of one row of words: keeps it below PostgreSQL's 1 MiB, whatever is written into it. */
export const LEXEMES_MAX = 6_000;
/** The limit of a query; further words make it no clearer. */
const QUERY_WORDS_MAX = 20;
/** A shorter last word counts as a whole word: as a prefix it would match half of all words. */
const PREFIX_MIN_CHARS = 2;

const cut = (word: string): string => word.slice(0, WORD_MAX_CHARS).toWellFormed();

/** Each lexeme begins with the site, so that one index serves all sites. */
const lexeme = (siteId: number, word: string): string => `${siteId}:${word}`;

/** The lexemes of a text: its words, and their stems in its language. */
export function lexemesOf(siteId: number, text: string): string[] {
  const words = wordsOf(text);
  const language = languageOf(words);
  const found = new Set<string>();
  for (const word of words) {
    found.add(cut(word));
    found.add(cut(stem(word, language)));
  }
  return [...found].map((word) => lexeme(siteId, word));
}

/** Words are letters, digits and marks; the quotes are for the colon, doubled in case that changes. */
const quoted = (word: string): string => `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;

/** A few words don't reveal their language: each may be found by its stem in any. */
function alternatives(siteId: number, word: string, isLast: boolean): string {
  const stems = new Set(LANGUAGES.map((language) => cut(stem(word, language))));
  stems.delete(cut(word));
  const isPrefix = isLast && word.length >= PREFIX_MIN_CHARS;
  const own = `${quoted(lexeme(siteId, cut(word)))}${isPrefix ? ':*' : ''}`;
  return `(${[own, ...[...stems].map((one) => quoted(lexeme(siteId, one)))].join(' | ')})`;
}

/**
 * A query as PostgreSQL's `tsquery`: every word, the last also as a prefix.
 * @returns undefined without a word, so that nothing matches.
 */
export function searchQuery(siteId: number, question: string): string | undefined {
  const words = [...new Set(wordsOf(question))].slice(0, QUERY_WORDS_MAX);
  if (words.length === 0) return undefined;
  const last = words.length - 1;
  return words.map((word, at) => alternatives(siteId, word, at === last)).join(' & ');
}
