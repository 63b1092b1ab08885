import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AuthDoor, cookieOf, openAuthDoor } from '../../../test/fixtures/auth.ts';
import { newAgent, openSiteFixture, PASSWORD, type SiteFixture } from '../../../test/fixtures/sites.ts';
import { openDatabase } from '../../db/database.ts';

let fixture: SiteFixture;
beforeAll(async () => {
  fixture = await openSiteFixture();
});
afterAll(() => fixture.close());

const SIGN_IN = '/app/auth/sign-in/email';
const newPerson = async (): Promise<string> => (await newAgent((await fixture.newSite()).operator)).email;
const signIn = (door: AuthDoor, email: string, password = PASSWORD, headers = {}) =>
  door.post(SIGN_IN, { email, password }, headers);
const sessionOf = (door: AuthDoor, cookie: string) => door.auth.sessionOf({ cookie });
const signedIn = async (door: AuthDoor, email: string): Promise<string> =>
  cookieOf(await signIn(door, email));

test('signing in sets a cookie that no script reads and no other site sends', async () => {
  const door = openAuthDoor(fixture.db);
  const email = await newPerson();
  const answer = await signIn(door, ` ${email.toUpperCase()} `);
  expect(answer.statusCode).toBe(200);
  const names = answer.cookies.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining(['foyer.session_token', expect.stringMatching(/^foyer\.known_[0-9a-f]{16}$/)]),
  );
  for (const cookie of answer.cookies) {
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' });
    expect(cookie).not.toHaveProperty('secure');
  }
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(await sessionOf(door, cookieOf(answer))).toMatchObject({ userId: expect.any(String) });
});

test('on https the cookie is bound to the host', async () => {
  const door = openAuthDoor(fixture.db, { baseUrl: 'https://foyer.test' });
  const answer = await signIn(door, await newPerson());
  expect(answer.cookies.map(({ name }) => name)).toContain('__Host-foyer.session_token');
  for (const cookie of answer.cookies) {
    expect(cookie).toMatchObject({ name: expect.stringMatching(/^__Host-/), secure: true, path: '/' });
    expect(cookie).not.toHaveProperty('domain');
  }
  expect(await sessionOf(door, cookieOf(answer))).toBeDefined();
});

test('no answer holds the token of a session', async () => {
  const door = openAuthDoor(fixture.db);
  const email = await newPerson();
  const answer = await signIn(door, email);
  const cookie = cookieOf(answer);
  const sessions = await door.get('/app/auth/list-sessions', { cookie });
  expect(sessions.json()).toHaveLength(1);
  const session = await door.get('/app/auth/get-session', { cookie });
  expect(session.json()).toMatchObject({ user: { email } });
  const [token = ''] = /(?<=session_token=)\w{32}/.exec(cookie) ?? [];
  expect(token).not.toBe('');
  const stored = await fixture.db.selectFrom('auth_sessions').select('token').execute();
  for (const { body } of [answer, sessions, session])
    for (const secret of [token, ...stored.map((row) => row.token)]) expect(body).not.toContain(secret);
});

test('a forged or changed cookie signs nobody in', async () => {
  const door = openAuthDoor(fixture.db);
  const cookies = await signedIn(door, await newPerson());
  const cookie = cookies.split('; ').find((one) => one.startsWith('foyer.session_token=')) ?? '';
  expect(await sessionOf(door, cookie)).toBeDefined();
  expect(
    await sessionOf(
      door,
      cookie.replace(/=(.)/, (_, first) => (first === 'a' ? '=b' : '=a')),
    ),
  ).toBeUndefined();
  expect(await sessionOf(door, cookie.split('.').slice(0, 2).join('.'))).toBeUndefined();
  expect(await sessionOf(door, '')).toBeUndefined();
  const elsewhere = openAuthDoor(fixture.db, { baseUrl: 'https://foyer.test' });
  expect(await sessionOf(elsewhere, cookie)).toBeUndefined();
});

test('an unknown account and a wrong password get the same answer', async () => {
  const door = openAuthDoor(fixture.db);
  const answers = [
    await signIn(door, await newPerson(), 'a wrong password'),
    await signIn(door, 'nobody@example.com', 'a wrong password'),
    await signIn(door, 'not an address', 'a wrong password'),
  ];
  const shapes = answers.map(({ statusCode, headers, body }) => ({
    statusCode,
    headers: { ...headers, date: '', 'x-service-request-id': '' },
    body: body.replace(/req_[\w-]+/, ''),
  }));
  expect(shapes[0]).toMatchObject({ statusCode: 401, body: expect.stringContaining('"unauthorized"') });
  expect(shapes[1]).toEqual(shapes[0]);
  expect(shapes[2]).toEqual(shapes[0]);
});

