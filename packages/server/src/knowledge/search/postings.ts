import type { ScoreBoard } from './score-board.ts';

/** How much repetitions of a word count (BM25's k1), and how much length counts (its b). */
const K1 = 1.2;
const B = 0.75;
/** BM25 of an endlessly repeated word: scores are relative to it. */
export const BEST_WORD_SCORE = K1 + 1;

/**
 * Rarity is computed as if there were this many more texts, without any of the words: in a handful of articles a word
 * that two of them have is not common, and one that none has does not outweigh all others.
 */
const IMAGINED_TEXTS = 20;

const COUNT_BITS = 8;
const COUNT_MAX = (1 << COUNT_BITS) - 1;
const FIRST_CAPACITY = 4;

/**
 * Measured size of a term: its entry in the map with the word itself, and its share of the lists, which a tenth of the
 * terms have.
 */
const TERM_BYTES = 110;
const POSTING_BYTES = 8;

/** Slot and count of each text that has the term, packed in one number each. */
interface PostingList {
  packed: Int32Array;
  used: number;
}

const NOTHING: PostingList = { packed: new Int32Array(0), used: 0 };

/**
 * Inverted lists with BM25 over texts, identified by slot numbers that the caller assigns and may reuse after `remove`.
 * Holds at most 2^23 slots.
 */
export class Postings {
  /**
   * Most terms occur in one text: that posting is stored directly, because a list takes as much memory as forty of
   * them.
   */
  readonly #lists = new Map<string, PostingList | number>();
  readonly #single: PostingList = { packed: new Int32Array(1), used: 1 };
  #postings = 0;
  readonly #lengths: number[] = [];
  #texts = 0;
  #length = 0;

  get texts(): number {
    return this.#texts;
  }

  terms(): IterableIterator<string> {
    return this.#lists.keys();
  }

  has(term: string): boolean {
    return this.#lists.has(term);
  }

  /** How many texts have the term. */
  count(term: string): number {
    return this.#listOf(term).used;
  }

  /** Its approximate size in memory. */
  get bytes(): number {
    return TERM_BYTES * this.#lists.size + POSTING_BYTES * (this.#postings + this.#lengths.length);
  }

  /**
   * Rarity of a term, the highest for an unknown one. `presumed` is the share (0–1) of the imagined texts that have it.
   */
  idf(term: string, presumed = 0): number {
    const found = this.count(term) + IMAGINED_TEXTS * presumed;
    return Math.log(1 + (this.#texts + IMAGINED_TEXTS - found + 0.5) / (found + 0.5));
  }

  add(slot: number, counts: ReadonlyMap<string, number>): void {
    let length = 0;
    for (const [term, count] of counts) {
      length += count;
      this.#append(term, (slot << COUNT_BITS) | Math.min(count, COUNT_MAX));
    }
    this.#postings += counts.size;
    this.#lengths[slot] = length;
    this.#length += length;
    this.#texts += 1;
  }

  /** Removes texts; `terms` must name every term that one of them has. */
  remove(slots: ReadonlySet<number>, terms: Iterable<string>): void {
    for (const term of terms) {
      const list = this.#listOf(term);
      const before = list.used;
      let kept = 0;
      for (let at = 0; at < before; at += 1) {
        const entry = list.packed[at] ?? 0;
        if (slots.has(entry >> COUNT_BITS)) continue;
        list.packed[kept] = entry;
        kept += 1;
      }
      this.#postings -= before - kept;
      if (kept === 0) this.#lists.delete(term);
      else if (list !== this.#single) list.used = kept;
    }
    for (const slot of slots) {
      this.#length -= this.#lengths[slot] ?? 0;
      this.#lengths[slot] = 0;
      this.#texts -= 1;
    }
  }

  /**
   * Adds each text that has the term to the board: its BM25 for the term, times `weight`, and the concept's bit. With
   * `mayFind` false, only to texts on the board; for those that already have the bit, multiplied by `again` (0–1).
   */
  score(
    term: string,
    weight: number,
    bit: number,
    board: ScoreBoard,
    { mayFind = true, again = 1 } = {},
  ): void {
    const list = this.#listOf(term);
    if (list.used === 0) return;
    const scale = this.idf(term) * weight * BEST_WORD_SCORE;
    const perLength = (K1 * B * this.#texts) / this.#length;
    const lengths = this.#lengths;
    const { scores, masks, touched } = board;
    const { packed, used } = list;
    for (let at = 0; at < used; at += 1) {
      const entry = packed[at] ?? 0;
      const slot = entry >> COUNT_BITS;
      const before = scores[slot] ?? 0;
      if (before === 0) {
        if (!mayFind) continue;
        touched.push(slot);
      }
      const share = again < 1 && ((masks[slot] ?? 0) & (1 << bit)) !== 0 ? again : 1;
      if (share === 0) continue;
      const count = entry & COUNT_MAX;
      scores[slot] =
        before + (share * scale * count) / (count + K1 * (1 - B) + perLength * (lengths[slot] ?? 0));
      masks[slot] = (masks[slot] ?? 0) | (1 << bit);
    }
  }

  /** Slots of texts that have both terms, at most `most`. */
  slotsWithBoth(one: string, other: string, most: number): number[] {
    const [few, many] = this.count(one) < this.count(other) ? [one, other] : [other, one];
    const slots = new Set(this.#slots(few));
    const both: number[] = [];
    for (const slot of this.#slots(many)) {
      if (slots.has(slot)) both.push(slot);
      if (both.length === most) break;
    }
    return both;
  }

  *#slots(term: string): Generator<number, void> {
    const list = this.#lists.get(term);
    if (typeof list === 'number') yield list >> COUNT_BITS;
    else for (let at = 0; at < (list?.used ?? 0); at += 1) yield (list?.packed[at] ?? 0) >> COUNT_BITS;
  }

  /** Must be read before the next call: all single postings share one list. */
  #listOf(term: string): PostingList {
    const list = this.#lists.get(term);
    if (typeof list !== 'number') return list ?? NOTHING;
    this.#single.packed[0] = list;
    return this.#single;
  }

  #append(term: string, posting: number): void {
    const list = this.#lists.get(term);
    if (list === undefined) {
      this.#lists.set(term, posting);
      return;
    }
    if (typeof list === 'number') {
      const packed = new Int32Array(FIRST_CAPACITY);
      packed.set([list, posting]);
      this.#lists.set(term, { packed, used: 2 });
      return;
    }
    if (list.used === list.packed.length) {
      const larger = new Int32Array(list.used * 2);
      larger.set(list.packed);
      list.packed = larger;
    }
    list.packed[list.used] = posting;
    list.used += 1;
  }
}
