import { once } from 'node:events';
import type { ServerFrame } from '@foyer/protocol';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import {
  type Installation,
  newInstallation,
  PROCESSES_TIMEOUT_MS,
  type RunningServer,
} from '../../test/fixtures/foyer.ts';
import { until } from '../../test/harness.ts';

vi.setConfig({ testTimeout: PROCESSES_TIMEOUT_MS, hookTimeout: PROCESSES_TIMEOUT_MS });

let place: Installation;
let server: RunningServer;
let site: { id: number; public_key: string };

beforeAll(async () => {
  place = await newInstallation();
  server = await place.serve();
  site = await place.json(['site', 'create', '--name', 'Beside', '--plan', 'free']);
});

afterAll(() => place.clear());

const ofSite = (...args: string[]): string[] => [...args, '--site', String(site.id)];

const whoami = (token: string): Promise<Response> =>
  fetch(`${server.url}/v1/whoami`, { headers: { authorization: `Bearer ${token}` } });

/** Asks rarely: the free plan allows 60 requests a minute, and a rotated token keeps the count of the old one. */
const refuses = (token: string): Promise<void> =>
  expect.poll(async () => (await whoami(token)).status, { interval: 200 }).toBe(401);

test('a token works at once on the running server, and stops soon after it is rotated or revoked', async () => {
  const create = ofSite('token', 'create', '--name', 'CI', '--scopes', 'read,write');
  const { id, token } = await place.json<{ id: number; token: string }>(create);
  const first = await whoami(token);
  expect(first.status).toBe(200);
  expect(await first.json()).toMatchObject({ data: { site_id: site.id, scopes: ['read', 'write'] } });

  const rotate = [...ofSite('token', 'rotate'), '--id', String(id)];
  const rotated = await place.json<{ id: number; token: string }>(rotate);
  expect(rotated.id).toBe(id);
  await refuses(token);
  expect((await whoami(rotated.token)).status).toBe(200);

  const revoke = [...ofSite('token', 'revoke'), '--id', String(id)];
  expect(await place.json(revoke)).toMatchObject({ id, revoked_utc: expect.any(String) });
  await refuses(rotated.token);

  const { stdout } = await place.run(ofSite('token', 'list', '--json'));
  expect(JSON.parse(stdout)).toMatchObject({ tokens: [{ id, name: 'CI' }] });
  expect(stdout).not.toContain(token);
  expect(stdout).not.toContain(rotated.token);
});

test('a mailbox of a team is created here, and its team must exist', async () => {
  const { token } = await place.json<{ token: string }>(
    ofSite('token', 'create', '--name', 'Mail', '--scopes', 'read,write'),
  );
  const made = await fetch(`${server.url}/v1/teams`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Billing' }),
  });
  const { data: team } = (await made.json()) as { data: { id: number } };
  const create = (address: string, teamId: number) =>
    ofSite('mailbox', 'create', '--address', address, '--route', 'http', '--team', String(teamId));
  expect(await place.json(create('bills@shop.example', team.id))).toMatchObject({
    address: 'bills@shop.example',
    team: { id: team.id, name: 'Billing' },
  });
  const unknown = await place.run(create('other@shop.example', 4_000_000));
  expect(unknown).toMatchObject({ code: 1, stdout: '' });
  expect(unknown.stderr).toMatch(/team/i);
});

test('the raw token stands alone on a line of what a person reads', async () => {
  const { code, stdout } = await place.run(ofSite('token', 'create', '--name', 'me', '--scopes', 'read'));
  const raw = stdout.split('\n').find((line) => /^foy_[\w-]{43}$/.test(line));
  expect({ code, status: (await whoami(raw ?? '')).status }).toEqual({ code: 0, status: 200 });
});