test('the eleventh wrong attempt of an address in a minute must wait, whatever headers it sends', async () => {
  let time = Date.now();
  const door = openAuthDoor(fixture.db, { now: () => new Date(time) });
  const email = await newPerson();
  const attempt = (index: number, password = 'a wrong password') =>
    signIn(door, email, password, {
      'x-forwarded-for': `192.0.2.${index}`,
      'x-real-ip': `192.0.2.${index}`,
      forwarded: `for=192.0.2.${index}`,
    });
  for (let index = 0; index < 10; index += 1) expect((await attempt(index)).statusCode).toBe(401);
  const refused = await attempt(10, PASSWORD);
  expect(refused.statusCode).toBe(429);
  expect(refused.json().error.code).toBe('rate_limited');
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  time += 60_000;
  expect((await attempt(11, PASSWORD)).statusCode).toBe(200);
});

test('a successful sign-in does not count as an attempt', async () => {
  const door = openAuthDoor(fixture.db);
  const email = await newPerson();
  for (let index = 0; index < 12; index += 1) expect((await signIn(door, email)).statusCode).toBe(200);
});

test('behind a trusted proxy each forwarded address has its own attempts, and the account their sum', async () => {
  const door = openAuthDoor(fixture.db, { trustProxy: '127.0.0.1', attemptsPerAccount: 15 });
  const email = await newPerson();
  const statuses: number[] = [];
  for (let index = 0; index < 16; index += 1) {
    const headers = { 'x-forwarded-for': `192.0.2.${index}` };
    statuses.push((await signIn(door, email, 'x', headers)).statusCode);
  }
  expect(statuses.slice(0, 15).every((status) => status === 401)).toBe(true);
  expect(statuses[15]).toBe(429);
});

test('the address of a session is the one the server saw', async () => {
  const door = openAuthDoor(fixture.db);
  const forged = { 'x-forwarded-for': '192.0.2.66', 'x-foyer-address': '192.0.2.66' };
  const cookie = cookieOf(await signIn(door, await newPerson(), PASSWORD, forged));
  const [session] = (await door.get('/app/auth/list-sessions', { cookie })).json();
  expect(session.address).toBe('127.0.0.1');
});

test('a write sent by another page is refused', async () => {
  const door = openAuthDoor(fixture.db);
  const email = await newPerson();
  const cookie = await signedIn(door, email);
  for (const origin of [
    'http://evil.test',
    'null',
    'https://foyer.test',
    'http://foyer.test.evil.test',
    '',
  ]) {
    expect((await signIn(door, email, PASSWORD, { origin })).statusCode).toBe(403);
    expect((await door.post('/app/auth/sign-out', {}, { origin, cookie })).statusCode).toBe(403);
  }
  const bare = await door.server.inject({
    method: 'POST',
    url: '/app/auth/sign-out',
    payload: {},
    headers: { cookie },
  });
  expect(bare.statusCode).toBe(403);
  expect(await sessionOf(door, cookie)).toBeDefined();
  const ownHost = { origin: 'http://127.0.0.1:3000', host: '127.0.0.1:3000' };
  expect((await signIn(door, email, PASSWORD, ownHost)).statusCode).toBe(200);
});

test('of better-auth only what the dashboard needs is open', async () => {
  const door = openAuthDoor(fixture.db);
  const cookie = await signedIn(door, await newPerson());
  const person = { email: 'new@example.com', password: PASSWORD, name: 'New' };
  for (const path of [
    'sign-up/email',
    'update-user',
    'delete-user',
    'change-email',
    'request-password-reset',
    'reset-password',
    'set-password',
    'verify-password',
    'sign-in/social',
    'sign-in/email/',
    'ok',
  ]) {
    expect((await door.post(`/app/auth/${path}`, person, { cookie })).statusCode, path).toBe(404);
    expect((await door.get(`/app/auth/${path}`, { cookie })).statusCode, path).toBe(404);
  }
  const accounts = fixture.db.selectFrom('auth_users').select('id').where('email', '=', person.email);
  expect(await accounts.execute()).toEqual([]);
});

