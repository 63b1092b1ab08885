import { describe, expect, test } from 'vitest';
import type { LearnedModel } from './learned-model.ts';
import { type LearnableArticle, learning } from './learning.ts';

const SUBJECTS = ['bicycles', 'umbrellas', 'kettles', 'curtains', 'candles', 'mirrors', 'carpets', 'drawers'];
const articles: LearnableArticle[] = SUBJECTS.map((subject, at) => ({
  articleId: 100 + at,
  samples: [
    subject,
    `where can I buy ${subject}`,
    `do you repair old ${subject}`,
    `my ${subject} arrived late`,
  ],
}));

function learned(from: readonly LearnableArticle[]): LearnedModel {
  const steps = learning(from);
  let step = steps.next();
  while (!step.done) step = steps.next();
  if (step.value === undefined) throw new Error('nothing was learned');
  return step.value;
}

const likest = (model: LearnedModel, question: string): number | undefined =>
  model.articleIds[
    model.likeness(question).reduce((best, value, at, all) => (value > (all[best] ?? 0) ? at : best), 0)
  ];

describe('the model that is learned from articles', () => {
  const model = learned(articles);

  test('recognises whose sentence a question resembles, even with typing errors', () => {
    for (const [at, subject] of SUBJECTS.entries()) {
      expect(likest(model, `are ${subject} repaired here`)).toBe(100 + at);
      expect(likest(model, `${subject.slice(0, 4)}${subject.slice(5)}`)).toBe(100 + at);
    }
  });

  test('gives low values for what none of them says', () => {
    const strange = Math.max(...model.likeness('parliament votes tomorrow'));
    const known = Math.max(...model.likeness('do you repair kettles'));
    expect(strange).toBeLessThan(known / 3);
  });

  test('is the same for the same articles', () => {
    expect(learned(articles).likeness('kettles and mirrors')).toEqual(model.likeness('kettles and mirrors'));
  });

  test('does not exist for a few articles: they only teach how they differ', () => {
    expect(learning(articles.slice(0, 7)).next()).toEqual({ done: true, value: undefined });
  });

  test.each([
    ['nothing', ''],
    ['a very long text', 'kettle '.repeat(50_000)],
    ['half characters', '\ud83d'.repeat(5_000)],
  ])('is a number for %s', (_, question) => {
    for (const value of model.likeness(question)) expect(Number.isFinite(value)).toBe(true);
  });

  test('accepts articles without a sentence', () => {
    expect(likest(learned([...articles, { articleId: 999, samples: [] }]), 'old candles')).toBe(104);
  });
});
