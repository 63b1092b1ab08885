import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSiteFixture, type SiteFixture } from '../../../test/fixtures/sites.ts';
import { setPlan } from '../sites.ts';
import { createToken, listTokens, revokeToken, rotateToken } from './api-tokens.ts';
import { createTokenAuthenticator } from './token-authenticator.ts';

let fixture: SiteFixture;
beforeAll(async () => {
  fixture = await openSiteFixture();
});
afterAll(() => fixture.close());

const log = pino({ level: 'silent' });
const authenticator = (now = () => new Date()) => createTokenAuthenticator({ db: fixture.db, now, log });
/** The caller's address. */
const HOME = '203.0.113.7';

const tokenOf = async (scopes: 'read' | 'read,write' = 'read') => {
  const site = await fixture.newSite();
  return { ...site, ...(await createToken(site.admin, { name: 'CI', scopes })) };
};

test('a token identifies its site, its plan and its scope', async () => {
  const [reader, writer] = [await tokenOf('read'), await tokenOf('read,write')];
  const door = authenticator();
  expect(await door.authenticate(reader.token, HOME)).toEqual({
    site: reader.site,
    actor: { kind: 'token', tokenId: reader.id, canWrite: false, requestCount: 1 },
  });
  expect(await door.authenticate(writer.token, HOME)).toMatchObject({
    site: writer.site,
    actor: { tokenId: writer.id, canWrite: true },
  });
  await door.stop();
});

test('any other text identifies no token', async () => {
  const { token } = await tokenOf();
  const door = authenticator();
  const wrong = `foy_${'A'.repeat(43)}`;
  for (const raw of [
    '',
    'foy_',
    wrong,
    wrong,
    `${token} `,
    token.slice(4),
    token.toUpperCase(),
    `${token}\0`,
  ]) {
    expect(await door.authenticate(raw, HOME)).toBeUndefined();
  }
  await door.stop();
});

test('500 parallel requests are counted exactly, even while a batch is written', async () => {
  const { token, admin } = await tokenOf();
  const other = await tokenOf();
  const door = authenticator();
  const counts = await Promise.all(
    Array.from({ length: 500 }, async (_, index) => {
      if (index % 100 === 50) await door.flush();
      await door.authenticate(other.token, HOME);
      return (await door.authenticate(token, HOME))?.actor.requestCount;
    }),
  );
  expect(counts.toSorted((a = 0, b = 0) => a - b)).toEqual(
    Array.from({ length: 500 }, (_, index) => index + 1),
  );
  await door.stop();
  const [listed] = await listTokens(admin);
  expect(listed).toMatchObject({ request_count: 500 });
  expect(listed?.daily).toEqual([{ day: new Date().toISOString().slice(0, 10), requests: 500 }]);
  expect(listed?.last_used_utc).not.toBeNull();
  expect((await listTokens(other.admin))[0]?.request_count).toBe(500);
});

test('two processes together lose and double nothing', async () => {
  const { token, admin } = await tokenOf();
  const doors = [authenticator(), authenticator()];
  await Promise.all(
    doors.map(async (door) => {
      for (let round = 0; round < 20; round += 1) {
        await Promise.all(Array.from({ length: 10 }, () => door.authenticate(token, HOME)));
        await door.flush();
      }
    }),
  );
  await Promise.all(doors.map((door) => door.stop()));
  expect((await listTokens(admin))[0]?.request_count).toBe(400);
  expect((await authenticator().authenticate(token, HOME))?.actor.requestCount).toBe(401);
});

test('counts that cannot be written are kept and written later', async () => {
  const { token, admin } = await tokenOf();
  const door = authenticator();
  await Promise.all(Array.from({ length: 7 }, () => door.authenticate(token, HOME)));
  await fixture.execute('alter table api_token_days rename to days_away');
  await door.flush();
  expect((await listTokensWithoutDays(admin.site.id))[0]).toEqual({ request_count: 0 });
  expect((await door.authenticate(token, HOME))?.actor.requestCount).toBe(8);
  await fixture.execute('alter table days_away rename to api_token_days');
  await door.flush();
  expect((await door.authenticate(token, HOME))?.actor.requestCount).toBe(9);
  await door.stop();
  expect((await listTokens(admin))[0]).toMatchObject({ request_count: 9, daily: [{ requests: 9 }] });
});

