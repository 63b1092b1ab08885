import { hash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestApp, type TestApp, type TestSite } from '../../../test/app.ts';
import { PASSWORD } from '../../../test/fixtures/sites.ts';
import { createGuardedFetch } from '../../net/guarded-fetch.ts';
import { inviteAgent } from '../agents/invitations.ts';
import { createBreachCheck } from './breached-passwords.ts';
import { createResetLink } from './password-resets.ts';
import { newSetupLink } from './setup.ts';

const BASE_URL = 'http://foyer.test';
const BREACHED = 'the heron stood still at dawn';
const PADDED = 'the kettle sang until noon';
const digitsOf = (password: string): string => hash('sha1', password).toUpperCase();

let asked: IncomingMessage[];
let answer: (response: ServerResponse) => void;
const service = createServer((request, response) => {
  asked.push(request);
  answer(response);
});
let url: string;
let app: TestApp;
let site: TestSite;
beforeAll(async () => {
  await once(service.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(service.address() as AddressInfo).port}/range`;
  app = await startTestApp({ FOYER_BREACHED_PASSWORDS_URL: url, FOYER_BASE_URL: BASE_URL });
  site = await app.makeSite();
});
afterAll(async () => {
  await app.close();
  service.closeAllConnections();
  service.close();
});
beforeEach(() => {
  asked = [];
  answer = (response) =>
    response.end(
      `${digitsOf(PADDED).slice(5)}:0\r\n${digitsOf(BREACHED).slice(5)}:37\r\n${'0'.repeat(35)}:1`,
    );
});

const lines: string[] = [];
const log = pino({ base: null }, { write: (line: string) => void lines.push(line) });
const check = (to = url, allowPrivate = true) =>
  createBreachCheck(to, createGuardedFetch({ allowPrivate }), log);

test('the service learns five digits of the hash, and padding is no breach', async () => {
  expect(await check()(BREACHED)).toBe(true);
  expect(await check(`${url}/`)(PADDED)).toBe(false);
  expect(await check()('another one that nobody knows')).toBe(false);
  expect(asked.map(({ url: path }) => path)).toEqual(
    [BREACHED, PADDED, 'another one that nobody knows'].map((one) => `/range/${digitsOf(one).slice(0, 5)}`),
  );
  expect(asked[0]?.headers).toMatchObject({ 'add-padding': 'true' });
});

test('a password is accepted, with a line in the log, while the service fails, breaks off or is private', async () => {
  lines.length = 0;
  answer = (response) => response.writeHead(503).end();
  expect(await check()(BREACHED)).toBe(false);
  answer = (response) => response.destroy();
  expect(await check()(BREACHED)).toBe(false);
  asked = [];
  expect(await check(url, false)(BREACHED)).toBe(false);
  expect(asked).toEqual([]);
  expect(lines).toHaveLength(3);
  expect(lines.join()).not.toContain(BREACHED);
  expect(lines.join()).not.toContain(digitsOf(BREACHED).slice(5));
});

test('a breached password is refused wherever one is chosen, and never where one is compared', async () => {
  const { db } = app.app.database;
  const { email } = site.admin;
  const send = async (path: string, body: object, cookie = '') => {
    const response = await fetch(`${app.url}/app/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: BASE_URL, cookie },
      body: JSON.stringify(body),
    });
    const { error } = (await response.json()) as { error?: { issues?: unknown } };
    return { status: response.status, issues: error?.issues };
  };
  const refused = (path: string) => ({
    status: 400,
    issues: [{ path, message: 'is known from a data breach', reason: 'breached_password' }],
  });
  const cookie = await app.signIn(email);
  expect(asked).toEqual([]);
  const change = (newPassword: string) =>
    send('auth/change-password', { currentPassword: PASSWORD, newPassword }, cookie);
  expect(await change(BREACHED)).toEqual(refused('newPassword'));

  const user = await db
    .selectFrom('auth_users')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  const token = (
    await createResetLink(db, { userId: user.id, baseUrl: BASE_URL, now: new Date() })
  ).url.split('#')[1];
  expect(await send('password/reset', { token, password: BREACHED })).toEqual(refused('password'));

  const admin = app.app.contextFor(site.site, {
    kind: 'agent',
    agentId: site.admin.agentId,
    name: 'Ada',
    role: 'admin',
  });
  const { url: invitation } = await inviteAgent(admin, { email: 'grace@example.com', role: 'agent' });
  const invited = { token: invitation.split('#')[1], name: 'Grace', password: BREACHED };
  expect(await send('invitation/accept', invited)).toEqual(refused('password'));

  answer = (response) => response.writeHead(500).end();
  expect((await send('password/reset', { token, password: BREACHED })).status).toBe(200);
  expect(asked).toHaveLength(4);
  // It is theirs now: signing in checks nothing.
  expect((await send('auth/sign-in/email', { email, password: BREACHED })).status).toBe(200);
  expect(asked).toHaveLength(4);

  answer = (response) => response.end(`${digitsOf(BREACHED).slice(5)}:1`);
  await db.deleteFrom('sites').execute();
  const setup = (await newSetupLink(db, BASE_URL))?.split('#')[1];
  const form = { token: setup, name: 'Eve', email: 'eve@example.com', site_name: 'Shop', password: BREACHED };
  expect(await send('setup', form)).toEqual(refused('password'));
});
