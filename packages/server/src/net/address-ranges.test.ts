import { expect, test } from 'vitest';
import { createAddressRanges } from './address-ranges.ts';

test.each([
  ['203.0.113.7', '203.0.113.7', true],
  ['203.0.113.7', '203.0.113.8', false],
  ['203.0.113.0/24', '203.0.113.255', true],
  ['203.0.113.0/24', '203.0.114.0', false],
  ['203.0.113.9/24', '203.0.113.1', true],
  ['203.0.113.0/24', '::ffff:203.0.113.7', true],
  ['0.0.0.0/0', '198.51.100.1', true],
  ['0.0.0.0/0', '2001:db8::1', false],
  ['2001:db8::/32', '2001:db8:1::9', true],
  ['2001:db8::/32', '2001:db9::1', false],
  ['2001:DB8::1', '2001:db8:0:0:0:0:0:1', true],
  ['::1', '::1', true],
  ['203.0.113.0/24', 'unknown', false],
])('%s and %s: %s', (range, address, isIn) => {
  expect(createAddressRanges([range])(address)).toBe(isIn);
});

test('several ranges allow what any of them has, and no range allows nothing', () => {
  const isIn = createAddressRanges(['198.51.100.0/24', '2001:db8::/32']);
  expect(['198.51.100.4', '2001:db8::4', '203.0.113.4'].map(isIn)).toEqual([true, true, false]);
  expect(createAddressRanges([])('203.0.113.4')).toBe(false);
});
