import type { HandoffRule } from '@foyer/protocol';
import { expect, test } from 'vitest';
import type { Decision } from '../answer/answer.ts';
import { afterKnowledge, decideByRule, type Situation } from './turn-rules.ts';

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

const PLAIN: Omit<Situation, 'question'> = {
  rules: [],
  isOff: false,
  pageUrl: null,
  segmentIds: [],
  open: true,
  language: 'en',
};
const UNKNOWN: Decision = { kind: 'unknown', confidence: 0 };

const decisionIn = (parts: Partial<Situation>): Decision =>
  decideByRule({ ...PLAIN, question: '', ...parts })?.decision ?? KNOWN;

test('a question that no rule decides is left to knowledge', () => {
  expect(decideByRule({ ...PLAIN, question: 'How long may I send it back?' })).toBeUndefined();
  expect(decideByRule({ ...PLAIN, question: 'a human please' })?.decision).toMatchObject({ kind: 'handoff' });
  expect(decideByRule({ ...PLAIN, question: 'hello' })?.decision).toMatchObject({ kind: 'small_talk' });
});

test('a possible complaint goes to a person if no article answers it', () => {
  const question = 'My order is two weeks late and nobody replies to my emails.';
  expect(afterKnowledge({ ...PLAIN, question }, KNOWN).decision).toBe(KNOWN);
  expect(afterKnowledge({ ...PLAIN, question }, UNKNOWN).decision).toMatchObject({
    kind: 'handoff',
    reason: 'rule',
    why: 'The visitor has a complaint.',
  });
  expect(afterKnowledge({ ...PLAIN, question: 'Do you ship to Norway?' }, UNKNOWN).decision).toBe(UNKNOWN);
});

test('the team sees that a chat is about a callback or an emergency', () => {
  expect(decisionIn({ question: 'please call me back on 0151 555 0123 after 5 pm' })).toEqual({
    kind: 'handoff',
    reason: 'visitor_request',
    why: 'The visitor asked for a callback.',
  });
  expect(decisionIn({ question: 'I smell gas in the kitchen, please help' })).toMatchObject({
    why: 'The visitor reports an emergency.',
  });
});

test('a request for a person comes before the rules of the site, and those before small talk', () => {
  const rules = [{ ...RULE, words: ['human', 'hello'] }];
  expect(decisionIn({ rules, question: 'a human please' })).toMatchObject({ reason: 'visitor_request' });
  expect(decisionIn({ rules, question: 'hello' })).toMatchObject({ reason: 'rule' });
  expect(decisionIn({ question: 'hello' })).toMatchObject({ kind: 'small_talk' });
});

test('a message of files alone is no question, and knowledge is not asked', () => {
  expect(decisionIn({ question: ' ' })).toEqual({ kind: 'files' });
});

test('a switched-off bot says why before any rule applies', () => {
  const rules = [RULE];
  expect(decisionIn({ rules, isOff: true, question: 'refund' })).toMatchObject({
    why: 'The bot is off.',
  });
});

test('a rule for closed hours depends on the time alone', () => {
  const rules: HandoffRule[] = [{ ...RULE, words: [], hours: 'closed' }];
  expect(decisionIn({ rules, question: 'How long?', open: true })).toBe(KNOWN);
  expect(decisionIn({ rules, question: 'How long?', open: false })).toMatchObject({ reason: 'rule' });
});
