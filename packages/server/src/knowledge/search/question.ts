import { isEverydayWord } from '../../text/everyday-words.ts';
import { isFunctionWord, type Language, stem } from '../../text/languages.ts';
import { nearestTerms } from '../../text/typos.ts';
import { wordsOf } from '../../text/words.ts';
import { isKindTerm } from '../kinds.ts';
import { kindredCompounds, NOTHING_WRITTEN, respaced, type Written } from './compounds.ts';
import type { Postings } from './postings.ts';
import { type Meanings, type MeantPhrase, sameAs, synonymsAt } from './synonyms.ts';

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
/** What the words of a phrase count by themselves where it means something that the articles have. */
const PHRASE_WORD_WEIGHT = 0.5;
/** What a phrase means, beside its words. */
const PHRASE_WEIGHT = 0.8;
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
    // Among few articles one word too many is an answer to what none of them says.
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
  /** Terms that say the same. */
  readonly same: readonly string[];
  readonly synonyms: readonly string[];
  /** Those that begin with it. */
  readonly phrases: readonly MeantPhrase[];
  readonly languages: readonly Language[];
}

/** Phrases that mean something which the articles have and the words don't ask for already: "how much does it cost" asks for the price once. */
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

/** One word as the articles have it: as it is, by its synonyms, in a compound, or as what it may be a slip of. */
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
  const isGrammar = isFunctionWord(word, languages);
  if (!isGrammar && !isEverydayWord(word, languages)) return 1;
  const everywhere = Math.min(...stems.map((term) => texts.idf(term, EVERYDAY_WORD_SHARE)));
  const least = everywhere / Math.min(...stems.map((term) => texts.idf(term)));
  return isGrammar ? Math.min(1 - fewness(texts), least) : least;
}

/** 0–1: how far the articles are too few to show by themselves what is common. */
function fewness(texts: Postings): number {
  return 1 / (1 + (texts.texts / FEW_ARTICLES) ** 2);
}

function concept(terms: readonly string[], weight: number, texts: Postings): Concept {
  const rarity = Math.min(...terms.map((term) => texts.idf(term)));
  return { terms, synonyms: [], weight, information: weight * rarity };
}
