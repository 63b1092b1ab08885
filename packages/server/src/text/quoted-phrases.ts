import { wordsOf } from './words.ts';

/** In a bound question; each kind of quotation mark ends any other. */
const QUOTES = '"“”„«»';
const QUOTE = new RegExp(`[${QUOTES}]`, 'g');
const QUOTED = new RegExp(`[${QUOTES}]([^${QUOTES}]+)[${QUOTES}]`, 'g');

/** For what knows nothing of phrases. */
export const withoutQuotes = (q: string): string => q.replace(QUOTE, ' ').trim();

/** Words that have to stand one behind the other, as they are. */
export type Phrase = readonly string[];

/** What comes behind makes a phrase no clearer. */
const PHRASE_WORDS_MAX = 20;

/** What stands in quotation marks in a question. */
export const phrasesOf = (q: string): Phrase[] =>
  [...q.matchAll(QUOTED)]
    .map(([, phrase = '']) => wordsOf(phrase).slice(0, PHRASE_WORDS_MAX))
    .filter((words) => words.length > 0);

const isAt = (words: readonly string[], from: number, phrase: Phrase): boolean =>
  phrase.every((word, at) => words[from + at] === word);

const stands = (words: readonly string[], phrase: Phrase): boolean =>
  words.some((_, from) => isAt(words, from, phrase));

/** The texts in which one of the phrases stands; none where another phrase stands in no text at all. */
export function textsSaying<T extends { text: string }>(
  texts: readonly T[],
  phrases: readonly Phrase[],
): T[] {
  const open = new Set(phrases);
  const saying = texts.filter(({ text }) => {
    const words = wordsOf(text);
    const here = phrases.filter((phrase) => stands(words, phrase));
    for (const phrase of here) open.delete(phrase);
    return here.length > 0;
  });
  return open.size === 0 ? saying : [];
}
