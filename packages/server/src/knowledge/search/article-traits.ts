import { type Language, languageOf } from '../../text/languages.ts';
import { wordsOf } from '../../text/words.ts';
import type { Passage } from './passages.ts';

/** Prose has at least this share of sentences with a mark at the end; what people type into a chat seldom has one. */
const PROSE_SHARE = 0.3;
const SENTENCE_END = '.!:;…。！：';
/** An article's language is detected by its first words. */
const LANGUAGE_PASSAGES = 2;

/** Whether an article is written in sentences; otherwise it lists what people say. */
export function isProse(passages: readonly Passage[]): boolean {
  const sentences = passages.flatMap(({ lines }) => lines.flatMap((line) => line.sentences));
  const ended = sentences.filter(({ text }) => endsAsSentence(text)).length;
  return ended >= PROSE_SHARE * sentences.length;
}

/** By its first words. */
export function languageOfPassages(passages: readonly Passage[]): Language {
  const words = passages.slice(0, LANGUAGE_PASSAGES).flatMap((passage) => wordsOf(passage.text));
  return languageOf(words.length > 0 ? words : wordsOf(passages[0]?.title ?? ''));
}

/** Whether the text ends with a punctuation mark after its last letter. */
function endsAsSentence(text: string): boolean {
  for (let at = text.length - 1; at >= 0; at--) {
    const char = text[at] ?? '';
    if (SENTENCE_END.includes(char)) return true;
    // A letter beyond the 16 bits of a char ends in a low surrogate.
    if (/[\p{L}\udc00-\udfff]/u.test(char)) return false;
  }
  return false;
}
