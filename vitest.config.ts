import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.test.ts'],
    globalSetup: ['packages/server/test/global-setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Real browsers, databases and kills on a busy machine: what fails twice is broken. At one's desk nothing is hidden.
    retry: process.env.CI === 'true' ? 1 : 0,
    pool: 'forks',
    maxWorkers: 2,
  },
});
