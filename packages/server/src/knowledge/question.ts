import { isFunctionWord, type Language, stem } from './languages.ts';
import type { Postings } from './postings.ts';
import { nearestTerms } from './typos.ts';
import { wordsOf } from './words.ts';

/** One word of a question, and what it is worth. */
export interface Concept {
  /** Terms of the index that may stand for it: stems by language, or what a misspelt word may mean. */
  readonly terms: readonly string[];
  /** 0–1: how much it counts; less for grammar words and guessed spellings. */
  readonly weight: number;
  /** Its weight by its rarity in the articles; the highest rarity if no article has it. */
  readonly information: number;
}

export const QUESTION_MAX_CHARS = 1_000;
/** One bit each in a 32-bit mask. */
const CONCEPTS_MAX = 30;
/** Grammar words weigh little, but without them a short question ("who are you") has nothing left. */
const FUNCTION_WORD_WEIGHT = 0.3;
/** Numbers (of an order, of pieces) seldom tell what a question is about. */
const NUMBER_WEIGHT = 0.3;
const GUESSED_WEIGHT = 0.8;
const GUESSES_MAX = 3;
/** Guessing reads the whole vocabulary, so only a few words of one question are guessed. */
const GUESSED_WORDS_MAX = 4;

/** What a question asks for, in the index's terms, the most informative words first. */
export function conceptsOf(question: string, languages: readonly Language[], texts: Postings): Concept[] {
  const words = new Set(wordsOf(question.slice(0, QUESTION_MAX_CHARS).toWellFormed()));
  const seen = new Set<string>();
  const concepts: Concept[] = [];
  let guesses = 0;
  for (const word of words) {
    const stems = [...new Set(languages.map((language) => stem(word, language)))];
    const key = stems.join(' ');
    if (seen.has(key)) continue;
    seen.add(key);
    const weight = weightOf(word, languages);
    const known = stems.filter((term) => texts.has(term));
    if (known.length > 0) {
      concepts.push(concept(known, weight, texts));
      continue;
    }
    guesses += 1;
    const guessed =
      guesses > GUESSED_WORDS_MAX ? [] : nearestTerms(stems[0] ?? word, texts.terms(), GUESSES_MAX);
    if (guessed.length > 0)
      concepts.push({
        ...concept(guessed, weight * GUESSED_WEIGHT, texts),
        information: weight * texts.idf(''),
      });
    else concepts.push(concept(stems, weight, texts));
  }
  return concepts.sort((a, b) => b.information - a.information).slice(0, CONCEPTS_MAX);
}

function weightOf(word: string, languages: readonly Language[]): number {
  if (/^\p{N}+$/u.test(word)) return NUMBER_WEIGHT;
  return isFunctionWord(word, languages) ? FUNCTION_WORD_WEIGHT : 1;
}

function concept(terms: readonly string[], weight: number, texts: Postings): Concept {
  const rarity = Math.min(...terms.map((term) => texts.idf(term)));
  return { terms, weight, information: weight * rarity };
}
