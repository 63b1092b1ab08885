import { expect, test } from 'vitest';
import { maskPersonal } from './mask-personal.ts';

test.each([
  ['Write to maya.fischer@example.com.', 'Write to […].'],
  ['Call +49 (0)30 901820-17 or 0151/2345678.', 'Call […] or […].'],
  ['Order #1042, ORD-20451, A1002345 and 88201.', 'Order […], […], […] and […].'],
  ['IBAN DE89 3704 0044 0532 0130 00', 'IBAN DE[…]'],
  ['See https://shop.example/orders/20451?key=x', 'See […]'],
  ['See https://shop.example/portal/aB3dE5gH7jK9', 'See […]'],
])('masks what identifies somebody: %s', (text, masked) => {
  expect(maskPersonal(text, [])).toBe(masked);
});

test.each([
  'Returns are free within 30 days, from 1,200.50 € on.',
  'We are open 9-17, since 2019, in 3 shops.',
  'See https://shop.example/help/articles/returns-and-refunds for the steps.',
])('keeps data that identifies nobody: %s', (text) => {
  expect(maskPersonal(text, [])).toBe(text);
});

test('masks names as whole words, as written and capitalised', () => {
  const text = 'Hi Mark, thanks, mark fischer! Mark the box in the market. Regards, Lea';
  expect(maskPersonal(text, ['mark fischer', 'Lea de Vries'])).toBe(
    'Hi […], thanks, […]! […] the box in the market. Regards, […]',
  );
  expect(maskPersonal('Anna: Mark the box, and mark it well.', ['Mark'])).toBe(
    'Anna: […] the box, and mark it well.',
  );
  expect(maskPersonal('田中さん、こんにちは。', ['田中'])).toBe('[…]さん、こんにちは。');
});

test('treats no name as a pattern, and long hostile text is masked at once', () => {
  expect(maskPersonal('.* (a+)+ stays', ['.*x', '(a+)+$'])).toBe('.* (a+)+ stays');
  const hostile = `${'a'.repeat(50_000)} ${'1-'.repeat(20_000)} ${'a.'.repeat(20_000)}@ https://${'/1'.repeat(20_000)}`;
  expect(maskPersonal(hostile, ['a']).length).toBeLessThan(hostile.length);
});
