import { expect, test } from 'vitest';
import { isAmong, takeAddresses, withoutOpenLink } from './addresses.ts';

const PASSAGE =
  'See [terms](https://shop.example.com/help/terms) and [returns](/help/returns), or www.shop.example.com/a.';
const known = takeAddresses(PASSAGE).addresses;
const unknownIn = (text: string): string[] =>
  takeAddresses(text).addresses.filter((address) => !isAmong(known, address));

test.each([
  'https://shop.example.com/help/terms',
  'https://shop.example.com/help/terms.',
  'https://shop.example.com',
  'shop.example.com',
  'https://www.shop.example.com/a',
  '[t](https://shop.example.com/help/terms)',
  '[r](/help/returns)',
])('%s is in a passage, or above an address in one', (text) => {
  expect(takeAddresses(text).addresses).toHaveLength(1);
  expect(unknownIn(text)).toEqual([]);
});

test.each([
  'https://shop.example.co',
  'https://shop.ex/login',
  'https://s',
  'www.evil.example',
  'evil.example/now',
  '[t](https://shop.example.co)',
  '[t](https://shop.example.com.evil.example)',
  '![t](https://shop.example.com)',
  '[t](javascript:alert)',
  'https://evil.example/?u=https://shop.example.com',
])('%s only begins like an address of a passage, or is none', (text) => {
  expect(unknownIn(text)).toHaveLength(1);
});

test.each(['One sentence.Another one', 'e.g. this, i.e. that', 'Version 2.5', 'It ends. and goes on'])(
  'a dot alone makes no address: %s',
  (text) => {
    expect(takeAddresses(text).addresses).toEqual([]);
  },
);

test.each([
  ['See [ter', 'See '],
  ['See [terms](https://sh', 'See '],
  ['See ![x', 'See '],
  ['See [terms](https://shop.example) and', 'See [terms](https://shop.example) and'],
])('an incomplete link is not shown yet: %s', (text, shown) => {
  expect(withoutOpenLink(text)).toBe(shown);
});
