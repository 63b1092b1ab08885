import type { HandoffRule } from '@foyer/protocol';
import { expect, test } from 'vitest';
import type { Decision } from '../answer/answer.ts';
import { decide, type Situation } from './turn-rules.ts';

const RULE: HandoffRule = {
  id: 1,
  name: 'Money',
  words: ['refund'],
  pages: [],
  segment_ids: [],
  hours: 'any',
  enabled: true,
};
const KNOWN: Decision = { kind: 'answer', text: 'Thirty days.', sources: [], confidence: 1 };

const decisionIn = (parts: Partial<Situation>): Decision =>
  decide(
    { question: '', rules: [], isOff: false, pageUrl: null, segmentIds: [], open: true, ...parts },
    () => KNOWN,
  );

test('a question that no rule decides is answered from knowledge, and only then is knowledge asked', () => {
  expect(decisionIn({ question: 'How long may I send it back?' })).toBe(KNOWN);
  const never = (): Decision => {
    throw new Error('not to be asked');
  };
  const situation = { rules: [], isOff: false, pageUrl: null, segmentIds: [], open: true };
  expect(decide({ ...situation, question: 'a human please' }, never)).toMatchObject({ kind: 'handoff' });
  expect(decide({ ...situation, question: 'hello' }, never)).toMatchObject({ kind: 'small_talk' });
});

test('a request for a person goes before the rules of the site, and those before small talk', () => {
  const rules = [{ ...RULE, words: ['human', 'hello'] }];
  expect(decisionIn({ rules, question: 'a human please' })).toMatchObject({ reason: 'visitor_request' });
  expect(decisionIn({ rules, question: 'hello' })).toMatchObject({ reason: 'rule' });
  expect(decisionIn({ question: 'hello' })).toMatchObject({ kind: 'small_talk' });
});

test('a message of files alone is no question, and knowledge is not asked', () => {
  expect(decisionIn({ question: ' ' })).toEqual({ kind: 'files' });
});

test('a bot that is switched off says why before any rule does', () => {
  const rules = [RULE];
  expect(decisionIn({ rules, isOff: true, question: 'refund' })).toMatchObject({
    why: 'The bot is off.',
  });
});

test('a rule for closed hours is met by the clock alone', () => {
  const rules: HandoffRule[] = [{ ...RULE, words: [], hours: 'closed' }];
  expect(decisionIn({ rules, question: 'How long?', open: true })).toBe(KNOWN);
  expect(decisionIn({ rules, question: 'How long?', open: false })).toMatchObject({ reason: 'rule' });
});
