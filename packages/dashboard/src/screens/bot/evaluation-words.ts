import type { Evaluation, EvaluationOutcome, EvaluationTally, Expectation } from '@foyer/protocol';

export const OUTCOME_WORDS: Record<EvaluationOutcome, string> = {
  right: 'Right',
  wrong: 'Wrong answer',
  silent: 'False silence',
  handed_off: 'Handed off',
  void: 'Article is gone',
};

export const OUTCOME_TONES = {
  right: 'good',
  wrong: 'danger',
  silent: 'warn',
  handed_off: 'warn',
  void: 'plain',
} as const satisfies Record<EvaluationOutcome, string>;

export const EXPECTATION_WORDS: Record<Expectation, string> = {
  article: 'An article answers it',
  unknown: 'The bot says that it doesn’t know',
  handoff: 'A person is called',
};

/** What the bot did, where it named no article. */
export function deedWords(kind: string): string {
  switch (kind) {
    case 'unknown':
      return 'Said that it doesn’t know';
    case 'handoff':
      return 'Called a person';
    case 'small_talk':
      return 'Small talk';
    case 'answer':
      return 'Answered';
    default:
      return 'Asked back';
  }
}

export interface Figure {
  key: 'right' | 'wrong' | 'silent' | 'handed_off';
  label: string;
  part: number;
  of: number;
  /** Whether more of it is better. */
  more: 'better' | 'worse';
}

const sum = (counts: EvaluationTally['article']): number =>
  counts.right + counts.wrong + counts.silent + counts.handed_off;

/** The four figures that tell how good the bot is. */
export function figuresOf({ tally }: Pick<Evaluation, 'tally'>): Figure[] {
  const { article, unknown, handoff } = tally;
  const answerable = sum(article);
  const all = answerable + sum(unknown) + sum(handoff);
  return [
    { key: 'right', label: 'Right answers', part: article.right, of: answerable, more: 'better' },
    {
      key: 'wrong',
      label: 'Wrong answers',
      part: article.wrong + unknown.wrong + handoff.wrong,
      of: all,
      more: 'worse',
    },
    {
      key: 'silent',
      label: 'False silence',
      part: article.silent + handoff.silent,
      of: answerable + sum(handoff),
      more: 'worse',
    },
    {
      key: 'handed_off',
      label: 'Handed off',
      part: article.handed_off + unknown.handed_off,
      of: answerable + sum(unknown),
      more: 'worse',
    },
  ];
}

export const percent = (part: number, of: number): string =>
  of === 0 ? '–' : `${Math.round((100 * part) / of)} %`;

/** By how many points a share has changed since an earlier run; undefined where one has no such questions. */
export function changeOf(
  now: Figure,
  before: Figure,
): { points: number; better: boolean; text: string } | undefined {
  if (now.of === 0 || before.of === 0) return undefined;
  const points = Math.round((100 * now.part) / now.of) - Math.round((100 * before.part) / before.of);
  const better = now.more === 'better' ? points > 0 : points < 0;
  const many = Math.abs(points);
  return {
    points,
    better,
    text: `${many} ${many === 1 ? 'point' : 'points'} ${better ? 'better' : 'worse'}`,
  };
}
