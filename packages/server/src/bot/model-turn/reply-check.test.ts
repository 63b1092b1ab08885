import { describe, expect, test } from 'vitest';
import { splitArticle } from '../../knowledge/search/passages.ts';
import { ReplyCheck } from './reply-check.ts';

const passages = splitArticle({
  id: 7,
  title: 'Returns',
  body: '## How\n\nSend it **back** within “30 days” of its delivery.\n\n## No\n\nAsk us.',
});
const check = new ReplyCheck({
  passages,
  situation: { moments: 'Now: Saturday, 28 November 2026 at 07:44 (UTC)', hours: 'monday 09:00–17:00' },
  boundary: 'b0undary',
  language: 'en',
});
const found = (passage: number, words: string): number =>
  check.quotesOf({ kind: 'answer', text: 'Yes.', quotes: [{ passage, words }] }).length;

describe('a quote is found', () => {
  test.each<[string, number, string]>([
    ['word for word', 1, 'Send it back within'],
    ['with other quotation marks and markdown', 1, '"Send it back within ‘30 days’"'],
    ['in capitals', 1, 'SEND IT BACK'],
    ['with a number, though it is short', 1, '30 days'],
    ['with something left out', 1, 'Send it … of its delivery'],
    ['if it is short, but all that the passage says', 2, 'Ask us'],
    ['in the situation', 0, 'monday 09:00–17:00'],
  ])('%s', (_, passage, words) => {
    expect(found(passage, words)).toBe(1);
  });
});

describe('a quote is not found', () => {
  test.each<[string, number, string]>([
    ['in another passage', 2, 'Send it back within'],
    ['in none', 9, 'Send it back within'],
    ['with another word', 1, 'Send it away within'],
    ['if it is short', 1, 'it'],
    ['with its parts in different passages', 1, 'Send it back … Ask us'],
    ['if it is empty', 1, '“…”'],
  ])('%s', (_, passage, words) => {
    expect(found(passage, words)).toBe(0);
  });
});

test.each<[string, string]>([
  ['You have a mon', 'You have a'],
  ['You have 30', 'You have'],
  ['You have 30 days', 'You have'],
  ['You have 30 days of', 'You have 30 days'],
  ['It costs € 30', 'It costs'],
  ['You have twenty one', 'You have'],
  ['See [terms](https://shop.example', 'See'],
  ['您好，您可以退货。三十', '您好，您可以退货。'],
  ['返品は三十日以内です。送料', '返品は三十日以内です。'],
])('of “%s” only what can’t change is shown', (written, shown) => {
  expect(check.heldBack(written)).toBe(shown);
});

test.each<[string, string | undefined]>([
  ['It is 7:44 on 28 November.', undefined],
  ['We open at nine, from 9 to 17.', undefined],
  ['Yes, for 7 years.', '7'],
  ['Yes, within 28 days.', '28'],
  ['Yes, for 44 euros.', '44 euros'],
])('of “%s” the situation doesn’t support: %s', (text, detail) => {
  expect(check.problemWith({ kind: 'talk', text })).toEqual(
    detail === undefined ? undefined : { problem: 'fact', detail },
  );
});
