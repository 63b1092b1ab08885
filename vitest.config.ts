import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.test.ts'],
    globalSetup: ['packages/server/test/global-setup.ts'],
    setupFiles: ['packages/server/test/leave-nothing.ts'],
    testTimeout: 120_000,
    // Filling a database with millions of rows takes a busy machine minutes.
    hookTimeout: 300_000,
    // Its limit ends a hang; vitest's own second would measure how busy the machine is.
    expect: { poll: { timeout: 90_000 } },
    pool: 'forks',
    // Two more than the cores of the machine that it has to suit: files wait for browsers, clocks and processes. With
    // one more, a fifth of the machine's time is idle.
    maxWorkers: 4,
    // A process of its own for each file would spend half as long again on loading the same server 190 times.
    isolate: false,
    // With V8's own 16 MB, a worker spends about a tenth of its processor time on collecting what tests leave behind.
    execArgv: ['--max-semi-space-size=64'],
  },
});
