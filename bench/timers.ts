import { createHook } from 'node:async_hooks';
import { writeFileSync } from 'node:fs';

// Loaded into a process by `--import`: on SIGUSR2 it writes to FOYER_BENCH_TIMERS how many timers it has, including
// those that don't keep it alive and those of sockets.

const timers = new Set<number>();
createHook({
  init: (id, type) => {
    if (type === 'Timeout') timers.add(id);
  },
  destroy: (id) => timers.delete(id),
}).enable();

const file = process.env.FOYER_BENCH_TIMERS ?? '';
process.on('SIGUSR2', () => {
  const running = process.getActiveResourcesInfo().filter((type) => type === 'Timeout').length;
  writeFileSync(file, JSON.stringify({ all: timers.size, running }));
});
