import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeOf } from '../../../test/authenticator.ts';
import { type AuthDoor, cookieOf, openAuthDoor } from '../../../test/fixtures/auth.ts';
import {
  dumpOf,
  newAgent,
  openSiteFixture,
  PASSWORD,
  type SiteFixture,
} from '../../../test/fixtures/sites.ts';
import { addAgent } from '../../sites/agents/agents.ts';
import { resetTwoFactor } from '../../sites/sign-in/two-factor.ts';

let fixture: SiteFixture;
/** A person whom the tests don't change: each password takes a while to check. */
let ada: { door: AuthDoor; email: string } & Awaited<ReturnType<typeof enrolled>>;
beforeAll(async () => {
  fixture = await openSiteFixture();
  const door = openAuthDoor(fixture.db);
  const email = await newPerson();
  ada = { door, email, ...(await enrolled(door, email)) };
});
afterAll(() => fixture.close());

const AUTH = '/app/auth';
const WRONG = '000000';
const newPerson = async (): Promise<string> => (await newAgent((await fixture.newSite()).operator)).email;
const give = (door: AuthDoor, email: string, password = PASSWORD) =>
  door.post(`${AUTH}/sign-in/email`, { email, password });
const verify = (door: AuthDoor, cookie: string, code: string) =>
  door.post(`${AUTH}/two-factor/verify-totp`, { code }, { cookie });
const backUp = (door: AuthDoor, cookie: string, code: string) =>
  door.post(`${AUTH}/two-factor/verify-backup-code`, { code }, { cookie });
const isIn = async (door: AuthDoor, cookie: string) => (await door.auth.sessionOf({ cookie })) !== undefined;

/** A person who has set up a second factor, with the code of the last period. */
async function enrolled(door: AuthDoor, email: string) {
  const first = cookieOf(await give(door, email));
  const begun = await door.post(`${AUTH}/two-factor/enable`, { password: PASSWORD }, { cookie: first });
  const { totpURI: uri, backupCodes } = begun.json();
  const code = codeOf(uri, -1);
  const answer = await verify(door, first, code);
  expect(answer.statusCode).toBe(200);
  return { uri, code, backupCodes, first, cookie: cookieOf(answer) };
}

test('the password alone opens nothing once there is a second factor; the code does', async () => {
  const { door, email, uri } = ada;
  const half = await give(door, email);
  expect(half.json()).toEqual({ twoFactorRedirect: true, twoFactorMethods: ['totp'] });
  expect(await isIn(door, cookieOf(half))).toBe(false);
  const whole = await verify(door, cookieOf(half), ` ${codeOf(uri).slice(0, 3)} ${codeOf(uri).slice(3)} `);
  expect(whole.statusCode).toBe(200);
  expect(await isIn(door, cookieOf(whole))).toBe(true);
});

test('setting it up ends every session that was begun without a code, except that of the browser that did it', async () => {
  const door = openAuthDoor(fixture.db);
  const email = await newPerson();
  const elsewhere = cookieOf(await give(door, email));
  const { first, cookie } = await enrolled(door, email);
  expect(await isIn(door, elsewhere)).toBe(false);
  expect(await isIn(door, first)).toBe(false);
  expect(await isIn(door, cookie)).toBe(true);
  expect(door.ended.length).toBeGreaterThan(0);
});

test('nothing is on before a code has proven that the device has the secret', async () => {
  const door = openAuthDoor(fixture.db);
  const email = await newPerson();
  const cookie = cookieOf(await give(door, email));
  await door.post(`${AUTH}/two-factor/enable`, { password: PASSWORD }, { cookie });
  expect((await verify(door, cookie, WRONG)).statusCode).toBe(401);
  expect(await isIn(door, cookieOf(await give(door, email)))).toBe(true);
});

test('a code counts once, also across sign-ins, and of two at once one is refused', async () => {
  const door = openAuthDoor(fixture.db);
  const email = await newPerson();
  const { uri } = await enrolled(door, email);
  const code = codeOf(uri, 1);
  const [one, two] = [cookieOf(await give(door, email)), cookieOf(await give(door, email))];
  const answers = await Promise.all([verify(door, one, code), verify(door, two, code)]);
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 401]);
  const late = await verify(door, cookieOf(await give(door, email)), code);
  expect(late.statusCode).toBe(401);
  expect(late.json().error.message).toContain('already used');
});

test('the code that set it up does not sign in', async () => {
  const { door, email, code } = ada;
  expect((await verify(door, cookieOf(await give(door, email)), code)).statusCode).toBe(401);
});

test('a backup code signs in once, and another list invalidates the old one', async () => {
  const door = openAuthDoor(fixture.db);
  const email = await newPerson();
  const { backupCodes, cookie } = await enrolled(door, email);
  expect(new Set(backupCodes).size).toBe(10);
  const answer = await backUp(door, cookieOf(await give(door, email)), backupCodes[0]);
  expect(await isIn(door, cookieOf(answer))).toBe(true);
  expect((await backUp(door, cookieOf(await give(door, email)), backupCodes[0])).statusCode).toBe(401);
  const fresh = await door.post(
    `${AUTH}/two-factor/generate-backup-codes`,
    { password: PASSWORD },
    { cookie },
  );
  expect(fresh.json().backupCodes).toHaveLength(10);
  expect((await backUp(door, cookieOf(await give(door, email)), backupCodes[1])).statusCode).toBe(401);
});

