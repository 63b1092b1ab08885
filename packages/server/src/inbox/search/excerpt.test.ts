import { expect, test } from 'vitest';
import { excerptOf, hitsIn, questionOf } from './excerpt.ts';

/** With the hits in brackets. */
const shown = (text: string, q: string): string =>
  excerptOf(text, questionOf(q))
    .map((piece) => (piece.hit ? `[${piece.text}]` : piece.text))
    .join('');

test.each([
  [
    'the last word is a beginning, the others are whole',
    'A red lantern and reddish',
    'red lan',
    'A [red] [lantern] and reddish',
  ],
  ['case, accents and endings make no difference', 'Die RÉFUNDS kamen', 'refund', 'Die [RÉFUNDS] kamen'],
  ['a word with an apostrophe is marked as a whole', 'You don’t say', 'dont', 'You [don’t] say'],
  ['Chinese is marked by characters', '我想要退款谢谢', '退款', '我想要[退款]谢谢'],
  ['marks and brackets stay text', '<b>lantern</b> & <script>', 'lantern', '<b>[lantern]</b> & <script>'],
  ['lines become one', 'one\n\n  lantern\ttwo', 'lantern', 'one [lantern] two'],
])('%s', (_, text, q, wanted) => {
  expect(shown(text, q)).toBe(wanted);
});

test('of a long text the place with the most words close together is shown, its hit near the beginning', () => {
  const text = `${'lantern and more of it, '.repeat(20)}my blue lantern is broken ${'and so on '.repeat(40)}`;
  const excerpt = shown(text, 'blue lantern');
  expect(excerpt).toMatch(/^….{0,30}\[blue\] \[lantern\] is broken .*…$/);
  expect(excerpt.length).toBeLessThan(180);
});

test('hostile text costs no more than its length', () => {
  const text = 'a lantern '.repeat(400) + '\u0301'.repeat(2_000);
  expect(hitsIn(text, questionOf('lantern a'))).toBe(2);
  expect(excerptOf(text, questionOf('lantern a')).length).toBeLessThan(80);
  expect(shown('😀 [lantern] '.repeat(30), 'lantern').isWellFormed()).toBe(true);
});
