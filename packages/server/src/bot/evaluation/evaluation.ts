import type { EvaluationOutcome, EvaluationTally, Expectation } from '@foyer/protocol';
import { idOfKind } from '../../knowledge/search/source-ids.ts';
import type { Decision } from '../answer/answer.ts';

/** A question and its expected answer. */
interface Expected {
  readonly question: string;
  readonly expects: Expectation;
  /** Null if no article is expected, or the expected one was deleted. */
  readonly articleId: number | null;
}

/** How the bot reacted to a question, as it is stored. */
export interface Verdict {
  readonly outcome: EvaluationOutcome;
  readonly kind: Decision['kind'];
  readonly answer: string | null;
  readonly article: { readonly id: number; readonly title: string } | null;
  readonly confidence: number | null;
}

/** How much of the answer is stored: enough to recognise it. */
const ANSWER_KEPT_CHARS = 400;

const NONE = { right: 0, wrong: 0, silent: 0, handed_off: 0 };
/** A new object each time, so that `addToTally` can change it. */
export const emptyTally = (): EvaluationTally => ({
  article: { ...NONE },
  unknown: { ...NONE },
  handoff: { ...NONE },
  void: 0,
});

/**
 * Whether the bot was right. Small talk and asking back claim nothing: right if nothing is known, silent if an
 * article would have answered.
 */
function outcomeOf(expected: Expected, decision: Decision): EvaluationOutcome {
  const { expects, articleId } = expected;
  if (expects === 'article' && articleId === null) return 'void';
  if (decision.kind === 'handoff') return expects === 'handoff' ? 'right' : 'handed_off';
  if (decision.kind !== 'answer') return expects === 'unknown' ? 'right' : 'silent';
  const fits = expects === 'article' && decision.sources.some((source) => source.article_id === articleId);
  return fits ? 'right' : 'wrong';
}

/** Judges one decision of the bot. */
export function judge(expected: Expected, decision: Decision): Verdict {
  const [source] = decision.kind === 'answer' ? decision.sources : [];
  return {
    outcome: outcomeOf(expected, decision),
    kind: decision.kind,
    answer: 'text' in decision ? shortened(decision.text) : null,
    article:
      source && idOfKind('article', source.article_id) !== null
        ? { id: source.article_id, title: source.title }
        : null,
    confidence: 'confidence' in decision ? Math.round(decision.confidence * 1_000) / 1_000 : null,
  };
}

/** Changes `tally` in place. Void outcomes are counted together, whatever was expected. */
export function addToTally(tally: EvaluationTally, expects: Expectation, outcome: EvaluationOutcome): void {
  if (outcome === 'void') tally.void += 1;
  else tally[expects][outcome] += 1;
}

function shortened(text: string): string {
  return text.length <= ANSWER_KEPT_CHARS ? text : `${text.slice(0, ANSWER_KEPT_CHARS - 1).toWellFormed()}…`;
}
