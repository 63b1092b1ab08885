import { expect, test } from 'vitest';
import { uuid } from './uuid.ts';

test('it is a version 7 UUID whose order is that of time', () => {
  const earlier = uuid(1_700_000_000_000);
  const later = uuid(1_700_000_000_001);
  expect(earlier).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  expect(earlier < later).toBe(true);
  expect(Number.parseInt(earlier.replace('-', '').slice(0, 12), 16)).toBe(1_700_000_000_000);
});
