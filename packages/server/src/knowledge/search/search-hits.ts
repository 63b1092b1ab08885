import type { Sentence } from '../../text/plain-text.ts';
import type { Passage } from './passages.ts';

/** One sentence of a passage, and how well it matches the question. */
export interface SentenceHit {
  readonly sentence: Sentence;
  /** The index of its line in the passage, and its own in that line. */
  readonly line: number;
  readonly at: number;
  /** 0–1: BM25 relative to the best possible score of the question. */
  readonly score: number;
  /** 0–1: the share of the question's information that it contains. */
  readonly coverage: number;
}

/** A passage of an article that matches a question. */
export interface PassageHit {
  readonly passage: Passage;
  /** Its index in the article, from 0. */
  readonly place: number;
  /** Ranks the passages of one article; not comparable across articles. */
  readonly value: number;
  /** 0–1: the share of the question's information that it contains, with its headings and the title. */
  readonly coverage: number;
  /** 0–1: the share of the question's information that its headings and the title contain alone. */
  readonly named: number;
  /** 0–1: the same for its own headings without the title. */
  readonly headed: number;
  /** Its sentences with any word of the question, best first. */
  readonly sentences: readonly SentenceHit[];
}

/**
 * The similarity between a question and an article's most similar sentence, heading or title: all 0–1, each computed
 * when it is first read.
 */
export interface Likeness {
  /** How far it and the question mean the same, neither of them more. */
  readonly sameness: number;
  /** The same for the title. */
  readonly titleSameness: number;
  /** By words, pairs and n-grams, each by its rarity; 0 if nothing was learned. */
  readonly closeness: number;
}

/** An article that matches a question. */
export interface SearchHit {
  /** The best of `passages`. */
  readonly passage: Passage;
  /** Ranks the articles: 0–1 by their words, and with a learned model up to about 0.3 more. */
  readonly score: number;
  /** Whether the score includes a learned model. */
  readonly learned: boolean;
  /** 0–1: the share of the question's information (its words by their rarity) that the article contains. */
  readonly coverage: number;
  /**
   * How much the question says: the information of its words, relative to that of an unknown word; the same for each of
   * its hits.
   */
  readonly information: number;
  /** Whether it is written in sentences; otherwise it lists what people say, such as samples of questions. */
  readonly isProse: boolean;
  /** The similarity between it and the question, as a whole. */
  readonly likeness: Likeness;
  /** 0–1: how near its nearest passage is in meaning. Undefined without vectors, and where they don't count. */
  readonly nearness: number | undefined;
  /** All its passages, best first. */
  readonly passages: readonly PassageHit[];
}
