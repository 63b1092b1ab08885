import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { codeOf } from '../../../test/authenticator.ts';
import { AUTH_SECRET, type AuthDoor, cookieOf, openAuthDoor } from '../../../test/fixtures/auth.ts';
import { newAgent, openSiteFixture, PASSWORD, type SiteFixture } from '../../../test/fixtures/sites.ts';
import { silentLog, until } from '../../../test/harness.ts';
import { deriveKey } from '../../core/keyring.ts';
import { startFills } from '../../db/fills.ts';
import { listFills } from '../../db/migration-files.ts';
import { checkReset, createResetLink } from '../../sites/sign-in/password-resets.ts';

let fixture: SiteFixture;
let door: AuthDoor;
beforeAll(async () => {
  fixture = await openSiteFixture();
  door = openAuthDoor(fixture.db);
});
afterAll(() => fixture.close());

const AUTH = '/app/auth';
const newPerson = async (): Promise<string> => (await newAgent((await fixture.newSite()).operator)).email;
const enter = (email: string, password = PASSWORD) => door.post(`${AUTH}/sign-in/email`, { email, password });
const isIn = async (cookie: string) => (await door.auth.sessionOf({ cookie })) !== undefined;

/** A cookie signed by somebody who has the installation's secret too, such as the owner of a whole backup. */
function signed(name: string, value: string): string {
  const key = deriveKey(AUTH_SECRET, 'sign-in').toString('base64url');
  const signature = createHmac('sha256', key).update(value).digest('base64');
  return `foyer.${name}=${encodeURIComponent(`${value}.${signature}`)}`;
}

/** A cookie's value, without its signature. */
function valueIn(cookie: string, name: string): string {
  const found = cookie.split('; ').find((one) => one.startsWith(`foyer.${name}=`)) ?? '';
  return decodeURIComponent(found.slice(found.indexOf('=') + 1)).replace(/\.[^.]*$/, '');
}

async function secondFactor(email: string): Promise<string> {
  const cookie = cookieOf(await enter(email));
  const begun = await door.post(`${AUTH}/two-factor/enable`, { password: PASSWORD }, { cookie });
  const uri: string = begun.json().totpURI;
  await door.post(`${AUTH}/two-factor/verify-totp`, { code: codeOf(uri, -1) }, { cookie });
  return uri;
}

