import { once } from 'node:events';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  type Installation,
  newInstallation,
  PROCESSES_TIMEOUT_MS,
  type RunningServer,
  until,
} from '../../test/fixtures/foyer.ts';
import { TEST_SECRET, type TestDatabase, testDatabase } from '../../test/harness.ts';

vi.setConfig({ testTimeout: PROCESSES_TIMEOUT_MS });

/** Loaded into the process under test: blocks its event loop on a signal. */
const BLOCKING = `
  function neverReturns() { for (;;); }
  if (process.env.FOYER_WATCHDOG_S) process.on('SIGUSR2', neverReturns);
`;

let database: TestDatabase;
let places: Installation[];

beforeAll(async () => {
  database = await testDatabase();
  places = await Promise.all([newInstallation(), newInstallation()]);
});
afterAll(async () => {
  await Promise.all(places.map((place) => place.clear()));
  await database.close();
});

async function serve(at: number, FOYER_WATCHDOG_S: string): Promise<RunningServer> {
  const place = places[at];
  if (!place) throw new Error('no such place');
  return place.serve('start', {
    DATABASE_URL: database.url,
    FOYER_SECRET: TEST_SECRET,
    FOYER_WATCHDOG_S,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(BLOCKING)}`,
  });
}
const isServing = ({ url }: RunningServer) => fetch(`${url}/healthz`).then(({ ok }) => ok);

test('a stopped process continues; one whose event loop is blocked reports where, and ends', async () => {
  const server = await serve(0, '1');
  server.process.kill('SIGSTOP');
  const stoppedAt = Date.now();
  await until('a stop longer than the limit', async () => Date.now() - stoppedAt > 3_000);
  server.process.kill('SIGCONT');
  expect(await isServing(server)).toBe(true);
  expect(server.output()).not.toContain('blocked');

  const exited = once(server.process, 'exit');
  server.process.kill('SIGUSR2');
  expect(await exited).toEqual([null, 'SIGKILL']);
  const lines = server.output().split('\n');
  const last = JSON.parse(lines.find((line) => line.includes('the event loop is blocked')) ?? '{}');
  expect(last).toMatchObject({ level: 60, pid: server.process.pid, blocked_s: 1 });
  expect(last.stack).toMatch(/^at neverReturns /);
});

test('switched off, it leaves a blocked process alone', async () => {
  const [watched, server] = [await serve(0, '1'), await serve(1, '0')];
  server.process.kill('SIGUSR2');
  const ended = once(watched.process, 'exit');
  watched.process.kill('SIGUSR2');
  await ended;
  expect(server.process.exitCode).toBeNull();
  expect(server.process.signalCode).toBeNull();
});
