import { beforeAll, expect, test } from 'vitest';
import { speak } from '../../language.ts';
import { ruleSentence } from './rule-words.ts';

beforeAll(() => speak('en'));

/** Without the marks that keep each part's direction. */
const said = (...of: Parameters<typeof ruleSentence>): string =>
  ruleSentence(...of).replace(/[\u2068\u2069]/g, '');
const rule = { words: [], pages: [], segment_ids: [], hours: 'any' as const };

test('a rule reads as one sentence of all its conditions', () => {
  expect(said({ ...rule, words: ['refund*', 'money back'] }, [])).toBe(
    'When the message contains “refund*”, “money back”.',
  );
  const all = { words: ['a'], pages: ['/checkout'], segment_ids: [2, 9], hours: 'closed' as const };
  expect(said(all, [{ id: 2, name: 'VIP' }])).toBe(
    'When the message contains “a”, and the chat started on /checkout, and the visitor is in “VIP”, “segment 9”, and it’s outside office hours.',
  );
  expect(said(rule, [])).toBe('No conditions yet.');
});

test('of many words only the first are shown', () => {
  const words = ['one', 'two', 'three', 'four', 'five', 'six'];
  expect(said({ ...rule, words }, [])).toBe(
    'When the message contains “one”, “two”, “three”, “four”, 2 more.',
  );
});

test('a right-to-left phrase does not reverse the one after it', () => {
  expect(ruleSentence({ ...rule, words: ['استرداد', '2 lamps'] }, [])).toBe(
    'When the message contains \u2068“استرداد”\u2069, \u2068“2 lamps”\u2069.',
  );
});