test('another plan takes effect soon', async () => {
  const create = ofSite('token', 'create', '--name', 'plan', '--scopes', 'read');
  const { token } = await place.json<{ token: string }>(create);
  const limit = async () => (await whoami(token)).headers.get('ratelimit-limit');
  expect(await limit()).toBe('60');
  await place.json(ofSite('site', 'set-plan', '--plan', 'growth'));
  await until(async () => (await limit()) === '600');
});

test('a person who is created here can sign in there', async () => {
  const person = ['--email', 'Ann@shop.example', '--name', 'Ann', '--password', ' with spaces around '];
  await place.json([...ofSite('user', 'create'), ...person, '--role', 'admin']);
  const signIn = (password: string) =>
    fetch(`${server.url}/app/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: server.url.replace('127.0.0.1', 'localhost') },
      body: JSON.stringify({ email: 'ann@shop.example', password }),
    });
  expect((await signIn('with spaces around')).status).toBe(401);
  expect((await signIn(' with spaces around ')).status).toBe(200);
});

test('a link that is printed here lets its person choose a password there, once', async () => {
  const person = ['--email', 'Bea@shop.example', '--name', 'Bea', '--password', 'a long password'];
  await place.json([...ofSite('user', 'create'), ...person]);
  const post = (path: string, body: object) =>
    fetch(`${server.url}/app/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: server.url.replace('127.0.0.1', 'localhost') },
      body: JSON.stringify(body),
    });
  const { code, stdout } = await place.run(['user', 'reset-password', ' BEA@shop.example']);
  expect(code).toBe(0);
  const token = stdout.split('\n')[0]?.split('/app/reset-password#')[1];
  const chosen = { token, password: 'lamp shade in march' };
  expect((await post('password/reset', chosen)).status).toBe(200);
  expect((await post('password/reset', chosen)).status).toBe(404);
  const { password } = chosen;
  expect((await post('auth/sign-in/email', { email: 'bea@shop.example', password })).status).toBe(200);
  expect(await place.run(['user', 'reset-password', 'nobody@shop.example', '--json'])).toEqual({
    code: 1,
    stdout: '',
    stderr: 'No such account with this email address.\n',
  });
});

/** A visitor asks, and the bot says something. */
async function askBot(question: string, clientId: string): Promise<string> {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/widget/socket?site=${site.public_key}`);
  const said = new Promise<string>((resolve) => {
    socket.on('message', (raw) => {
      const frame: ServerFrame = JSON.parse(String(raw));
      if (frame.type === 'welcome') {
        const input = { session_id: null, client_id: clientId, text: question };
        socket.send(JSON.stringify({ type: 'call', id: 1, op: 'chat.send', input }));
      }
      if (frame.type === 'session') {
        const subscribe = { type: 'subscribe', id: 2, session_id: frame.session.session_id, after_seq: 0 };
        socket.send(JSON.stringify(subscribe));
      }
      if (frame.type === 'message' && frame.message.sender === 'bot') resolve(frame.message.text);
    });
  });
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'hello' }));
  const answer = await said;
  socket.terminate();
  return answer;
}

test('the bot of the running server soon knows what is imported', async () => {
  const question = 'How long is the warranty on a lantern?';
  expect(await askBot(question, '0198a1b2-0000-7000-8000-000000000001')).not.toContain('seven years');
  const text = '---\ntitle: Warranty\nstatus: Published\n---\nThe warranty on a lantern is seven years.\n';
  expect(await place.json([...ofSite('kb', 'import'), '-'], text)).toMatchObject({ created: 1, failed: [] });
  expect(await askBot(question, '0198a1b2-0000-7000-8000-000000000002')).toContain('seven years');
});

test('a backup is made while the server runs, and a restore is refused', async () => {
  const file = place.file('beside.gz');
  expect(await place.json(['backup', file])).toMatchObject({ file, holds_secret: true, rows: { sites: 1 } });
  const { code, stdout, stderr } = await place.run(['restore', file, '--json']);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^Another Foyer \(process \d+\) is already running on the data folder .*\n$/);
});

test('commands leave the server and its PostgreSQL alone', async () => {
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
});
