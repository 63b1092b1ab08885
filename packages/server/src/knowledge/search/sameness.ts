import { isFunctionWord, type Language, stem } from '../../text/languages.ts';
import { wordsOf } from '../../text/words.ts';
import type { Postings } from './postings.ts';
import { type Concept, FUNCTION_WORD_WEIGHT } from './question.ts';

/** How many words of a long sentence are compared. */
const WORDS_READ = 80;

/**
 * How much of a text's content the question repeats, weighted by the rarity of the text's words: it distinguishes a
 * sentence that paraphrases the question from one that only has its words among many.
 */
export class SaidBack {
  readonly #said: ReadonlySet<string>;
  readonly #texts: Postings;

  constructor(concepts: readonly Concept[], texts: Postings) {
    this.#said = new Set(concepts.flatMap(({ terms, synonyms }) => [...terms, ...synonyms]));
    this.#texts = texts;
  }

  /** 0–1. */
  shareOf(text: string, language: Language): number {
    let said = 0;
    let all = 0;
    for (const word of new Set(wordsOf(text).slice(0, WORDS_READ))) {
      const term = stem(word, language);
      const weight = isFunctionWord(word, [language]) ? FUNCTION_WORD_WEIGHT : 1;
      const information = weight * this.#texts.idf(term);
      all += information;
      if (this.#said.has(term)) said += information;
    }
    return all === 0 ? 0 : said / all;
  }
}
