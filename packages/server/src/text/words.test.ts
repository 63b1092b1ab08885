import { describe, expect, test } from 'vitest';
import { languageOf, stem } from './languages.ts';
import { nearestTerms, slipsBetween } from './typos.ts';
import { wordsOf } from './words.ts';

describe('wordsOf', () => {
  test.each([
    ['Where’s my ORDER?', ['where', 'my', 'order']],
    ["don't I've l'article", ['dont', 'ive', 'l', 'article']],
    ['Rückgabe Größe café São', ['ruckgabe', 'grosse', 'cafe', 'sao']],
    ['ｆｕｌｌ ﬁt №1', ['full', 'fit', 'no1']],
    ['мой ёлка', ['мой', 'елка']],
    ['İstanbul ısı', ['istanbul', 'isi']],
    ['返品方法', ['返品', '品方', '方法']],
    ['iPhoneのケース', ['iphone', 'のケ', 'ケー', 'ース']],
    ['مَدرسة שָׁלוֹם', ['مدرسة', 'שלום']],
    ['--- 😀 ??? \0', []],
  ])('%j', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  test('a word without end is cut', () => {
    expect(wordsOf('x'.repeat(10_000))).toEqual(['x'.repeat(64)]);
  });
});

describe('stem and languageOf', () => {
  test.each([
    ['en', 'deliveries', 'delivery'],
    ['de', 'lieferungen', 'lieferung'],
    ['fr', 'livraisons', 'livraison'],
    ['es', 'devoluciones', 'devolucion'],
    ['pt', 'devolucoes', 'devolucao'],
    ['it', 'spedizioni', 'spedizione'],
    ['nl', 'bestellingen', 'bestelling'],
    ['ru', 'доставки', 'доставка'],
  ] as const)('%s: %s and %s share a stem', (language, a, b) => {
    expect(stem(a, language)).toBe(stem(b, language));
  });

  test.each([
    ['en', 'How long does it take to deliver to the house'],
    ['de', 'Wie lange dauert es und was kostet die Lieferung nach Hause'],
    ['fr', 'Combien de temps prend la livraison et quel est le prix pour vous'],
    ['es', 'Cuanto tarda el envio y cuanto cuesta para los clientes'],
    ['nl', 'Hoe lang duurt het voordat de bestelling bij mij is'],
    ['en', '12345'],
  ])('%s is detected for %j', (language, text) => {
    expect(languageOf(wordsOf(text))).toBe(language);
  });
});

describe('typos', () => {
  test('one typing error, two in long words, the nearest alone', () => {
    expect(nearestTerms('delivry', ['deliver', 'discovery', 'delivery'], 3)).toEqual(['delivery']);
    expect(nearestTerms('warrantee', ['warranty', 'wardrobe'], 3)).toEqual(['warranty']);
    expect(nearestTerms('recieve', ['receive'], 3)).toEqual(['receive']);
  });

  test('short words and numbers are not guessed', () => {
    expect(nearestTerms('lmp', ['lamp'], 3)).toEqual([]);
    expect(nearestTerms('12345', ['12346'], 3)).toEqual([]);
  });

  test('slipsBetween stops at its limit', () => {
    expect(slipsBetween('kitten', 'sitting', 3)).toBe(3);
    expect(slipsBetween('kitten', 'sitting', 1)).toBe(2);
    expect(slipsBetween('', 'ab', 2)).toBe(2);
  });
});
