import { describe, expect, it } from 'vitest';
import { addressKey } from '../../limits/address-key.ts';
import { Networks, normalNetwork } from './networks.ts';
import { Phrases } from './phrases.ts';
import { BlockRules } from './rules.ts';

describe('an address or range', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['203.0.113.7/24', '203.0.113.0/24'],
    ['203.0.113.7/32', '203.0.113.7'],
    ['2001:db8:0:1:2:3:4:5', '2001:db8:0:1::/64'],
    ['2001:db8:0:1::9/128', '2001:db8:0:1::/64'],
    ['2001:db8::/32', '2001:db8::/32'],
    ['0.0.0.0/0', undefined],
    ['10.0.0.0/7', undefined],
    ['::/0', undefined],
    ['203.0.113', undefined],
    ['shop.example', undefined],
  ])('%s is stored as %s', (written, stored) => {
    expect(normalNetwork(written)).toBe(stored);
  });

  it('covers its addresses and no other', () => {
    const networks = new Networks<string>();
    for (const network of ['203.0.113.0/24', '198.51.100.9', '2001:db8::/32', '2001:db9:0:1::/64'])
      networks.add(network, network);
    const covers = (address: string) => [...networks.of(addressKey(address))];
    expect(covers('203.0.113.0')).toEqual(['203.0.113.0/24']);
    expect(covers('203.0.113.255')).toEqual(['203.0.113.0/24']);
    expect(covers('::ffff:203.0.113.9')).toEqual(['203.0.113.0/24']);
    expect(covers('203.0.114.0')).toEqual([]);
    expect(covers('198.51.100.9')).toEqual(['198.51.100.9']);
    expect(covers('198.51.100.8')).toEqual([]);
    expect(covers('2001:db8:ffff:1::1')).toEqual(['2001:db8::/32']);
    expect(covers('2001:db9:0:1:ffff::1')).toEqual(['2001:db9:0:1::/64']);
    expect(covers('2001:db9:0:2::1')).toEqual([]);
    expect(covers('not an address')).toEqual([]);
  });
});

describe('a phrase', () => {
  const finds = (phrase: string, text: string): boolean => {
    const phrases = new Phrases<true>();
    phrases.add(phrase, true);
    return [...phrases.in(text)].length > 0;
  };

  it.each([
    ['cheap lanterns', 'Buy CHEAP\n  lanterns!'],
    ['bit.ly', 'see https://bit.ly/3x'],
    ['lanterns', 'ｌａｎｔｅｒｎｓ'],
    ['カジノ', 'オンラインカジノです'],
    ['größe', 'GRÖSSE? Größe!'],
  ])('“%s” is found in “%s”', (phrase, text) => expect(finds(phrase, text)).toBe(true));

  it.each([
    ['ass', 'a class of its own'],
    ['cheap lanterns', 'lanterns, cheap'],
    ['cheap lanterns', 'cheap red lanterns'],
    ['!!', 'wow!!'],
  ])('“%s” is not found in “%s”', (phrase, text) => expect(finds(phrase, text)).toBe(false));
});

it('an expired block no longer applies, and another one still does', () => {
  const rules = new BlockRules([
    { id: 1, kind: 'email', value: 'ann@spam.example', expires_at: new Date(1_000) },
    { id: 2, kind: 'email', value: 'spam.example', expires_at: null },
    { id: 3, kind: 'country', value: 'xx', expires_at: new Date(1_000) },
  ]);
  expect(rules.find({ emails: ['Ann@Spam.example'] }, new Date(999))?.id).toBe(1);
  expect(rules.find({ emails: ['Ann@Spam.example'] }, new Date(1_000))?.id).toBe(2);
  expect(rules.find({ emails: ['ann@mx.spam.example'] }, new Date(1_000))?.id).toBe(2);
  expect(rules.find({ emails: ['ann@nospam.example'] }, new Date(999))).toBeUndefined();
  expect(rules.find({ country: 'XX' }, new Date(999))?.id).toBe(3);
  expect(rules.find({ country: 'XX' }, new Date(1_000))).toBeUndefined();
});
