import { expect, it } from 'vitest';
import { isAllowed, shippedDependencies } from '../../../scripts/dependencies.ts';

const dependencies = shippedDependencies(new URL('../../../package-lock.json', import.meta.url));

it('every package that Foyer ships has a licence under which it may be shipped', () => {
  expect(dependencies.length).toBeGreaterThan(100);
  expect(dependencies.filter(({ licence }) => !isAllowed(licence))).toEqual([]);
});

it('every package is installed as it was when it was chosen', () => {
  expect(dependencies.filter(({ hasIntegrity }) => !hasIntegrity)).toEqual([]);
});

it('of several licences one has to be allowed, of several at once all', () => {
  expect(isAllowed('(MIT OR GPL-3.0-or-later)')).toBe(true);
  expect(isAllowed('Apache-2.0 AND LGPL-3.0-or-later')).toBe(true);
  for (const licence of ['GPL-3.0-only', 'MIT AND AGPL-3.0-only', 'none', 'SEE LICENSE IN LICENSE'])
    expect(isAllowed(licence), licence).toBe(false);
});
