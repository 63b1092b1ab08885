import type { HandoffRule } from '@foyer/protocol';
import { describe, expect, test } from 'vitest';
import { causeOfHandoff, type Occasion } from './handoff-cause.ts';

const rule = (parts: Partial<HandoffRule>): HandoffRule => ({
  id: 1,
  name: 'Money',
  words: [],
  pages: [],
  segment_ids: [],
  hours: 'any',
  enabled: true,
  ...parts,
});
const said = (question: string, parts: Partial<Occasion> = {}): Occasion => ({
  question,
  pageUrl: 'https://shop.example/checkout/pay?token=1',
  segmentIds: [],
  open: true,
  ...parts,
});
const cause = (parts: Partial<HandoffRule>, occasion: Occasion) => causeOfHandoff([rule(parts)], occasion);

describe('words of a rule', () => {
  test.each([
    [['refund'], 'I want a REFUND, please'],
    [['money back'], 'Give me my money  back!'],
    [['refund*'], 'are you refunding that?'],
    [['Rückgabe'], 'eine ruckgabe bitte'],
    [['退款'], '我想要退款'],
    [["don't work"], 'the lamps don’t work'],
    [['other', 'refund'], 'refund'],
  ])('%j match %j', (words, question) => {
    expect(cause({ words }, said(question))).toMatch(/^Rule “Money”: the visitor wrote “/);
  });

  test.each([
    [['refund'], 'are you refunding that?'],
    [['money back'], 'back comes the money'],
    [['.*'], 'anything'],
    [['(a+)+$'], `${'a'.repeat(100_000)}!`],
    [['*'], 'anything'],
    [['fund'], 'refund'],
  ])('%j do not match %j: they are no pattern', (words, question) => {
    expect(cause({ words }, said(question))).toBeUndefined();
  });
});

describe('pages of a rule', () => {
  test.each([
    '/checkout',
    '/checkout/',
    '/Checkout',
    'shop.example/checkout',
    'https://shop.example/checkout/pay',
    'shop.example',
  ])('%s matches', (page) => {
    expect(cause({ pages: [page] }, said('hello'))).toContain(`the chat began on ${page}`);
  });
  test.each(['/check', '/pay', 'example/checkout', 'other.example/checkout', 'checkout'])(
    '%s does not',
    (page) => {
      expect(cause({ pages: [page] }, said('hello'))).toBeUndefined();
    },
  );
  test('a chat that began nowhere is on no page', () => {
    for (const pageUrl of [null, '', 'nowhere']) {
      expect(cause({ pages: ['/checkout'] }, said('hello', { pageUrl }))).toBeUndefined();
    }
  });
});

test('all conditions must be met', () => {
  const parts = { words: ['refund'], segment_ids: [4], hours: 'closed' as const };
  const occasion = said('refund', { segmentIds: [3, 4], open: false });
  expect(cause(parts, occasion)).toBe(
    'Rule “Money”: the visitor wrote “refund”, the visitor is in its segment, outside of office hours.',
  );
  expect(cause(parts, { ...occasion, open: true })).toBeUndefined();
  expect(cause(parts, { ...occasion, segmentIds: [3] })).toBeUndefined();
  expect(cause(parts, { ...occasion, question: 'return' })).toBeUndefined();
});

test('a disabled rule never applies, and the first matching one is named', () => {
  const rules = [
    rule({ name: 'Off', words: ['refund'], enabled: false }),
    rule({ name: 'First', words: ['refund'] }),
    rule({ name: 'Second', words: ['refund'] }),
  ];
  expect(causeOfHandoff(rules, said('refund'))).toContain('“First”');
});
