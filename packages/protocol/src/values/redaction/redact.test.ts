import { describe, expect, it } from 'vitest';
import type { Redaction } from '../../sites/redaction.ts';
import { redact } from './redact.ts';

const rules = (...kinds: Redaction['kinds']): Redaction => ({ kinds, patterns: [] });
const pattern = (name: string, template: string): Redaction => ({
  kinds: [],
  patterns: [{ name, pattern: template }],
});

describe('card numbers', () => {
  // The test numbers that the networks publish.
  it.each([
    ['4111 1111 1111 1111', '•••• 1111'],
    ['4111-1111-1111-1111', '•••• 1111'],
    ['4111.1111.1111.1111', '•••• 1111'],
    ['4111111111111111', '•••• 1111'],
    ['4222222222222', '•••• 2222'],
    ['5555 5555 5555 4444', '•••• 4444'],
    ['2223 0000 4841 0010', '•••• 0010'],
    ['3782 822463 10005', '•••• 0005'],
    ['3056 930902 5904', '•••• 5904'],
    ['6011 1111 1111 1117', '•••• 1117'],
    ['3530 1113 3330 0000', '•••• 0000'],
    ['6759 6498 2643 8453', '•••• 8453'],
    ['４１１１ １１１１ １１１１ １１１１', '•••• 1111'],
    ['٤١١١ ١١١١ ١١١١ ١١١١', '•••• 1111'],
    ['4111\u200b1111\u00ad1111\u20601111', '•••• 1111'],
    ['4111  1111\t\t1111  1111', '•••• 1111'],
    ['4111/1111/1111/1111', '•••• 1111'],
    ['4111_1111_1111_1111', '•••• 1111'],
    ['4111%201111%201111%201111', '•••• 1111'],
    ['4111+1111+1111+1111', '•••• 1111'],
    ['**4111** **1111** **1111** **1111**', '**•••• 1111**'],
  ])('%s', (number, shown) => {
    expect(redact(`My card (${number}), please.`, rules('card'))).toBe(`My card (${shown}), please.`);
  });

  it.each([
    'Order 4111 1111 1111 1112 has a wrong check digit',
    'Call +49 30 901820 or 0049 151 23456789',
    'Since 1732620000000 ms, id 9999999999999995',
    'a4111111111111111 and 4111111111111111b are parts of words',
    '41111111111111111111111 is too long',
    '4111 1111 1111',
    'Articles 4111, 1111, 1111, 1111 are a list',
    'Rows 4111      1111      1111      1111 are a table',
  ])('leaves %s', (text) => {
    expect(redact(text, rules('card'))).toBe(text);
  });

  it('leaves nothing of a card number whose first digits pass the check with the number before', () => {
    // 4008 4111 1111 1111 checks out too.
    const text = 'Order 4008 4111 1111 1111 1111';
    expect(redact(text, rules('card'))).toBe('Order •••• 1111');
  });

  it('finds each of several, beside other numbers', () => {
    expect(redact('5 x 4111 1111 1111 1111\n5555555555554444', rules('card'))).toBe(
      '5 x •••• 1111\n•••• 4444',
    );
  });
});

describe('account numbers', () => {
  it.each([
    ['DE89 3704 0044 0532 0130 00', '•••• 3000'],
    ['de89370400440532013000', '•••• 3000'],
    ['GB82 WEST 1234 5698 7654 32', '•••• 5432'],
    ['NO93 8601 1117 947', '•••• 7947'],
    ['FR14 2004 1010 0505 0001 3M02 606', '•••• 2606'],
    ['DE89-3704-0044-0532-0130-00', '•••• 3000'],
    ['DE89\u00a03704\u00a00044\u00a00532\u00a00130\u00a000', '•••• 3000'],
  ])('%s', (number, shown) => {
    expect(redact(`IBAN: ${number} bitte`, rules('iban'))).toBe(`IBAN: ${shown} bitte`);
  });

  it.each([
    'DE89 3704 0044 0532 0130 01',
    'XDE89370400440532013000',
    'AB12 is a seat',
    'ZZ66 0000 0000 0000',
  ])('leaves %s', (text) => {
    expect(redact(text, rules('iban'))).toBe(text);
  });
});

describe('passwords', () => {
  it.each([
    ['My password is hunter2!', 'My password is ••••••••'],
    ['Password: swordfish', 'Password: ••••••••'],
    ['password=abcd', 'password=••••••••'],
    ['Das Passwort lautet Sonne123.', 'Das Passwort lautet ••••••••'],
    ['mot de passe : azerty', 'mot de passe : ••••••••'],
    ['La contraseña es Luna99', 'La contraseña es ••••••••'],
    ['パスワードは abc123 です', 'パスワードは •••••••• です'],
    ['密码：qwerty', '密码：••••••••'],
  ])('%s', (text, shown) => {
    expect(redact(text, rules('password'))).toBe(shown);
  });

  it.each([
    'My password is wrong',
    'I forgot my password.',
    'The password is expired!',
    'Where do I change the password? It is old',
    'Passwort ist falsch, hilfe',
  ])('leaves %s', (text) => {
    expect(redact(text, rules('password'))).toBe(text);
  });
});

describe('patterns of a site', () => {
  it.each([
    ['C-######', 'customer c-123456.', 'customer [X].'],
    ['## ## ## @', 'id 12-34-56-z', 'id [X]'],
    ['## ## ## @', 'id 123456Z', 'id [X]'],
    ['AHV 756 #### #### ##', 'AHV 756.1234.5678.97', '[X]'],
    ['***-***', 'code Ä1b-2cß', 'code [X]'],
    ['(#+#.*?)', '(1+2.a?)', '[X]'],
    ['C-######', 'c-123\u200b456!', '[X]!'],
  ])('%s in %s', (template, text, shown) => {
    expect(redact(text, pattern('X', template))).toBe(shown);
  });

  it.each([
    ['######', '1234567'],
    ['######', 'a123456'],
    ['C-######', 'C-12345'],
  ])('%s leaves %s', (template, text) => {
    expect(redact(text, pattern('X', template))).toBe(text);
  });
});

it('changes nothing without rules, and applies all rules together', () => {
  const text = 'Card 4111 1111 1111 1111, password: 4111 1111 1111 1111, DE89370400440532013000, C-123456';
  expect(redact(text, rules())).toBe(text);
  expect(
    redact(text, {
      kinds: ['card', 'iban', 'password'],
      patterns: [{ name: 'customer', pattern: 'C-######' }],
    }),
  ).toBe('Card •••• 1111, password: •••• 1111, •••• 3000, [customer]');
});
