import { LANGUAGES, languageOf, stem } from './languages.ts';
import { wordsOf } from './words.ts';

/** Words are cut here, in the index and in what is searched for: what is longer is a code or noise. */
const WORD_MAX_CHARS = 32;
/** Of one row of words: keeps it below PostgreSQL's 1 MiB, whatever is written into it. */
export const LEXEMES_MAX = 6_000;
/** Of a question; what comes after makes it no clearer. */
const QUERY_WORDS_MAX = 20;
/** With fewer letters than this at its end, a question means a word: as a beginning it would be half of all words. */
const PREFIX_MIN_CHARS = 2;

const cut = (word: string): string => word.slice(0, WORD_MAX_CHARS).toWellFormed();

/** Each lexeme has the site before it, so that one index serves all sites. */
const lexeme = (siteId: number, word: string): string => `${siteId}:${word}`;

/** What a text is found by: its words as they are, and their stems in the language that it is written in. */
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

/** Words are letters, digits and marks; the quotes are for the colon, doubling them for a day when that changes. */
const quoted = (word: string): string => `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;

/** Three words don't tell their language: each may be found by its stem in any. */
function alternatives(siteId: number, word: string, isLast: boolean): string {
  const stems = new Set(LANGUAGES.map((language) => cut(stem(word, language))));
  stems.delete(cut(word));
  const isPrefix = isLast && word.length >= PREFIX_MIN_CHARS;
  const own = `${quoted(lexeme(siteId, cut(word)))}${isPrefix ? ':*' : ''}`;
  return `(${[own, ...[...stems].map((one) => quoted(lexeme(siteId, one)))].join(' | ')})`;
}

/**
 * A question as PostgreSQL's `tsquery`: every word, the last also as the beginning of one.
 * @returns undefined when there is no word in it, which nothing matches.
 */
export function searchQuery(siteId: number, question: string): string | undefined {
  const words = [...new Set(wordsOf(question))].slice(0, QUERY_WORDS_MAX);
  if (words.length === 0) return undefined;
  const last = words.length - 1;
  return words.map((word, at) => alternatives(siteId, word, at === last)).join(' & ');
}
