import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import {
  foyer,
  type Installation,
  newInstallation,
  PROCESSES_TIMEOUT_MS,
  until,
} from '../../test/fixtures/foyer.ts';

vi.setConfig({ testTimeout: PROCESSES_TIMEOUT_MS });

let place: Installation;

beforeEach(async () => {
  place = await newInstallation();
});

afterEach(() => place.clear());

test('a second server on the same data folder is refused with one line, and the first keeps running', async () => {
  const first = await place.serve();
  const second = await foyer(['start'], { ...place.settings, PORT: '0' });
  expect(second.code).toBe(1);
  expect(second.stderr).toMatch(/^Another Foyer \(process \d+\) is already running on the data folder .*\n$/);
  expect((await fetch(`${first.url}/readyz`)).status).toBe(200);
});

test('a port in use is reported in one line that names PORT, and no PostgreSQL stays behind', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const address = taken.address();
  const port = typeof address === 'object' ? String(address?.port) : '';
  const { code, stderr } = await foyer(['start'], { ...place.settings, PORT: port, LOG_LEVEL: 'silent' });
  taken.close();
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: `Port ${port} on 127.0.0.1 is already in use. Set PORT to a free port.\n`,
  });
  expect(await place.hasPostgres()).toBe(false);
});

test.each([
  ['PORT', 'many'],
  ['FOYER_ROLE', 'boss'],
  ['FOYER_WEBHOOK_DELAYS', 'soon'],
  ['FOYER_SECRET', 'short'],
])('a bad %s stops the start with one line that names it', async (name, value) => {
  const { code, stdout, stderr } = await foyer(['start'], { ...place.settings, [name]: value });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(new RegExp(`^${name}.*\n$`));
});

test('SIGTERM ends it with 0, and its sockets close with the code to reconnect', async () => {
  const site = await place.json<{ public_key: string }>(['site', 'create', '--name', 'Shop']);
  const server = await place.serve();
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/widget/socket?site=${site.public_key}`);
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'hello' }));
  await once(socket, 'message');
  const closed = once(socket, 'close');
  expect(await server.end('SIGTERM')).toBe(0);
  expect((await closed)[0]).toBe(1012);
  expect(await place.hasPostgres()).toBe(false);
});

test('it ends with the shell in which npm has started it, which sends it no signal', async () => {
  const server = await place.serve('start', { npm_lifecycle_event: 'start' }, true);
  await server.end('SIGTERM');
  await until('the end of the server', async () => !(await place.hasPostgres()));
  await expect(fetch(server.url)).rejects.toThrow('fetch failed');
  expect(server.output()).toContain('finishing what is in flight');
});

test('acknowledged data survives kill -9, and commands work before the next start too', async () => {
  const server = await place.serve();
  const site = await place.json<{ id: number }>(['site', 'create', '--name', 'Kept']);
  await server.end('SIGKILL');
  const { sites } = await place.json<{ sites: unknown[] }>(['site', 'list']);
  expect(sites).toMatchObject([{ id: site.id, name: 'Kept' }]);
  const again = await place.serve();
  expect((await fetch(`${again.url}/readyz`)).status).toBe(200);
  expect(await place.json(['site', 'list'])).toMatchObject({ sites: [{ id: site.id, name: 'Kept' }] });
});

test('the demo exists once, however often it is started, apart from the real data', async () => {
  const first = await place.serve('demo');
  const password = /Password +(\S+)/.exec(first.output())?.[1];
  expect(first.output()).toContain('demo@foyer.example');
  expect(first.output()).not.toContain('/app/setup#');
  expect(await first.end('SIGTERM')).toBe(0);
  const second = await place.serve('demo');
  expect(/Password +(\S+)/.exec(second.output())?.[1]).toBe(password);
  for (const email of ['demo@foyer.example', 'ben@foyer.example', 'cleo@foyer.example']) {
    expect(second.output()).toContain(email);
    const signIn = await fetch(`${second.url}/app/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: second.url.replace('127.0.0.1', 'localhost') },
      body: JSON.stringify({ email, password }),
    });
    expect(signIn.status).toBe(200);
  }
  const demo = { FOYER_DATA_DIR: `${place.settings.FOYER_DATA_DIR}/demo` };
  const { stdout } = await foyer(['site', 'list', '--json'], demo);
  expect(JSON.parse(stdout)).toMatchObject({ sites: [{ name: 'Lantern & Loom', plan: 'growth' }] });
  expect(await place.json(['site', 'list'])).toEqual({ sites: [] });
});
