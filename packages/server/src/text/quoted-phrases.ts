import { wordsOf } from './words.ts';

/** In a query of limited length; each kind of quotation mark ends any other. */
const QUOTES = '"“”„«»';
const QUOTE = new RegExp(`[${QUOTES}]`, 'g');
const QUOTED = new RegExp(`[${QUOTES}]([^${QUOTES}]+)[${QUOTES}]`, 'g');

/** For searches without phrases. */
export const withoutQuotes = (q: string): string => q.replace(QUOTE, ' ').trim();

/** Words that must follow each other exactly. */
export type Phrase = readonly string[];

/** Further words make a phrase no clearer. */
const PHRASE_WORDS_MAX = 20;

/** The phrases in quotation marks in a query. */
export const phrasesOf = (q: string): Phrase[] =>
  [...q.matchAll(QUOTED)]
    .map(([, phrase = '']) => wordsOf(phrase).slice(0, PHRASE_WORDS_MAX))
    .filter((words) => words.length > 0);

const isAt = (words: readonly string[], from: number, phrase: Phrase): boolean =>
  phrase.every((word, at) => words[from + at] === word);

const stands = (words: readonly string[], phrase: Phrase): boolean =>
  words.some((_, from) => isAt(words, from, phrase));

/** The texts that contain one of the phrases; none if another phrase is in no text at all. */
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
