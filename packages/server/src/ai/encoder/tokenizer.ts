/** A piece of words and the logarithm of its probability. */
export type Piece = readonly [piece: string, score: number];

/** The mark before each word in the pieces. */
const WORD_START = '▁';
/** The number of anything that no piece has. */
const UNKNOWN = 0;
/** The first entries of the vocabulary stand for no text. */
const RESERVED = 6;

/** Splits texts into the likeliest sequence of pieces (a SentencePiece unigram model, Kudo 2018). */
export class Tokenizer {
  readonly #numbers = new Map<string, number>();
  readonly #scores: Float64Array;
  readonly #longest: number;

  constructor(vocabulary: readonly Piece[]) {
    this.#scores = Float64Array.from(vocabulary, ([, score]) => score);
    let longest = 1;
    for (const [number, [piece]] of vocabulary.entries()) {
      if (number < RESERVED) continue;
      this.#numbers.set(piece, number);
      longest = Math.max(longest, piece.length);
    }
    this.#longest = longest;
  }

  /** The numbers of its pieces; several unknown characters in a row are one. */
  encode(text: string): number[] {
    const normal = text.normalize('NFKC');
    if (normal === '') return [];
    const symbols = [...`${WORD_START}${normal.replaceAll(' ', WORD_START)}`];
    const { numbers, starts } = this.#bestPaths(symbols);
    const found: number[] = [];
    for (let end = symbols.length; end > 0; end = starts[end] ?? 0) {
      const number = numbers[end] ?? UNKNOWN;
      if (number !== UNKNOWN || found.at(-1) !== UNKNOWN) found.push(number);
    }
    return found.reverse();
  }

  /** By the end of each prefix: the last piece of its likeliest split, and the start of that piece (Viterbi). */
  #bestPaths(symbols: readonly string[]): { numbers: Int32Array; starts: Int32Array } {
    const best = new Float64Array(symbols.length + 1);
    const numbers = new Int32Array(symbols.length + 1);
    const starts = new Int32Array(symbols.length + 1);
    const offer = (start: number, end: number, number: number): void => {
      const score = (best[start] ?? 0) + (number === UNKNOWN ? 0 : (this.#scores[number] ?? 0));
      // 0: nothing has reached this end. An equal score replaces the earlier one, as in the reference.
      if (best[end] !== 0 && score < (best[end] ?? 0)) return;
      best[end] = score;
      numbers[end] = number;
      starts[end] = start;
    };
    for (let start = 0; start < symbols.length; start += 1) {
      let isKnown = false;
      let piece = '';
      for (let end = start + 1; end <= symbols.length && end - start <= this.#longest; end += 1) {
        piece += symbols[end - 1];
        const number = this.#numbers.get(piece);
        if (number === undefined) continue;
        isKnown = true;
        offer(start, end, number);
      }
      if (!isKnown) offer(start, start + 1, UNKNOWN);
    }
    return { numbers, starts };
  }
}
