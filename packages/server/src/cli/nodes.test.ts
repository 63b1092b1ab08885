import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import {
  foyer,
  foyerJson,
  type Installation,
  newInstallation,
  PROCESSES_TIMEOUT_MS,
  type RunningServer,
  until,
} from '../../test/fixtures/foyer.ts';
import { emptyDatabase, type TestDatabase } from '../../test/harness.ts';

// Several processes on one database, each with a data folder of its own.

vi.setConfig({ testTimeout: PROCESSES_TIMEOUT_MS });

const newSecret = (): string => randomBytes(32).toString('base64url');

let database: TestDatabase;
let places: Installation[];
let shared: Record<string, string>;

beforeEach(async () => {
  database = await emptyDatabase();
  places = await Promise.all([newInstallation(), newInstallation()]);
  shared = { DATABASE_URL: database.url, FOYER_SECRET: newSecret() };
});

afterEach(async () => {
  await Promise.all(places.map((place) => place.clear()));
  await database.close();
});

const placeAt = (at: number): Installation => {
  const place = places[at];
  if (!place) throw new Error('no such place');
  return place;
};
const serve = (at: number, more: Record<string, string> = {}): Promise<RunningServer> =>
  placeAt(at).serve('start', { ...shared, ...more });
/** Runs a server that is expected to refuse. */
const refused = (at: number, more: Record<string, string> = {}) =>
  foyer(['start'], { ...placeAt(at).settings, ...shared, PORT: '0', LOG_LEVEL: 'silent', ...more });
const setupToken = (server: RunningServer): string =>
  /\/app\/setup#([\w-]+)/.exec(server.output())?.[1] ?? '';
const isOpen = async (server: RunningServer, token: string): Promise<boolean> => {
  const response = await fetch(`${server.url}/app/setup/check`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.url.replace('127.0.0.1', 'localhost') },
    body: JSON.stringify({ token }),
  });
  return ((await response.json()) as { data: { valid: boolean } }).data.valid;
};

test('processes that start at once on an empty database print one setup link, a restart the same', async () => {
  const servers = await Promise.all([serve(0), serve(1)]);
  const [first, second] = servers.map(setupToken);
  expect(first).not.toBe('');
  expect(second).toBe(first);
  await servers[0]?.end('SIGTERM');
  const again = await serve(0);
  expect(setupToken(again)).toBe(first);
  expect(await isOpen(again, first ?? '')).toBe(true);
  // A link from the command line replaces it, and the next start replaces that one.
  const { stdout } = await foyer(['setup-link', '--json'], { ...placeAt(0).settings, ...shared });
  const printed = /#([\w-]+)/.exec(stdout)?.[1] ?? '';
  expect(await Promise.all([isOpen(again, first ?? ''), isOpen(again, printed)])).toEqual([false, true]);
});

test('a process with another secret doesn’t start, until it is accepted as the installation’s', async () => {
  const first = await serve(0);
  const other = { FOYER_SECRET: newSecret() };
  const { code, stdout, stderr } = await refused(1, other);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^FOYER_SECRET is not the one that this database was set up with\. .*\n$/);
  // Nor does one that has created a secret of its own.
  const { FOYER_SECRET: _, ...without } = shared;
  const own = await foyer(['start'], { ...placeAt(1).settings, ...without, PORT: '0', LOG_LEVEL: 'silent' });
  expect({ code: own.code, stderr: own.stderr }).toEqual({ code, stderr });
  expect((await fetch(`${first.url}/readyz`)).status).toBe(200);
  const checked = await foyer(['doctor', '--json'], { ...placeAt(1).settings, ...shared, ...other });
  expect(checked.stdout).toMatch(/not the one that this database was set up with/);

  await first.end('SIGTERM');
  const accepted = await foyer(['accept-secret'], { ...placeAt(1).settings, ...shared, ...other });
  expect(accepted.code).toBe(0);
  await serve(1, other);
  expect((await refused(0)).stderr).toBe(stderr);
});

test.each([
  ['ahead of', 60_000],
  ['behind', -60_000],
])('a process whose clock is a minute %s the database’s doesn’t start', async (direction, ms) => {
  const shift = `const now = Date.now; Date.now = () => now() + ${ms};`;
  const { code, stderr } = await refused(0, {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(shift)}`,
  });
  expect(code).toBe(1);
  expect(stderr).toBe(
    `This machine's clock is 60 s ${direction} the database's. Set both clocks by NTP, then start again.\n`,
  );
});

test('a process that is about to stop says so while it still serves, and its sockets move to another one', async () => {
  const [leaving, staying] = await Promise.all([serve(0, { FOYER_DRAIN_S: '30' }), serve(1)]);
  const settings = { ...placeAt(0).settings, ...shared };
  const { public_key: key } = await foyerJson<{ public_key: string }>(
    ['site', 'create', '--name', 'Shop'],
    settings,
  );
  const socket = new WebSocket(`${leaving.url.replace('http', 'ws')}/widget/socket?site=${key}`);
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'hello' }));
  await once(socket, 'message');
  const closed = once(socket, 'close');

  const ended = leaving.end('SIGTERM');
  await until('a failed readiness', async () => (await fetch(`${leaving.url}/readyz`)).status === 503);
  expect((await fetch(`${staying.url}/readyz`)).status).toBe(200);
  expect((await fetch(`${leaving.url}/healthz`)).status).toBe(200);
  expect((await fetch(`${leaving.url}/widget/${key}`)).status).toBe(200);
  expect((await closed)[0]).toBe(1012);
  // Its socket is gone, and it still serves until the time is over or a second signal comes.
  expect((await fetch(`${leaving.url}/widget/${key}`)).status).toBe(200);
  leaving.process.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(leaving.output()).not.toMatch(/"level":(?:50|60)/);
});
