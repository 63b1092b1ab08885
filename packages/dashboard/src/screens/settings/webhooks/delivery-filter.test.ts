import { expect, it } from 'vitest';
import { isSince, sinceTime } from './delivery-filter.ts';

it('counts back to the minute', () => {
  expect(sinceTime('1h', Date.parse('2026-01-02T03:04:05.678Z'))).toBe('2026-01-02T02:04:00.000Z');
  expect(sinceTime('7d', Date.parse('2026-01-09T03:04:00.000Z'))).toBe('2026-01-02T03:04:00.000Z');
});

it('accepts only known values from an address', () => {
  expect(isSince('24h')).toBe(true);
  for (const other of ['toString', '', '2h', null, 24]) expect(isSince(other)).toBe(false);
});
