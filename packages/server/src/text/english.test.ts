import { expect, test } from 'vitest';
import { isEnglish, maybeEnglish } from './english.ts';

test.each([
  ['You can return everything within 30 days. We pay for the label if you live in Spain.', true],
  ['Du kannst alles innerhalb von 30 Tagen zurückgeben. Das Etikett bezahlen wir.', false],
  ['Paczki docierają do domu w dwa dni. Możesz je zwrócić do sklepu, a my oddamy pieniądze.', false],
  ['Lampen: 40 W, 60 W, 80 W. Farben: rot, blau.', false],
  ['', false],
])('whether %j is surely English: %s', (text, is) => {
  expect(isEnglish(text)).toBe(is);
});

test.each([
  ['opening hours', true],
  ['What’s the price of a refund?', true],
  ['wann kommt das Paket', false],
  ['jak zwrócić paczkę', false],
  ['どうやって返品しますか', false],
])('whether the question %j could be English: %s', (text, could) => {
  expect(maybeEnglish(text)).toBe(could);
});
