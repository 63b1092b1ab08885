import { afterAll, vi } from 'vitest';

// Files share a process: a clock that one of them has stopped would stay stopped for all later ones.
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});
