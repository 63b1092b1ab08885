import { isEverydayWord } from '../../text/everyday-words.ts';
import { isFunctionWord, LANGUAGES, languageOf, stem } from '../../text/languages.ts';
import { wordsOf } from '../../text/words.ts';

/** More words add little to the subject of a question. */
const TERMS_MAX = 20;
/** Two questions ask for the same when they share this much of all their words (Jaccard). */
const SAME_FROM = 0.5;

/**
 * The subject of a question: the stems of its content words, sorted. A question without any ("who are you") has all its
 * words; one without words has none.
 */
export function termsOf(question: string): string[] {
  const words = wordsOf(question);
  const language = languageOf(words);
  const matter = words.filter((word) => !isFunctionWord(word, LANGUAGES) && !isEverydayWord(word, LANGUAGES));
  const telling = matter.length > 0 ? matter : words;
  return [...new Set(telling.map((word) => stem(word, language)))].slice(0, TERMS_MAX).sort();
}

/** The group that a question of these terms belongs to: the most similar, of equals the oldest. */
export function groupOf<T extends { readonly id: number; readonly terms: readonly string[] }>(
  terms: readonly string[],
  groups: readonly T[],
): T | undefined {
  let best: T | undefined;
  let most = SAME_FROM;
  for (const group of groups.toSorted((a, b) => a.id - b.id)) {
    const likeness = likenessOf(terms, group.terms);
    if (likeness < most || (best && likeness === most)) continue;
    best = group;
    most = likeness;
  }
  return best;
}

function likenessOf(left: readonly string[], right: readonly string[]): number {
  const shared = left.filter((term) => right.includes(term)).length;
  const all = left.length + right.length - shared;
  return all === 0 ? 0 : shared / all;
}
