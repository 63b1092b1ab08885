import { afterEach, expect, test, vi } from 'vitest';
import { tokenInAddress } from './door-calls.ts';

afterEach(() => vi.unstubAllGlobals());

test('a truncated link has no token, and doesn’t break the page', () => {
  vi.stubGlobal('location', { hash: '#tok%2Den' });
  expect(tokenInAddress()).toBe('tok-en');
  vi.stubGlobal('location', { hash: '#tok%2' });
  expect(tokenInAddress()).toBe('');
});
