import { afterEach, expect, test, vi } from 'vitest';
import { backoffMs } from './backoff.ts';

afterEach(() => void vi.restoreAllMocks());

test('pauses double up to a bound, spread over their upper half', () => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(1);
  expect([0, 1, 2, 50].map((failures) => backoffMs(failures, 400, 15_000))).toEqual([400, 800, 1600, 15_000]);
  random.mockReturnValue(0);
  expect(backoffMs(2, 400, 15_000)).toBe(800);
});
