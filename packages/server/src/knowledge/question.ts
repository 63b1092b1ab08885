import { isEverydayWord } from './everyday-words.ts';
import { isKindTerm } from './kinds.ts';
import { isFunctionWord, type Language, stem } from './languages.ts';
import type { Postings } from './postings.ts';
import { type Meanings, synonymsAt } from './synonyms.ts';
import { nearestTerms } from './typos.ts';
import { wordsOf } from './words.ts';

/** One word of a question, and what it is worth. */
export interface Concept {
  /** Terms of the index that may stand for it: stems by language, or what a misspelt word may mean. */
  readonly terms: readonly string[];
  /** Terms that count, a little less, in texts that have none of `terms`. */
  readonly synonyms: readonly string[];
  /** 0–1: how much it counts; less for grammar words and guessed spellings. */
  readonly weight: number;
  /** Its weight by its rarity in the articles; the highest rarity if no article has it. */
  readonly information: number;
}

export const QUESTION_MAX_CHARS = 1_000;
/** One bit each in a 32-bit mask. */
const CONCEPTS_MAX = 30;
/** Grammar words weigh little, but without them a short question ("who are you") has nothing left. */
export const FUNCTION_WORD_WEIGHT = 0.3;
/** Numbers (of an order, of pieces) seldom tell what a question is about. */
const NUMBER_WEIGHT = 0.3;
const GUESSED_WEIGHT = 0.8;
/** In what share of the texts imagined beside the articles an everyday word stands. */
const EVERYDAY_WORD_SHARE = 0.5;
/** With fewer articles than this, that a grammar word stands in some of them is chance. */
const FEW_ARTICLES = 8;
/**
 * "Open" or "cost" say what of a subject is asked for, not which subject: the price of gold is not met by the price
 * of a room. Among few articles, that word would be as rare as the subject's.
 */
const ASPECT_WEIGHT = 0.7;
/** What a phrase means, beside its words, which count themselves. */
const PHRASE_WEIGHT = 0.5;
/** A word that the articles have by a synonym alone. */
const MEANT_WEIGHT = 0.85;
const GUESSES_MAX = 3;
/** Guessing reads the whole vocabulary, so only a few words of one question are guessed. */
const GUESSED_WORDS_MAX = 4;

/** What a question asks for, in the index's terms, the most informative words first. */
export function conceptsOf(
  question: string,
  languages: readonly Language[],
  texts: Postings,
  ownOf?: (language: Language) => Meanings,
): Concept[] {
  const words = wordsOf(question.slice(0, QUESTION_MAX_CHARS).toWellFormed());
  const stemsBy = languages.map((language) => words.map((word) => stem(word, language)));
  const seen = new Set<string>();
  const concepts: Concept[] = [];
  const phrases: string[][] = [];
  const guesses = { left: GUESSED_WORDS_MAX };
  for (const [at, word] of words.entries()) {
    const stems = [...new Set(stemsBy.map((each) => each[at] ?? word))];
    const key = stems.join(' ');
    if (seen.has(key)) continue;
    seen.add(key);
    const found = languages.map((language, place) =>
      synonymsAt(stemsBy[place] ?? [], at, language, ownOf?.(language)),
    );
    phrases.push(...found.flatMap((each) => each.phrases));
    const synonyms = found.flatMap((each) => each.word);
    const aspect = synonyms.some(isKindTerm) ? 1 - (1 - ASPECT_WEIGHT) * fewness(texts) : 1;
    const weight = aspect * weightOf(word, languages) * commonnessOf(word, stems, languages, texts);
    concepts.push(wordConcept(stems, synonyms, weight, texts, guesses));
  }
  const said = new Set(concepts.flatMap(({ terms, synonyms }) => [...terms, ...synonyms]));
  for (const phrase of phrases) {
    // "How much does it cost" asks for the price once.
    if (phrase.some((term) => said.has(term))) continue;
    for (const term of phrase) said.add(term);
    concepts.push(...meant(phrase, PHRASE_WEIGHT, texts));
  }
  return concepts.sort((a, b) => b.information - a.information).slice(0, CONCEPTS_MAX);
}

/** One word as the articles have it: as it is, by its synonyms, or as what it may be a slip of. */
function wordConcept(
  stems: readonly string[],
  synonyms: readonly string[],
  weight: number,
  texts: Postings,
  guesses: { left: number },
): Concept {
  const known = stems.filter((term) => texts.has(term));
  if (known.length > 0)
    return { ...concept(known, weight, texts), synonyms: without(synonyms, known, texts) };
  const [byMeaning] = meant(synonyms, weight * MEANT_WEIGHT, texts);
  if (byMeaning !== undefined) return byMeaning;
  guesses.left -= 1;
  const guessed = guesses.left < 0 ? [] : nearestTerms(stems[0] ?? '', texts.terms(), GUESSES_MAX);
  if (guessed.length === 0) return concept(stems, weight, texts);
  return {
    ...concept(guessed, weight * GUESSED_WEIGHT, texts),
    information: weight * texts.idf(''),
  };
}

/** A concept that the articles have by its synonyms alone; none if they have none of them. */
function meant(synonyms: readonly string[], weight: number, texts: Postings): Concept[] {
  const known = without(synonyms, [], texts).toSorted((a, b) => texts.idf(a) - texts.idf(b));
  const [commonest, ...others] = known;
  return commonest === undefined ? [] : [{ ...concept([commonest], weight, texts), synonyms: others }];
}

function without(synonyms: readonly string[], terms: readonly string[], texts: Postings): string[] {
  return [...new Set(synonyms)].filter((term) => !terms.includes(term) && texts.has(term));
}

function weightOf(word: string, languages: readonly Language[]): number {
  if (/^\p{N}+$/u.test(word)) return NUMBER_WEIGHT;
  return isFunctionWord(word, languages) ? FUNCTION_WORD_WEIGHT : 1;
}

/**
 * 0–1: how much less a word tells than its rarity in the articles says, because it is common everywhere. The more
 * articles there are, the less is presumed.
 */
function commonnessOf(
  word: string,
  stems: readonly string[],
  languages: readonly Language[],
  texts: Postings,
): number {
  if (isFunctionWord(word, languages)) return 1 - fewness(texts);
  if (!isEverydayWord(word, languages)) return 1;
  const everywhere = Math.min(...stems.map((term) => texts.idf(term, EVERYDAY_WORD_SHARE)));
  return everywhere / Math.min(...stems.map((term) => texts.idf(term)));
}

/** 0–1: how far the articles are too few to show by themselves what is common. */
function fewness(texts: Postings): number {
  return 1 / (1 + (texts.texts / FEW_ARTICLES) ** 2);
}

function concept(terms: readonly string[], weight: number, texts: Postings): Concept {
  const rarity = Math.min(...terms.map((term) => texts.idf(term)));
  return { terms, synonyms: [], weight, information: weight * rarity };
}
