import { isEverydayWord } from '../../text/everyday-words.ts';
import { isFunctionWord, type Language, stem } from '../../text/languages.ts';
import { nearestTerms } from '../../text/typos.ts';
import { wordsOf } from '../../text/words.ts';
import { isKindTerm } from '../kinds.ts';
import { kindredCompounds, NOTHING_WRITTEN, respaced, type Written } from './compounds.ts';
import type { Postings } from './postings.ts';
import { type Meanings, type MeantPhrase, sameAs, synonymsAt } from './synonyms.ts';

/** One word of a question, and its weight. */
export interface Concept {
  /** Terms of the index that may match it: stems by language, or corrections of a misspelt word. */
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
/** Numbers (of an order, of pieces) are seldom what a question is about. */
const NUMBER_WEIGHT = 0.3;
const GUESSED_WEIGHT = 0.8;
/** The share of the imagined texts that contain an everyday word. */
const EVERYDAY_WORD_SHARE = 0.5;
/** With fewer articles than this, it is chance which grammar words they contain. */
const FEW_ARTICLES = 8;
/**
 * "Open" or "cost" say which aspect of a subject is asked for, not which subject: the price of a room is no answer
 * about the price of gold. Among few articles, that word would be as rare as the subject's.
 */
const ASPECT_WEIGHT = 0.7;
/** The weight of a phrase's single words, if the phrase has a meaning that the articles have. */
const PHRASE_WORD_WEIGHT = 0.5;
/** The weight of a phrase's meaning, beside its words. */
const PHRASE_WEIGHT = 0.8;
/** The weight of a word that the articles have only as a synonym. */
const MEANT_WEIGHT = 0.85;
const GUESSES_MAX = 3;
/** Guessing reads the whole vocabulary, so only a few words of one question are guessed. */
const GUESSED_WORDS_MAX = 4;

/** The concepts of a question, in the index's terms, the most informative first. */
export function conceptsOf(
  question: string,
  languages: readonly Language[],
  texts: Postings,
  ownOf?: (language: Language) => Meanings,
  written: Written = NOTHING_WRITTEN,
): Concept[] {
  const typed = wordsOf(question.slice(0, QUESTION_MAX_CHARS).toWellFormed());
  const words = respaced(typed, languages, texts, written);
  const stemsBy = languages.map((language) => words.map((word) => stem(word, language)));
  const seen = new Set<string>();
  const asked: AskedWord[] = [];
  for (const [at, word] of words.entries()) {
    const stems = [...new Set(stemsBy.map((each) => each[at] ?? word))];
    const key = stems.join(' ');
    if (seen.has(key)) continue;
    seen.add(key);
    const found = languages.map((language, place) =>
      synonymsAt(stemsBy[place] ?? [], at, language, ownOf?.(language)),
    );
    const same = languages.flatMap((language, place) => sameAs(stemsBy[place]?.[at] ?? word, language));
    const synonyms = found.flatMap((each) => each.word);
    // Among few articles, a synonym too many leads to a wrong answer.
    const few = texts.texts < FEW_ARTICLES;
    asked.push({
      at,
      word,
      stems,
      same: few ? [] : same,
      synonyms: few ? [...synonyms, ...same] : synonyms,
      phrases: found.flatMap((each) => each.phrases),
      languages,
    });
  }
  const phrases = phrasesOf(asked, texts);
  const inPhrase = new Set(phrases.flatMap(({ places }) => places));
  const guesses = { left: GUESSED_WORDS_MAX };
  const concepts = asked.map((each) => {
    const weight = (inPhrase.has(each.at) ? PHRASE_WORD_WEIGHT : 1) * worthOf(each, texts);
    return wordConcept(each, weight, texts, guesses);
  });
  for (const { terms } of phrases) concepts.push(...meant(terms, PHRASE_WEIGHT, texts));
  return concepts.sort((a, b) => b.information - a.information).slice(0, CONCEPTS_MAX);
}

interface AskedWord {
  readonly at: number;
  readonly word: string;
  readonly stems: readonly string[];
  /** Terms that mean the same. */
  readonly same: readonly string[];
  readonly synonyms: readonly string[];
  /** Phrases that begin with it. */
  readonly phrases: readonly MeantPhrase[];
  readonly languages: readonly Language[];
}

/**
 * Phrases with a meaning that the articles have and the words don't already ask for: "how much does it cost" asks for
 * the price once.
 */
function phrasesOf(asked: readonly AskedWord[], texts: Postings): MeantPhrase[] {
  const said = new Set(asked.flatMap(({ stems, same, synonyms }) => [...stems, ...same, ...synonyms]));
  const phrases: MeantPhrase[] = [];
  for (const phrase of asked.flatMap((each) => each.phrases)) {
    const known = phrase.terms.filter((term) => texts.has(term));
    if (known.length === 0 || known.some((term) => said.has(term))) continue;
    for (const term of known) said.add(term);
    phrases.push(phrase);
  }
  return phrases;
}

function worthOf({ word, stems, synonyms, languages }: AskedWord, texts: Postings): number {
  const aspect = synonyms.some(isKindTerm) ? 1 - (1 - ASPECT_WEIGHT) * fewness(texts) : 1;
  return aspect * weightOf(word, languages) * commonnessOf(word, stems, languages, texts);
}

/** One word in the articles' form: itself, its synonyms, a compound, or the correction of a misspelling. */
function wordConcept(
  { stems, same, synonyms, languages }: AskedWord,
  weight: number,
  texts: Postings,
  guesses: { left: number },
): Concept {
  const known = [...new Set([...stems, ...same])].filter((term) => texts.has(term));
  if (known.length > 0)
    return { ...concept(known, weight, texts), synonyms: without(synonyms, known, texts) };
  const [byMeaning] = meant(synonyms, weight * MEANT_WEIGHT, texts);
  if (byMeaning !== undefined) return byMeaning;
  guesses.left -= 1;
  const guessed = guesses.left < 0 ? [] : guessesOf(stems[0] ?? '', languages, texts);
  if (guessed.length === 0) return concept(stems, weight, texts);
  return {
    ...concept(guessed, weight * GUESSED_WEIGHT, texts),
    information: weight * texts.idf(''),
  };
}

function guessesOf(word: string, languages: readonly Language[], texts: Postings): string[] {
  const kindred = kindredCompounds(word, languages, texts, GUESSES_MAX);
  return kindred.length > 0 ? kindred : nearestTerms(word, texts.terms(), GUESSES_MAX);
}

/** A concept that the articles have only by its synonyms; none if they have none of them. */
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
 * 0–1: how much less informative a word is than its rarity in the articles suggests, because it is common everywhere.
 * The more articles there are, the less is presumed.
 */
function commonnessOf(
  word: string,
  stems: readonly string[],
  languages: readonly Language[],
  texts: Postings,
): number {
  const isGrammar = isFunctionWord(word, languages);
  if (!isGrammar && !isEverydayWord(word, languages)) return 1;
  const everywhere = Math.min(...stems.map((term) => texts.idf(term, EVERYDAY_WORD_SHARE)));
  const least = everywhere / Math.min(...stems.map((term) => texts.idf(term)));
  return isGrammar ? Math.min(1 - fewness(texts), least) : least;
}

/** 0–1: how far there are too few articles to show which words are common. */
function fewness(texts: Postings): number {
  return 1 / (1 + (texts.texts / FEW_ARTICLES) ** 2);
}

function concept(terms: readonly string[], weight: number, texts: Postings): Concept {
  const rarity = Math.min(...terms.map((term) => texts.idf(term)));
  return { terms, synonyms: [], weight, information: weight * rarity };
}
