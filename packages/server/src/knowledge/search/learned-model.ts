import { FEATURE_KINDS, type FeatureSpace } from './features.ts';

/** The learned weights of one article's features. */
export interface LearnedArticle {
  readonly articleId: number;
  readonly offset: number;
  readonly features: Int32Array;
  readonly weights: Float32Array;
}

/** Below this, indexes fit into 16 bits. */
const SMALL_MAX = 1 << 16;

/**
 * Predicts by words, pairs and n-grams which articles a question resembles: a linear classifier per article, stored by
 * feature, so that a question reads only its own features.
 */
export class LearnedModel {
  readonly #space: FeatureSpace;
  readonly #articleIds: readonly number[];
  readonly #offsets: Float32Array;
  /** Where each feature's entries start in `#articles` and `#weights`. */
  readonly #starts: Int32Array;
  readonly #articles: Uint16Array | Int32Array;
  readonly #weights: Float32Array;
  /** The average article's score for an empty question. */
  readonly #nothing: number;

  constructor(space: FeatureSpace, learned: readonly LearnedArticle[]) {
    this.#space = space;
    this.#articleIds = learned.map(({ articleId }) => articleId);
    this.#offsets = Float32Array.from(learned, ({ offset }) => offset);
    this.#nothing = this.#offsets.reduce((sum, offset) => sum + offset, 0) / learned.length;
    this.#starts = new Int32Array(space.features + 1);
    for (const { features } of learned)
      for (const feature of features) this.#starts[feature + 1] = (this.#starts[feature + 1] ?? 0) + 1;
    for (let at = 1; at < this.#starts.length; at += 1)
      this.#starts[at] = (this.#starts[at] ?? 0) + (this.#starts[at - 1] ?? 0);
    const size = this.#starts.at(-1) ?? 0;
    this.#articles = learned.length <= SMALL_MAX ? new Uint16Array(size) : new Int32Array(size);
    this.#weights = new Float32Array(size);
    const next = this.#starts.slice();
    for (const [place, { features, weights }] of learned.entries()) {
      for (const [at, feature] of features.entries()) {
        const entry = next[feature] ?? 0;
        next[feature] = entry + 1;
        this.#articles[entry] = place;
        this.#weights[entry] = weights[at] ?? 0;
      }
    }
  }

  /** Its size in memory, with its features. */
  get bytes(): number {
    const arrays = [this.#starts, this.#articles, this.#weights, this.#offsets];
    return this.#space.bytes + arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /** The article at each index of `likeness`. */
  get articleIds(): readonly number[] {
    return this.#articleIds;
  }

  /** For a question: its cosine similarity (0–1) to any other text, by all features. */
  cosineTo(question: string): (text: string) => number {
    const { features, weights } = this.#space.vectorOf(question);
    const asked = new Map(Array.from(features, (feature, at) => [feature, weights[at] ?? 0]));
    return (text) => {
      const other = this.#space.vectorOf(text);
      let sum = 0;
      for (let at = 0; at < other.features.length; at += 1)
        sum += (asked.get(other.features[at] ?? 0) ?? 0) * (other.weights[at] ?? 0);
      return sum / FEATURE_KINDS;
    };
  }

  /**
   * How much more a question resembles each article than an empty one does: 0 is no more, about 2 are the article's own
   * sentences, and less than 0 are sentences of other articles.
   */
  likeness(question: string): Float64Array {
    const { features, weights } = this.#space.vectorOf(question);
    const sums = Float64Array.from(this.#offsets, (offset) => offset - this.#nothing);
    for (let at = 0; at < features.length; at += 1) {
      const feature = features[at] ?? 0;
      const weight = weights[at] ?? 0;
      const end = this.#starts[feature + 1] ?? 0;
      for (let entry = this.#starts[feature] ?? 0; entry < end; entry += 1) {
        const place = this.#articles[entry] ?? 0;
        sums[place] = (sums[place] ?? 0) + weight * (this.#weights[entry] ?? 0);
      }
    }
    return sums;
  }
}
