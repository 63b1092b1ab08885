import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createAdaptiveThrottle, TICK_MS } from './adaptive-throttle.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** How many start in a tick that is this late. */
function scene() {
  let ms = 0;
  let ticks = 0;
  const throttle = createAdaptiveThrottle(
    () => {
      ticks += 1;
    },
    () => ms,
  );
  return {
    ticks: () => ticks,
    spend(lateMs: number): number {
      let taken = 0;
      while (throttle.take()) taken += 1;
      ms += TICK_MS + lateMs;
      vi.advanceTimersByTime(TICK_MS);
      return taken;
    },
  };
}

it('starts fewer while ticks are late, but never none, and slowly more again', () => {
  const { spend, ticks } = scene();
  const busy = Array.from({ length: 10 }, () => spend(20));
  expect(busy.at(-1)).toBeLessThan(busy[0] ?? 0);
  expect(Math.min(...busy)).toBe(1);
  const calm = Array.from({ length: 100 }, () => spend(0));
  expect(calm.at(-1)).toBeGreaterThan(10);
  expect(ticks()).toBe(110);
});
