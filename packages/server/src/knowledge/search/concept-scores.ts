import { BEST_WORD_SCORE, type Postings } from './postings.ts';
import type { Concept } from './question.ts';
import type { ScoreBoard } from './score-board.ts';

/**
 * A question of grammar words alone ("are you there?") asks for nothing that an article could answer, though many an
 * article has all of it: its score is relative to at least this share of a rare word's.
 */
const LEAST_SAID = 0.45;
/** The factor for each further word with the same meaning as a matched one. */
const SAID_AGAIN = 0.5;
/** The weight of a synonym, compared with the asked word. */
const SYNONYM_WEIGHT = 0.6;

/** Adds a concept's score to each slot, times `scale`, and sets `bit` in the slot's mask. */
export function scoreConcept(
  { terms, synonyms, weight }: Concept,
  scale: number,
  bit: number,
  postings: Postings,
  board: ScoreBoard,
  mayFind: (term: string) => boolean = () => true,
): void {
  const rarity = rarityOf(terms, postings);
  for (const [place, term] of terms.entries()) {
    const most = Math.min(1, rarity / postings.idf(term));
    postings.score(term, most * weight * scale, bit, board, {
      mayFind: mayFind(term),
      again: place > 0 ? SAID_AGAIN : 1,
    });
  }
  for (const term of synonyms) {
    const most = Math.min(1, rarity / postings.idf(term));
    postings.score(term, SYNONYM_WEIGHT * most * weight * scale, bit, board, {
      mayFind: mayFind(term),
      again: 0,
    });
  }
}

function rarityOf(terms: readonly string[], postings: Postings): number {
  return Math.min(...terms.map((term) => postings.idf(term)));
}

/** The best possible score of the question; higher for a question that says almost nothing. */
export function bestScore(concepts: readonly Concept[], postings: Postings): number {
  const rarities = concepts.reduce((sum, { terms, weight }) => sum + rarityOf(terms, postings) * weight, 0);
  return Math.max(rarities, LEAST_SAID * postings.idf('')) * BEST_WORD_SCORE;
}

/** 0–1: the share of the question's information that the concepts of a mask contain. */
export function coverageOf(mask: number, concepts: readonly Concept[]): number {
  let covered = 0;
  let all = 0;
  for (const [bit, { information }] of concepts.entries()) {
    all += information;
    if ((mask & (1 << bit)) !== 0) covered += information;
  }
  return all === 0 ? 0 : covered / all;
}