/** Without the limits of the routes. */
const finish = async (cookie: string, code: string): Promise<number> => {
  const request = new Request(`http://foyer.test${AUTH}/two-factor/verify-totp`, {
    method: 'POST',
    headers: { cookie, origin: 'http://foyer.test', 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  return (await door.auth.handle(request)).status;
};

/** Every text in every table of sign-ins, by its column. */
async function storedTexts(): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const { name } of await fixture.db.introspection.getTables()) {
    if (!name.startsWith('auth_')) continue;
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(fixture.db);
    expect(rows, name).not.toEqual([]);
    for (const row of rows)
      for (const [column, value] of Object.entries(row))
        if (typeof value === 'string') texts.set(value, `${name}.${column}`);
  }
  return texts;
}

test('nothing that is stored about sign-ins can sign in, even with the installation’s secret', async () => {
  const [email, other] = [await newPerson(), await newPerson()];
  const cookie = cookieOf(await enter(email));
  const uri = await secondFactor(other);
  const challenge = cookieOf(await enter(other));
  const owner = await fixture.db.selectFrom('auth_users').select('id').where('email', '=', email);
  const userId = (await owner.executeTakeFirstOrThrow()).id;
  await createResetLink(fixture.db, { userId, baseUrl: '', now: new Date() });
  const passkey = {
    name: 'Phone',
    credential_id: 'AAAA',
    public_key: Buffer.of(1),
    counter: 0,
    transports: [],
  };
  const about = { id: 'passkey', user_id: userId, created_at: new Date() };
  await fixture.db
    .insertInto('auth_passkeys')
    .values({ ...passkey, ...about })
    .execute();

  // The forged cookies are valid: with the browser's values they open the same doors.
  expect(await isIn(signed('session_token', valueIn(cookie, 'session_token')))).toBe(true);
  const texts = await storedTexts();
  for (const [text, column] of texts) {
    expect(await isIn(signed('session_token', text)), column).toBe(false);
    expect(await finish(signed('two_factor', text), codeOf(uri)), column).toBe(401);
    await expect(checkReset(fixture.db, { token: text }, new Date()), column).rejects.toThrow();
    if (column === 'auth_accounts.password') expect((await enter(email, text)).statusCode).not.toBe(200);
  }
  const seen = [...texts.values()];
  expect(seen).toContain('auth_sessions.token');
  expect(seen.filter((column) => column === 'auth_verifications.identifier').length).toBeGreaterThan(2);
  expect(await finish(signed('two_factor', valueIn(challenge, 'two_factor')), codeOf(uri))).toBe(200);
});

test('a session from before an upgrade continues, also at processes that are not upgraded yet', async () => {
  const number = (await listFills()).find(({ file }) => file.includes('hashed_session'))?.number ?? 0;
  const older = new pg.Client({
    connectionString: fixture.url,
    application_name: `foyer jobs ${number - 1}`,
  });
  older.on('error', () => undefined);
  await older.connect();
  const tokenIsStored = async (cookie: string): Promise<boolean> => {
    const found = fixture.db.selectFrom('auth_sessions').select('id');
    return (await found.where('token', '=', valueIn(cookie, 'session_token')).execute()).length > 0;
  };
  const email = await newPerson();
  const [cookie, second] = [cookieOf(await enter(email)), cookieOf(await enter(email))];
  expect([await tokenIsStored(cookie), await isIn(cookie)]).toEqual([true, true]);
  await door.post(`${AUTH}/sign-out`, {}, { cookie: second });
  expect(await isIn(second)).toBe(false);

  let looks = 0;
  const pool = new pg.Pool({ connectionString: fixture.url });
  const query = pool.query.bind(pool) as (...parts: unknown[]) => unknown;
  const counting = Object.assign(Object.create(pool), {
    query(...parts: unknown[]) {
      if (String(parts[0]).includes('pg_stat_activity')) looks++;
      return query(...parts);
    },
  });
  const fills = startFills({ pool: counting, log: silentLog, goneAfterMs: 500, lookMs: 1 });
  onTestFinished(async () => {
    await fills.stop();
    await pool.end();
  });
  // The result of every look but the last has been handled.
  await until(async () => looks > 3);
  expect(await tokenIsStored(cookie)).toBe(true);
  await older.end();
  await until(async () => !(await tokenIsStored(cookie)));
  expect(await isIn(cookie)).toBe(true);
  const late = cookieOf(await enter(email));
  expect([await tokenIsStored(late), await isIn(late)]).toEqual([false, true]);
});

test('a hashed session is extended, ends in time, and keeps its cookie', async () => {
  const email = await newPerson();
  const cookie = cookieOf(await enter(email));
  const session = await door.auth.sessionOf({ cookie });
  const set = (expires_at: Date) =>
    fixture.db
      .updateTable('auth_sessions')
      .set({ expires_at })
      .where('id', '=', session?.sessionId ?? '')
      .execute();
  await set(new Date(Date.now() + 60_000));
  const extended = await door.auth.sessionOf({ cookie }, { prolong: true });
  const [set_cookie = ''] = extended?.setCookies ?? [];
  expect(valueIn(set_cookie.split(';', 1)[0] ?? '', 'session_token')).toBe(valueIn(cookie, 'session_token'));
  expect(await isIn(cookie)).toBe(true);
  await set(new Date(Date.now() - 1));
  expect(await isIn(cookie)).toBe(false);
  const left = fixture.db.selectFrom('auth_sessions').select('id');
  expect(await left.where('id', '=', session?.sessionId ?? '').execute()).toEqual([]);
});
