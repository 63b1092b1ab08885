import { type Logger, pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AuthDoor, type cookieOf, openAuthDoor } from '../../../test/fixtures/auth.ts';
import { newAgent, openSiteFixture, PASSWORD, type SiteFixture } from '../../../test/fixtures/sites.ts';

let fixture: SiteFixture;
beforeAll(async () => {
  fixture = await openSiteFixture();
});
afterAll(() => fixture.close());

const ATTEMPTS = 3;
const openDoor = (log?: Logger) =>
  openAuthDoor(fixture.db, {
    trustProxy: '127.0.0.1',
    attemptsPerAccount: ATTEMPTS,
    ...(log && { log }),
  });
const newPerson = async (): Promise<string> => (await newAgent((await fixture.newSite()).operator)).email;
let addresses = 0;
/** Each time from another address. */
const signIn = (door: AuthDoor, email: string, password: string, cookie?: string) =>
  door.post(
    '/app/auth/sign-in/email',
    { email, password },
    { 'x-forwarded-for': `198.51.100.${++addresses}`, ...(cookie ? { cookie } : {}) },
  );
const knownCookie = (answer: Parameters<typeof cookieOf>[0]): string =>
  answer.cookies
    .filter(({ name }) => name.includes('known_'))
    .map(({ name, value }) => `${name}=${value}`)
    .join('; ');

test('strangers who use up an account’s attempts lock out nobody who has signed in there before', async () => {
  const door = openDoor();
  const email = await newPerson();
  const before = await signIn(door, email, PASSWORD);
  const known = knownCookie(before);
  expect(known).not.toBe('');
  for (let at = 0; at < ATTEMPTS; at++) expect((await signIn(door, email, 'wrong')).statusCode).toBe(401);
  expect((await signIn(door, email, PASSWORD)).statusCode).toBe(429);
  expect((await signIn(door, email, PASSWORD, known)).statusCode).toBe(200);
});

test('a known browser has attempts of its own, and no more', async () => {
  const door = openDoor();
  const email = await newPerson();
  const known = knownCookie(await signIn(door, email, PASSWORD));
  for (let at = 0; at < ATTEMPTS; at++)
    expect((await signIn(door, email, 'wrong', known)).statusCode).toBe(401);
  expect((await signIn(door, email, PASSWORD, known)).statusCode).toBe(429);
  // They did not count for the account.
  expect((await signIn(door, email, PASSWORD)).statusCode).toBe(200);
});

test('a cookie that was forged, or is another account’s, has no effect', async () => {
  const door = openDoor();
  const [email, other] = [await newPerson(), await newPerson()];
  const known = knownCookie(await signIn(door, email, PASSWORD));
  const [name = '', value = ''] = known.split('=');
  const others = knownCookie(await signIn(door, other, PASSWORD)).split('=')[1] ?? '';
  for (let at = 0; at < ATTEMPTS; at++) await signIn(door, email, 'wrong');
  for (const forged of [`${name}=${others}`, `${name}=x.${value.split('.')[1]}`, `${name}=.`, `${name}=`])
    expect((await signIn(door, email, PASSWORD, forged)).statusCode).toBe(429);
});

test('a wrong password makes no browser known, and scripts can’t read the cookie', async () => {
  const door = openDoor();
  const email = await newPerson();
  expect(knownCookie(await signIn(door, email, 'wrong'))).toBe('');
  const answer = await signIn(door, email, PASSWORD);
  const cookie = answer.cookies.find(({ name }) => name.includes('known_'));
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' });
  expect(`${cookie?.name}=${cookie?.value}`).not.toContain(email);
});

test('each failed attempt is logged with its address, and with the account but not its name', async () => {
  const lines: string[] = [];
  const door = openDoor(pino({ level: 'info' }, { write: (line) => void lines.push(line) }));
  const email = await newPerson();
  for (let at = 0; at <= ATTEMPTS; at++) await signIn(door, email, 'not the password');
  await signIn(door, 'nobody@example.com', 'wrong');
  const failed = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'a sign-in failed');
  expect(failed.map(({ failure }) => failure)).toEqual(['failed', 'failed', 'failed', 'locked', 'failed']);
  const accounts = failed.map(({ account }) => account);
  expect(new Set(accounts.slice(0, 4)).size).toBe(1);
  expect(accounts[4]).not.toBe(accounts[0]);
  for (const { address } of failed) expect(address).toMatch(/^198\.51\.100\./);
  expect(lines.join()).not.toContain(email);
  expect(lines.join()).not.toContain('not the password');
});