test('after five wrong codes the password is required again', async () => {
  const door = openAuthDoor(fixture.db);
  const email = await newPerson();
  const { uri } = await enrolled(door, email);
  const cookie = cookieOf(await give(door, email));
  for (let index = 0; index < 5; index += 1) {
    expect((await verify(door, cookie, `00000${index}`)).statusCode).toBe(401);
  }
  const right = await verify(door, cookie, codeOf(uri));
  expect(right.statusCode).toBe(401);
  expect(right.json().error.message).toContain('Sign in again');
  expect(await isIn(door, cookieOf(right))).toBe(false);
});

test('ten wrong codes in a row close the account’s second step, however many sign-ins they are spread over', async () => {
  const door = openAuthDoor(fixture.db, { trustProxy: '127.0.0.1' });
  const email = await newPerson();
  const { uri } = await enrolled(door, email);
  for (const [address, codes] of [
    ['192.0.2.1', [1, 2, 3, 4, 5]],
    ['192.0.2.2', [6, 7, 8, 9, 10]],
  ] as const) {
    const from = { 'x-forwarded-for': address, cookie: cookieOf(await give(door, email)) };
    for (const code of codes)
      await door.post(`${AUTH}/two-factor/verify-totp`, { code: `1111${code}` }, from);
  }
  const locked = await verify(door, cookieOf(await give(door, email)), codeOf(uri));
  expect(locked.statusCode).toBe(429);
  expect(locked.headers['retry-after']).toBe('900');
});

test('a wrong password reveals nothing about a second factor', async () => {
  const { door, email } = ada;
  const plain = await newPerson();
  const answers = [await give(door, plain, 'a wrong password'), await give(door, email, 'a wrong password')];
  const [one, two] = answers.map(({ statusCode, body, cookies }) => ({
    statusCode,
    body: body.replace(/req_[\w-]+/, ''),
    cookies,
  }));
  expect(one?.statusCode).toBe(401);
  expect(two).toEqual(one);
});

test('a code without a password before it, and one with a forged cookie, get nowhere', async () => {
  const { door, uri } = ada;
  expect((await verify(door, '', codeOf(uri))).statusCode).toBe(401);
  expect((await verify(door, 'foyer.two_factor=2fa-made-up.c2ln', codeOf(uri))).statusCode).toBe(401);
});

test('turning it off, and a new list of backup codes, require the password', async () => {
  const door = openAuthDoor(fixture.db);
  const email = await newPerson();
  const { cookie } = await enrolled(door, email);
  for (const path of ['disable', 'generate-backup-codes']) {
    const answer = await door.post(`${AUTH}/two-factor/${path}`, { password: 'a guess' }, { cookie });
    expect(answer.statusCode, path).toBe(400);
    expect(answer.json().error.issues).toMatchObject([{ path: 'password', reason: 'wrong_password' }]);
  }
  const off = await door.post(`${AUTH}/two-factor/disable`, { password: PASSWORD }, { cookie });
  expect(off.statusCode).toBe(200);
  expect(await isIn(door, cookieOf(await give(door, email)))).toBe(true);
});

test('neither the secret nor a backup code is in the database in plain text', async () => {
  const { uri, backupCodes } = ada;
  const dump = await dumpOf(fixture);
  expect(dump).not.toContain(new URL(uri).searchParams.get('secret'));
  for (const code of backupCodes) expect(dump).not.toContain(code);
});

test('an admin’s reset ends the sessions and lets the password alone sign in', async () => {
  const door = openAuthDoor(fixture.db);
  const site = await fixture.newSite();
  const { id, email } = await newAgent(site.operator);
  const { cookie } = await enrolled(door, email);
  await resetTwoFactor(site.admin, id);
  expect(await isIn(door, cookie)).toBe(false);
  expect(await isIn(door, cookieOf(await give(door, email)))).toBe(true);
});

test('an admin may not reset a person who works for another site too; the operator may', async () => {
  const door = openAuthDoor(fixture.db);
  const [mine, other] = [await fixture.newSite(), await fixture.newSite()];
  const { id, email } = await newAgent(mine.operator);
  await addAgent(other.operator, { email, name: 'Ada', role: 'agent' });
  await enrolled(door, email);
  await expect(resetTwoFactor(mine.admin, id)).rejects.toMatchObject({ code: 'conflict' });
  await resetTwoFactor(mine.operator, id);
  expect(await isIn(door, cookieOf(await give(door, email)))).toBe(true);
});

test('a person ends one of their own sessions, and nobody else’s', async () => {
  const door = openAuthDoor(fixture.db);
  const email = await newPerson();
  const [mine, other] = [cookieOf(await give(door, email)), cookieOf(await give(door, email))];
  const stranger = cookieOf(await give(door, await newPerson()));
  const devices = (await door.get(`${AUTH}/list-sessions`, { cookie: mine })).json();
  expect(devices).toHaveLength(2);
  expect(devices.filter(({ current }: { current: boolean }) => current)).toHaveLength(1);
  const { id } = devices.find(({ current }: { current: boolean }) => !current);
  const end = (cookie: string) => door.post(`${AUTH}/revoke-session`, { id }, { cookie });
  expect((await end(stranger)).statusCode).toBe(404);
  expect(await isIn(door, other)).toBe(true);
  expect((await end(mine)).statusCode).toBe(200);
  expect(await isIn(door, other)).toBe(false);
  expect(await isIn(door, mine)).toBe(true);
  expect(door.ended).toHaveLength(1);
  expect((await end(mine)).statusCode).toBe(404);
});