test('a password change ends all other sessions and their sockets, whether that is requested or not', async () => {
  const door = openAuthDoor(fixture.db);
  const email = await newPerson();
  const [mine, theirs] = [await signedIn(door, email), await signedIn(door, email)];
  const stranger = await signedIn(door, await newPerson());
  const userId = (await sessionOf(door, mine))?.userId;
  const body = {
    currentPassword: PASSWORD,
    newPassword: 'another good password',
    revokeOtherSessions: false,
  };
  const answer = await door.post('/app/auth/change-password', body, { cookie: mine });
  expect(answer.statusCode).toBe(200);
  expect(await sessionOf(door, theirs)).toBeUndefined();
  expect(await sessionOf(door, mine)).toBeUndefined();
  expect(await sessionOf(door, cookieOf(answer))).toMatchObject({ userId });
  expect(await sessionOf(door, stranger)).toBeDefined();
  expect(new Set(door.ended)).toEqual(new Set([userId]));
  expect((await signIn(door, email)).statusCode).toBe(401);
  expect((await signIn(door, email, 'another good password')).statusCode).toBe(200);
});

test('a password is changed only with the current one, and only to a good one', async () => {
  const door = openAuthDoor(fixture.db);
  const email = await newPerson();
  const cookie = await signedIn(door, email);
  const change = (currentPassword: string, newPassword: string, headers = { cookie }) =>
    door.post('/app/auth/change-password', { currentPassword, newPassword }, headers);
  const wrong = await change('not my password', 'another good password');
  expect(wrong.statusCode).toBe(400);
  expect(wrong.json().error.issues).toMatchObject([{ path: 'currentPassword', reason: 'wrong_password' }]);
  expect((await change(PASSWORD, 'short')).json().error.issues).toMatchObject([{ path: 'newPassword' }]);
  expect((await change(PASSWORD, 'x'.repeat(129))).statusCode).toBe(400);
  expect((await change(PASSWORD, 'another good password', { cookie: '' })).statusCode).toBe(401);
  expect(await sessionOf(door, cookie)).toBeDefined();
  expect((await signIn(door, email)).statusCode).toBe(200);
});

test('guessing the password in an unlocked session is limited too', async () => {
  const door = openAuthDoor(fixture.db);
  const cookie = await signedIn(door, await newPerson());
  const body = { currentPassword: 'a guess', newPassword: 'another good password' };
  const statuses: number[] = [];
  for (let index = 0; index < 11; index += 1) {
    statuses.push((await door.post('/app/auth/change-password', body, { cookie })).statusCode);
  }
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 400), 429]);
});

test('signing out ends this session, elsewhere ends the others, everywhere ends all', async () => {
  const door = openAuthDoor(fixture.db);
  const email = await newPerson();
  const alive = async (cookies: string[]): Promise<boolean[]> =>
    Promise.all(cookies.map(async (cookie) => (await sessionOf(door, cookie)) !== undefined));
  const cookies = [await signedIn(door, email), await signedIn(door, email), await signedIn(door, email)];
  const [first = '', second = ''] = cookies;
  await door.post('/app/auth/sign-out', {}, { cookie: first });
  expect(await alive(cookies)).toEqual([false, true, true]);
  expect((await door.post('/app/auth/revoke-other-sessions', {}, { cookie: second })).statusCode).toBe(200);
  expect(await alive(cookies)).toEqual([false, true, false]);
  await door.post('/app/auth/revoke-sessions', {}, { cookie: second });
  expect(await alive(cookies)).toEqual([false, false, false]);
  expect(door.ended.length).toBeGreaterThanOrEqual(3);
  expect((await door.post('/app/auth/revoke-other-sessions', {}, { cookie: second })).statusCode).toBe(401);
});

test('an unreadable body is 400, and changes nothing', async () => {
  const door = openAuthDoor(fixture.db);
  const bodies = [{}, { email: 1, password: 2 }, { email: 'a@example.com', password: 'x'.repeat(200) }];
  for (const body of bodies) expect((await door.post(SIGN_IN, body)).statusCode).toBe(400);
  const extra = { email: 'a@example.com', password: PASSWORD, callbackURL: 'https://evil.test' };
  expect((await door.post(SIGN_IN, extra)).statusCode).toBe(400);
});

test('an unreachable database is 503 at every one of these entry points', async () => {
  const away = openDatabase('postgres://nobody@127.0.0.1:1/none');
  const there = openAuthDoor(fixture.db);
  const cookie = await signedIn(there, await newPerson());
  const door = openAuthDoor(away.db);
  expect((await signIn(door, 'a@example.com')).statusCode).toBe(503);
  expect((await door.get('/app/auth/get-session', { cookie })).statusCode).toBe(503);
  expect((await door.get('/app/auth/list-sessions', { cookie })).statusCode).toBe(503);
  expect((await door.post('/app/auth/sign-out', {}, { cookie })).statusCode).toBe(503);
  expect((await door.post('/app/auth/revoke-sessions', {}, { cookie })).statusCode).toBe(503);
  await expect(sessionOf(door, cookie)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await away.close();
});
