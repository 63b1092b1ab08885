/** The words of folded text, of any length. Arabic alef and Ukrainian apostrophes are written in several ways. */
export function wordsIn(sentence: string): string[] {
  const even = sentence.replace(/[أإآ]/g, 'ا').replace(/’/g, "'");
  // Inside Cyrillic words the apostrophe is a letter; English ones join (don't), others separate (d'un).
  const joined = even.replace(/(?<=n)'(?=t\b)/g, '');
  return joined.match(/[\p{L}\p{N}]+(?:(?<=\p{Script=Cyrillic})'\p{Script=Cyrillic}+)?/gu) ?? [];
}

/** The positions of any of the phrases, as start and end. */
export function places(words: readonly string[], phrases: readonly string[]): [number, number][] {
  const found: [number, number][] = [];
  for (const phrase of phrases) {
    const parts = phrase.split(' ');
    for (let at = 0; at + parts.length <= words.length; at += 1) {
      if (parts.every((part, offset) => fits(words[at + offset] ?? '', part)))
        found.push([at, at + parts.length]);
    }
  }
  return found;
}

/** A pattern is a word; one that ends in `*` matches every word that begins so. */
function fits(word: string, pattern: string): boolean {
  return pattern.endsWith('*') ? word.startsWith(pattern.slice(0, -1)) : word === pattern;
}
