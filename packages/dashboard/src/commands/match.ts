const folded = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLocaleLowerCase();

const wordsIn = (text: string): string[] =>
  folded(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/**
 * How well a label matches the typed text: 0 not at all, 1 contains every word, 2 every word begins one of its
 * words, 3 starts with it. Ignores case and accents.
 */
export function matchOf(label: string, typed: string): 0 | 1 | 2 | 3 {
  const whole = folded(label);
  const wanted = wordsIn(typed);
  if (wanted.length === 0) return folded(typed).trim() === '' ? 1 : 0;
  if (whole.startsWith(folded(typed).trim())) return 3;
  const words = wordsIn(label);
  if (wanted.every((part) => words.some((word) => word.startsWith(part)))) return 2;
  return wanted.every((part) => whole.includes(part)) ? 1 : 0;
}

/** The matching items, best first; all in their order if nothing is typed. */
export function bestFirst<T>(items: readonly T[], typed: string, labelOf: (item: T) => string): T[] {
  return items
    .map((item) => ({ item, match: matchOf(labelOf(item), typed) }))
    .filter(({ match }) => match > 0)
    .toSorted((a, b) => b.match - a.match)
    .map(({ item }) => item);
}