const listTokensWithoutDays = (siteId: number) =>
  fixture.db.selectFrom('api_tokens').select('request_count').where('site_id', '=', siteId).execute();

test('the counts of a deleted token do not keep those of the others from being written', async () => {
  const [gone, here] = [await tokenOf(), await tokenOf()];
  const door = authenticator();
  await door.authenticate(gone.token, HOME);
  await door.authenticate(here.token, HOME);
  await fixture.db.deleteFrom('api_tokens').where('id', '=', gone.id).execute();
  await door.stop();
  expect((await listTokens(here.admin))[0]?.request_count).toBe(1);
});

test('requests are counted by the day on which they came', async () => {
  const { token, admin } = await tokenOf();
  const midnight = new Date(new Date().toISOString().slice(0, 10)).getTime();
  let time = midnight - 1;
  const door = authenticator(() => new Date(time));
  await door.authenticate(token, HOME);
  time = midnight;
  await door.authenticate(token, HOME);
  await door.authenticate(token, HOME);
  await door.stop();
  const [today, yesterday] = [new Date(midnight), new Date(midnight - 1)].map((day) =>
    day.toISOString().slice(0, 10),
  );
  expect((await listTokens(admin))[0]?.daily).toEqual([
    { day: today, requests: 2 },
    { day: yesterday, requests: 1 },
  ]);
});

test('a revoked token and the old secret of a rotated one are invalid as soon as the notice arrives', async () => {
  const [first, second] = [await tokenOf(), await tokenOf()];
  const door = authenticator();
  expect(await door.authenticate(first.token, HOME)).toBeDefined();
  expect(await door.authenticate(second.token, HOME)).toBeDefined();
  await revokeToken(first.admin, first.id);
  const { token: fresh } = await rotateToken(second.admin, second.id);
  door.forget(first.site.id);
  door.forget(second.site.id);
  expect(await door.authenticate(first.token, HOME)).toBeUndefined();
  expect(await door.authenticate(second.token, HOME)).toBeUndefined();
  expect(await door.authenticate(fresh, HOME)).toMatchObject({ actor: { requestCount: 2 } });
  await door.stop();
});

test('without a notice a revoked token is invalid within ten seconds', async () => {
  const { token, admin, id } = await tokenOf();
  let time = Date.now();
  const door = authenticator(() => new Date(time));
  expect(await door.authenticate(token, HOME)).toBeDefined();
  await revokeToken(admin, id);
  time += 10_000;
  expect(await door.authenticate(token, HOME)).toBeUndefined();
  await door.stop();
});

test('a look-up that a notice overtakes is not cached', async () => {
  const { token, admin, id } = await tokenOf();
  const door = authenticator();
  const looking = door.authenticate(token, HOME);
  door.forget();
  await looking;
  await revokeToken(admin, id);
  expect(await door.authenticate(token, HOME)).toBeUndefined();
  await door.stop();
});

test('another plan counts from the next request after its notice', async () => {
  const { token, operator, site } = await tokenOf();
  const door = authenticator();
  expect((await door.authenticate(token, HOME))?.site.plan).toBe('growth');
  await setPlan(operator, 'free');
  expect(fixture.notices).toContainEqual({ siteId: site.id, kind: 'tokens' });
  door.forget(site.id);
  expect((await door.authenticate(token, HOME))?.site.plan).toBe('free');
  await door.stop();
});

test('an unreachable database is an error, not an unknown token', async () => {
  const door = createTokenAuthenticator({
    db: fixture.db.withSchema('nowhere'),
    now: () => new Date(),
    log,
  });
  await expect(door.authenticate(`foy_${'A'.repeat(43)}`, HOME)).rejects.toThrow();
});
