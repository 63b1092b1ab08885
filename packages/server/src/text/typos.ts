/** Words shorter than this have too many neighbours to guess. */
const SHORTEST = 5;
const TWO_SLIPS_FROM = 8;

/**
 * The known terms that an unknown word probably means: one typing error away (a letter missing, added, wrong, or two
 * swapped), from eight letters on two; only those one error away if there are any.
 */
export function nearestTerms(word: string, known: Iterable<string>, most: number): string[] {
  if (word.length < SHORTEST || /\d/.test(word)) return [];
  const allowed = word.length >= TWO_SLIPS_FROM ? 2 : 1;
  let nearest = allowed;
  let found: string[] = [];
  for (const term of known) {
    // The first letter is seldom wrong, and requiring it makes the search cheap.
    if (term.charCodeAt(0) !== word.charCodeAt(0) || Math.abs(term.length - word.length) > nearest) continue;
    if (term.length < SHORTEST - 1) continue;
    const slips = slipsBetween(word, term, nearest);
    if (slips > nearest) continue;
    if (slips < nearest) found = [];
    nearest = slips;
    found.push(term);
  }
  return found.slice(0, most);
}

/** Damerau–Levenshtein distance with adjacent letters swapped once, or `most + 1` if it is more than `most`. */
export function slipsBetween(a: string, b: string, most: number): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    let least = i;
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let value = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (same ? 0 : 1));
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) value = Math.min(value, (before[j - 2] ?? 0) + 1);
      next.push(value);
      least = Math.min(least, value);
    }
    if (least > most) return most + 1;
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}
