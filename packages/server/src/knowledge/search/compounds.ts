import { type Language, stem } from '../../text/languages.ts';
import type { Postings } from './postings.ts';

/** Shorter parts occur in unrelated words; the less is known about a part, the longer it must be. */
const PART_MIN = 3;
const WORD_MIN = 4;
const HEAD_MIN = 5;
/** Languages that write compounds as one word, with the head at the end. */
const COMPOUNDING: ReadonlySet<Language> = new Set(['de', 'nl', 'sv', 'da', 'no', 'fi']);

/** What only the articles' text shows, not its terms. */
export interface Written {
  /** Whether two terms are adjacent anywhere. */
  standTogether(first: string, second: string, language: Language): boolean;
  /** Whether a word occurs in exactly this form: "intern" is a term of "international", and no word. */
  isWord(word: string, language: Language): boolean;
}

export const NOTHING_WRITTEN: Written = { standTogether: () => false, isWord: () => false };

/**
 * The words in the articles' spelling: "giftcard" as two words, "light bulb" as one, if an article has it and no
 * article has the question's own spelling.
 */
export function respaced(
  words: readonly string[],
  languages: readonly Language[],
  texts: Postings,
  written: Written,
): string[] {
  const knows = (word: string): boolean => languages.some((language) => texts.has(stem(word, language)));
  const spaced: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const next = words[at + 1];
    const known = knows(word);
    if (
      next !== undefined &&
      word.length >= PART_MIN &&
      next.length >= PART_MIN &&
      !(known && knows(next)) &&
      knows(word + next)
    ) {
      spaced.push(word + next);
      at += 1;
    } else if (known || word.length < 2 * PART_MIN) spaced.push(word);
    else spaced.push(...(partsOf(word, languages, texts, written) ?? [word]));
  }
  return spaced;
}

function partsOf(
  word: string,
  languages: readonly Language[],
  texts: Postings,
  written: Written,
): string[] | undefined {
  for (let cut = PART_MIN; cut <= word.length - PART_MIN; cut += 1) {
    const parts = [word.slice(0, cut), word.slice(cut)];
    for (const language of languages) {
      const [first = '', second = ''] = parts.map((part) => stem(part, language));
      if (!texts.has(first) || !texts.has(second)) continue;
      if (written.standTogether(first, second, language)) return parts;
      if (parts.every((part) => part.length >= WORD_MIN && written.isWord(part, language))) return parts;
    }
  }
  return undefined;
}

/** The known terms that share the head of an unknown compound: "voucher" of "gift voucher", written as one. */
export function kindredCompounds(
  word: string,
  languages: readonly Language[],
  texts: Postings,
  most: number,
): string[] {
  const language = languages.find((one) => COMPOUNDING.has(one));
  if (language === undefined || word.length < HEAD_MIN) return [];
  const found: string[] = [];
  for (let cut = PART_MIN; cut <= word.length - HEAD_MIN; cut += 1) {
    const head = stem(word.slice(cut), language);
    if (head.length >= HEAD_MIN && texts.has(head)) return [head];
  }
  const own = stem(word, language);
  if (own.length < HEAD_MIN) return [];
  for (const term of texts.terms()) {
    if (term.length >= own.length + PART_MIN && term.endsWith(own)) found.push(term);
    if (found.length === most) break;
  }
  return found;
}
