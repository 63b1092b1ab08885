/** The text after an `@` that is being typed. */
export interface MentionSearch {
  /** The position of the `@`. */
  from: number;
  q: string;
}

/** Longer names aren't matched: further words belong to the sentence. */
const WORDS_MAX = 3;
const LONGEST = 60;

/** The `@` before the caret, if one is being typed: at the beginning of a word, on the same line. */
export function mentionSearch(text: string, caret: number): MentionSearch | null {
  const before = text.slice(Math.max(0, caret - LONGEST), caret);
  const at = before.lastIndexOf('@');
  if (at === -1) return null;
  const q = before.slice(at + 1);
  const isInWord = at > 0 && /[\p{L}\p{N}]/u.test(before[at - 1] ?? '');
  if (isInWord || q.includes('\n') || q.startsWith(' ') || q.split(' ').length > WORDS_MAX) return null;
  return { from: caret - q.length - 1, q };
}

/** Agents whose name, or a word of it, begins with the text. */
export const namedLike = <T extends { name: string }>(team: readonly T[], q: string): T[] => {
  const wanted = q.toLocaleLowerCase();
  return team.filter(({ name }) => {
    const known = name.toLocaleLowerCase();
    return known.startsWith(wanted) || known.split(' ').some((word) => word.startsWith(wanted));
  });
};
