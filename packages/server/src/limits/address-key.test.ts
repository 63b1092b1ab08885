import { expect, test } from 'vitest';
import { addressKey } from './address-key.ts';

test('addresses count by customer: an IPv4 address, or a /64', () => {
  expect(addressKey('192.0.2.1')).not.toBe(addressKey('192.0.2.2'));
  expect(addressKey('::ffff:192.0.2.1')).toBe(addressKey('192.0.2.1'));
  expect(addressKey('2001:db8:1:2::1')).toBe(addressKey('2001:db8:1:2:ffff::9'));
  expect(addressKey('2001:db8:1:2::1')).not.toBe(addressKey('2001:db8:1:3::1'));
  expect(addressKey('nonsense')).toBe('unknown');
});
