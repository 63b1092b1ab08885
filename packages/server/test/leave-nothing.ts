import { afterAll, vi } from 'vitest';

// Files share a process: a clock that one of them has stopped would stand still for all behind it.
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});
