import type { Sentence } from '../../text/plain-text.ts';
import type { Passage } from './passages.ts';

/** One sentence of a passage, and how well it meets the question. */
export interface SentenceHit {
  readonly sentence: Sentence;
  /** Its line in the passage and its place in that line. */
  readonly line: number;
  readonly at: number;
  /** 0–1: BM25 by the best that the question could reach. */
  readonly score: number;
  /** 0–1: share of the question's information that it has. */
  readonly coverage: number;
}

/** A passage of an article that meets a question. */
export interface PassageHit {
  readonly passage: Passage;
  /** Its place in the article, from 0. */
  readonly place: number;
  /** What ranks the passages of one article; no measure across articles. */
  readonly value: number;
  /** 0–1: share of the question's information that it has, with its headings and the title. */
  readonly coverage: number;
  /** 0–1: share of the question's information that its headings and the title have by themselves. */
  readonly named: number;
  /** 0–1: the same of its own headings without the title. */
  readonly headed: number;
  /** Its sentences that have any word of the question, best first. */
  readonly sentences: readonly SentenceHit[];
}

/** How like a question an article's likest sentence, heading or title is: all 0–1, each worked out when it is first read. */
export interface Likeness {
  /** How far it and the question say the same, neither of them more. */
  readonly sameness: number;
  /** The same of the title. */
  readonly titleSameness: number;
  /** By words, neighbours and parts of words, each by its rarity; 0 where nothing was learned. */
  readonly closeness: number;
}

/** An article that meets a question. */
export interface SearchHit {
  /** The best of `passages`. */
  readonly passage: Passage;
  /** What ranks the articles: 0–1 by their words, and where something was learned, up to about 0.3 more. */
  readonly score: number;
  /** Whether the score holds what was learned. */
  readonly learned: boolean;
  /** 0–1: share of the question's information (its words by their rarity) that the article has. */
  readonly coverage: number;
  /** How much the question says: the information of its words, by that of one that no article has; the same for each of its hits. */
  readonly information: number;
  /** Whether it is written in sentences; else it lists what people say, as samples of questions do. */
  readonly isProse: boolean;
  /** How like the question it is, as a whole. */
  readonly likeness: Likeness;
  /** All its passages, best first. */
  readonly passages: readonly PassageHit[];
}
