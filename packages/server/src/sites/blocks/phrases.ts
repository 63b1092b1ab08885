/** Scripts without spaces between words: each character counts as a word. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** How much of a text is checked. */
const LOOKED_AT_CHARS = 100_000;

/** The words of a text for comparison with phrases: without case, punctuation and forms of characters. */
export const comparedWords = (text: string): string[] =>
  text.slice(0, LOOKED_AT_CHARS).normalize('NFKC').toLowerCase().replace(UNSPACED, ' $& ').match(WORD) ?? [];

/** Finds phrases in texts: whole words in their order, whatever is between them. */
export class Phrases<T> {
  readonly #byFirst = new Map<string, { words: readonly string[]; of: T }[]>();

  add(phrase: string, of: T): void {
    const words = comparedWords(phrase);
    const [first] = words;
    if (first === undefined) return;
    const same = this.#byFirst.get(first);
    if (same) same.push({ words, of });
    else this.#byFirst.set(first, [{ words, of }]);
  }

  /** The values added with the phrases in this text, in its order. The time is linear in the text. */
  *in(text: string): Generator<T> {
    if (this.#byFirst.size === 0) return;
    const words = comparedWords(text);
    for (const [at, word] of words.entries())
      for (const phrase of this.#byFirst.get(word) ?? [])
        if (phrase.words.every((one, index) => words[at + index] === one)) yield phrase.of;
  }
}
