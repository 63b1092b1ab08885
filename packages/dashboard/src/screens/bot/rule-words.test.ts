import { beforeAll, expect, test } from 'vitest';
import { speak } from '../../language.ts';
import { phrasesOf, ruleSentence } from './rule-words.ts';

beforeAll(() => speak('en'));

const rule = { words: [], pages: [], segment_ids: [], hours: 'any' as const };

test('a rule reads as one sentence of all its conditions', () => {
  expect(ruleSentence({ ...rule, words: ['refund*', 'money back'] }, [])).toBe(
    'When the message has “refund*”, “money back”.',
  );
  const all = { words: ['a'], pages: ['/checkout'], segment_ids: [2, 9], hours: 'closed' as const };
  expect(ruleSentence(all, [{ id: 2, name: 'VIP' }])).toBe(
    'When the message has “a”, and the chat began on /checkout, and the visitor is in “VIP”, “segment 9”, and it is outside of office hours.',
  );
  expect(ruleSentence(rule, [])).toBe('Nothing is set yet.');
});

test('of many words the first are told', () => {
  const words = ['one', 'two', 'three', 'four', 'five', 'six'];
  expect(ruleSentence({ ...rule, words }, [])).toBe(
    'When the message has “one”, “two”, “three”, “four”, 2 more.',
  );
});

test('phrases are one a line, each once', () => {
  expect(phrasesOf(' refund\nmoney back\n\nrefund\n')).toEqual(['refund', 'money back']);
});
