import { describe, expect, test } from 'vitest';
import { Evidence, statedFacts } from './evidence.ts';
import { type FactLanguage, factLanguageOf } from './fact-language.ts';

/** The first statement of a text that a passage doesn't support. */
const unsupported = (text: string, passage: string, language?: FactLanguage): string | undefined =>
  new Evidence(statedFacts(passage, 'en')).unsupported(text, language ?? factLanguageOf(text, 'en'));

describe('a fact that a passage states, however it is written', () => {
  test.each<[string, string, FactLanguage?]>([
    ['You have 30 days.', 'within thirty days'],
    ['You have thirty days.', 'within 30 days'],
    ['Sie haben dreißig Tage.', 'within 30 days', 'de'],
    ['Vous avez trente jours.', 'You have thirty days.', 'fr'],
    ['Garantie: trois ans, vingt et un jours.', '3 years and 21 days', 'fr'],
    ['Masz trzydzieści dni na zwrot, zażądaj.', '30 days', 'pl'],
    ['У вас є тридцять шість днів', '36 days', 'uk'],
    ['保修三年', 'a warranty of three years', 'zh'],
    ['30日以内に返品できます', 'within thirty days', 'ja'],
    ['لديك ٣٠ يوما', 'within thirty days', 'ar'],
    ['It costs €1,500.50.', 'Es kostet 1.500,50 Euro'],
    ['Das kostet 1.500,50 €.', 'It costs €1,500.50', 'de'],
    ['It costs 20 dollars.', 'It costs $20'],
    ['It costs US$ 20.', 'It costs 20 US dollars'],
    ['Kosztuje 49 zł.', 'It costs PLN 49', 'pl'],
    ['It is 10% off.', 'Sie erhalten 10 Prozent Rabatt'],
    ['Yüzde 10 indirim var.', '10% off', 'tr'],
    ['We open at 5 pm.', 'Wir öffnen um 17 Uhr'],
    ['Wir öffnen um 17:30 Uhr.', 'We open at 5:30 p.m.', 'de'],
    ['Open 9–5 pm.', 'Open from 09:00 to 17:00'],
    ['Open from 9 am to 12 pm.', 'Geöffnet 9–12 Uhr'],
    ['下午5点开门', 'We open at 5 pm', 'zh'],
    ['上午九点半到下午六点', 'from 9:30 to 18:00', 'zh'],
    ['午後5時30分まで', 'until 17:30', 'ja'],
    ['下午15:00', 'at 3 pm', 'zh'],
    ['便宜一点', 'Nothing', 'zh'],
    ['Until 3 March 2026.', 'Bis zum 3. März 2026'],
    ['Bis zum 03.03.2026.', 'until March 3rd, 2026', 'de'],
    ['Le 3 mars.', 'On 2026-03-03', 'fr'],
    ['2026年3月3日まで', 'until March 3, 2026', 'ja'],
    ['1. Open it.\n2. Close it.', 'Open it. Then close it.'],
    ['Use SAVE10.', 'The code SAVE10 works.'],
    ['See https://shop.example/terms.', 'See [terms](https://shop.example/terms)'],
    ['Write to HELP@shop.example.', 'Write to help@shop.example'],
    ['It has 10 000 parts.', 'It has 10,000 parts'],
    ['5 for 8 %\n60 for 12 %', '| 5 | 8 % |\n| 60 | 12 % |'],
    ['From https://, that is', 'Nothing'],
  ])('%s', (text, passage, language) => {
    expect(unsupported(text, passage, language)).toBeUndefined();
  });
});

describe('a fact that no passage states is found', () => {
  test.each<[string, string, string, FactLanguage?]>([
    ['You have 60 days.', 'within 30 days', '60'],
    ['You have sixty days.', 'within 30 days', 'sixty'],
    ['Sie haben sechzig Tage.', 'within 30 days', 'sechzig', 'de'],
    ['Vous avez trente et un jours.', '30 jours', 'trente et un', 'fr'],
    ['60天内', 'within 30 days', '60', 'zh'],
    ['保修五年', 'three years', '五', 'zh'],
    ['It costs $20.', 'It costs 20 euros', '$20'],
    ['It costs 15 %.', 'It costs 15 euros', '15 %'],
    ['It costs €1.50.', 'It costs €1,500', '€1.50'],
    ['We open at 9 pm.', 'We open at 9:00', '9 pm'],
    ['We open at 8:30.', 'We open at 9:00', '8:30'],
    ['下午5点开门', 'We open at 5 am', '5:00 pm', 'zh'],
    ['午前九時から', 'from 9 pm', '9:00 am', 'ja'],
    ['Until 4 March.', 'until March 3', '4 march'],
    ['Until 3 March 2027.', 'until March 3, 2026', '3 march 2027'],
    ['In March 2027.', 'on March 3, 2026', 'march 2027'],
    ['Use SAVE90.', 'The code SAVE10 works for 90 days.', 'save90'],
    ['See https://evil.example/x', 'See https://shop.example/x', 'evil.example/x'],
    ['See [terms](https://shop.example.co)', 'https://shop.example.com', 'shop.example.co'],
    ['See evil.example/x now', 'Nothing', 'evil.example/x'],
    ['![x](https://shop.example/x)', 'https://shop.example/x', '!https://shop.example/x'],
    ['Write to a@evil.example', 'Write to a@shop.example', 'a@evil.example'],
    ['1. Open it.\n3. Close it.', 'Open it', '3'],
  ])('%s', (text, passage, found, language) => {
    expect(unsupported(text, passage, language)).toBe(found);
  });
});

test.each<[string, FactLanguage]>([
  ['Evet, on the way to the shop', 'en'],
  ['Sei tu?', 'it'],
  ['I want to go on', 'en'],
  ['That is one of them', 'en'],
  ['You may return it', 'en'],
  ['完全に十分です', 'ja'],
])('words that only look like numbers are no facts: %s', (text, language) => {
  expect(unsupported(text, 'Nothing.', language)).toBeUndefined();
});
