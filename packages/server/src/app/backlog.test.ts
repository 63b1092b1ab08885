import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { startTestApp } from '../../test/app.ts';

/** More than the 511 that Node asks for. */
const CONNECTIONS = 700;
const LIMIT_MS = 30_000;

/** How many waiting connections the system allows; undefined if it doesn't say. */
function allowed(): number | undefined {
  try {
    return Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'));
  } catch {
    return undefined;
  }
}

/** Where the shared memory has the number of complete connections, and whether to begin. */
const [COMPLETE, BEGIN] = [0, 1];

/** Connects as soon as it may, and holds the connections. */
const CLIENT = `
  const { connect } = require('node:net');
  const { workerData: { port, count, shared } } = require('node:worker_threads');
  Atomics.wait(shared, ${BEGIN}, 0);
  for (let at = 0; at < count; at++)
    connect(port, '127.0.0.1', () => Atomics.add(shared, ${COMPLETE}, 1)).on('error', () => undefined);`;

test.skipIf((allowed() ?? 0) < CONNECTIONS)(
  'a busy process keeps 700 new connections waiting instead of dropping them, where the system allows it',
  async () => {
    const app = await startTestApp();
    onTestFinished(() => app.close());
    const shared = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
    const client = new Worker(CLIENT, {
      eval: true,
      workerData: { port: Number(new URL(app.url).port), count: CONNECTIONS, shared },
    });
    onTestFinished(async () => {
      await client.terminate();
    });
    await once(client, 'online');
    Atomics.store(shared, BEGIN, 1);
    Atomics.notify(shared, BEGIN);
    // From here on the process is busy and accepts nothing, so that what was dropped would never be complete.
    const until = performance.now() + LIMIT_MS;
    let complete = 0;
    while (complete < CONNECTIONS && performance.now() < until) {
      Atomics.wait(shared, COMPLETE, complete, 100);
      complete = Atomics.load(shared, COMPLETE);
    }
    expect(complete).toBe(CONNECTIONS);
  },
);
