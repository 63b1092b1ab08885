import type { Evaluation, EvaluationOutcome, EvaluationTally } from '@foyer/protocol';
import { t } from './t.ts';

export const OUTCOME_TONES = {
  right: 'good',
  wrong: 'danger',
  silent: 'warn',
  handed_off: 'warn',
  void: 'plain',
} as const satisfies Record<EvaluationOutcome, string>;

/** What the bot did if it named no article. */
export function deedWords(kind: string): string {
  switch (kind) {
    case 'unknown':
      return t('deed_unknown');
    case 'handoff':
      return t('deed_handoff');
    case 'small_talk':
      return t('deed_small_talk');
    case 'answer':
      return t('deed_answer');
    default:
      return t('deed_clarify');
  }
}

export interface Figure {
  key: 'right' | 'wrong' | 'silent' | 'handed_off';
  part: number;
  of: number;
  /** Whether more of it is better. */
  more: 'better' | 'worse';
}

const sum = (counts: EvaluationTally['article']): number =>
  counts.right + counts.wrong + counts.silent + counts.handed_off;

/** The four figures that show how good the bot is. */
export function figuresOf({ tally }: Pick<Evaluation, 'tally'>): Figure[] {
  const { article, unknown, handoff } = tally;
  const answerable = sum(article);
  const all = answerable + sum(unknown) + sum(handoff);
  return [
    { key: 'right', part: article.right, of: answerable, more: 'better' },
    {
      key: 'wrong',
      part: article.wrong + unknown.wrong + handoff.wrong,
      of: all,
      more: 'worse',
    },
    {
      key: 'silent',
      part: article.silent + handoff.silent,
      of: answerable + sum(handoff),
      more: 'worse',
    },
    {
      key: 'handed_off',
      part: article.handed_off + unknown.handed_off,
      of: answerable + sum(unknown),
      more: 'worse',
    },
  ];
}

/** A share in whole percent; a dash if the total is zero. */
export const percent = (part: number, of: number): string =>
  of === 0 ? '–' : t('percent', { number: Math.round((100 * part) / of) });

/** By how many points a share has changed since an earlier run; undefined where one has no such questions. */
export function changeOf(
  now: Figure,
  before: Figure,
): { points: number; better: boolean; text: string } | undefined {
  if (now.of === 0 || before.of === 0) return undefined;
  const points = Math.round((100 * now.part) / now.of) - Math.round((100 * before.part) / before.of);
  const better = now.more === 'better' ? points > 0 : points < 0;
  return {
    points,
    better,
    text: t(better ? 'points_better' : 'points_worse', { count: Math.abs(points) }),
  };
}
