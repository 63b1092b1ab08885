import { expect, test } from 'vitest';
import { readCited } from './cited-text.ts';

const PASSAGE =
  'See [terms](https://shop.example.com/help/terms) and [returns](/help/returns), or www.shop.example.com/a.';
const shown = (text: string): string => readCited(`SOURCES: 1\n${text}`, [PASSAGE], true).text;

test.each([
  'https://shop.example.com/help/terms',
  'https://shop.example.com/help/terms.',
  'https://shop.example.com',
  'https://www.shop.example.com/a',
  '[t](https://shop.example.com/help/terms)',
  '[r](/help/returns)',
])('%s stands in a passage, or above one that does, and is shown', (text) => {
  expect(shown(text)).toBe(text);
});

test.each([
  ['https://shop.example.co', '…'],
  ['https://shop.ex/login', '…'],
  ['https://s', '…'],
  ['[t](https://shop.example.co)', 't'],
  ['[t](https://shop.example.com.evil.example)', 't'],
  ['https://evil.example/?u=https://shop.example.com', '…'],
])('%s only begins like an address of a passage, and leads nowhere', (text, instead) => {
  expect(shown(text)).toBe(instead);
});
