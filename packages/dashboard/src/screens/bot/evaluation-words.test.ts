import { beforeAll, expect, test } from 'vitest';
import { speak } from '../../language.ts';
import { changeOf, deedWords, figuresOf, percent } from './evaluation-words.ts';

beforeAll(() => speak('en'));

const NONE = { right: 0, wrong: 0, silent: 0, handed_off: 0 };
const tally = {
  article: { right: 6, wrong: 1, silent: 2, handed_off: 1 },
  unknown: { right: 8, wrong: 2, silent: 0, handed_off: 0 },
  handoff: NONE,
  void: 1,
};

test('answers to unanswerable questions count as wrong; void questions count nowhere', () => {
  expect(figuresOf({ tally }).map(({ key, part, of }) => [key, part, of])).toEqual([
    ['right', 6, 10],
    ['wrong', 3, 20],
    ['silent', 2, 10],
    ['handed_off', 1, 20],
  ]);
});

test('a share of nothing is none', () => {
  expect(percent(0, 0)).toBe('–');
  expect(percent(1, 3)).toBe('33%');
});

test('a change is shown in points if both evaluations have such questions', () => {
  const [now] = figuresOf({ tally });
  const [before] = figuresOf({ tally: { ...tally, article: { ...NONE, right: 5, silent: 5 } } });
  const [none] = figuresOf({ tally: { ...tally, article: NONE } });
  if (!now || !before || !none) throw new Error('there are four figures');
  expect(changeOf(now, before)).toEqual({ points: 10, better: true, text: '10 points better' });
  expect(changeOf(before, now)).toEqual({ points: -10, better: false, text: '10 points worse' });
  expect(changeOf(now, now)?.points).toBe(0);
  expect(changeOf(now, none)).toBeUndefined();
});

test('what the bot did is shown in words', () => {
  expect(deedWords('unknown')).toBe('Said it doesn’t know');
  expect(deedWords('clarify')).toBe('Asked for clarification');
});
