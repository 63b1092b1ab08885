import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type AuthDoor, cookieOf, openAuthDoor } from '../../../test/fixtures/auth.ts';
import { newEmail, openSiteFixture, PASSWORD, type SiteFixture } from '../../../test/fixtures/sites.ts';
import { testLimits } from '../../../test/harness.ts';
import { fixedAddress } from '../../core/public-address.ts';
import { inviteAgent } from '../../sites/agents/invitations.ts';
import { newSetupLink } from '../../sites/sign-in/setup.ts';
import { registerPreAuthRoutes } from './pre-auth-routes.ts';

let fixture: SiteFixture;
beforeAll(async () => {
  fixture = await openSiteFixture();
});
afterAll(() => fixture.close());
beforeEach(() => fixture.execute('truncate sites, setup_links, auth_users cascade'));

function openDoor(now = () => new Date()): AuthDoor {
  const door = openAuthDoor(fixture.db);
  const { server, auth } = door;
  registerPreAuthRoutes(server, {
    db: fixture.db,
    plan: 'growth',
    auth,
    address: fixedAddress('http://foyer.test'),
    now,
    limits: testLimits(fixture.db, now),
    contextFor: (site, actor) => fixture.contextOf(site, actor),
    importSample: async () => undefined,
  });
  return door;
}

const tokenOf = (link: string | undefined): string => link?.split('#')[1] ?? '';
const setupForm = (token: string) => ({
  token,
  name: 'Ada',
  email: newEmail(),
  password: PASSWORD,
  site_name: 'Shop',
  sample_knowledge: true,
});

test('the setup returns the public key and signs its admin in', async () => {
  const door = openDoor();
  const token = tokenOf(await newSetupLink(fixture.db, 'http://foyer.test'));
  expect((await door.post('/app/setup/check', { token })).json()).toMatchObject({
    ok: true,
    data: { valid: true, asks_address: false },
  });
  const answer = await door.post('/app/setup', setupForm(token));
  expect(answer.statusCode).toBe(201);
  expect(answer.json()).toMatchObject({ ok: true, data: { public_key: expect.stringMatching(/^pk_/) } });
  expect(answer.json().request_id).toBe(answer.headers['x-service-request-id']);
  expect(await door.auth.sessionOf({ cookie: cookieOf(answer) })).toBeDefined();
  const again = await door.post('/app/setup', setupForm(token));
  expect(again.statusCode).toBe(404);
  expect(again.cookies).toEqual([]);
  expect((await door.post('/app/setup/check', { token })).json().data).toMatchObject({ valid: false });
});

test('an invitation is shown and accepted, and signs its person in', async () => {
  const door = openDoor();
  const { admin, site } = await fixture.newSite();
  const email = newEmail();
  const token = tokenOf((await inviteAgent(admin, { email, role: 'agent' })).url);
  const shown = await door.post('/app/invitation/check', { token });
  expect(shown.json().data).toEqual({ email, site_name: 'Shop', role: 'agent', has_account: false });
  const answer = await door.post('/app/invitation/accept', { token, name: 'Grace', password: PASSWORD });
  expect(answer.statusCode).toBe(201);
  expect(answer.json().data).toEqual({ site_id: site.id });
  expect(await door.auth.sessionOf({ cookie: cookieOf(answer) })).toBeDefined();
  expect((await door.post('/app/invitation/check', { token })).statusCode).toBe(404);
});

test('a wrong link and a wrong body get a clear error and no cookie', async () => {
  const door = openDoor();
  const unknown = await door.post('/app/setup', setupForm('unknown'));
  expect(unknown.statusCode).toBe(404);
  expect(unknown.json()).toMatchObject({ ok: false, error: { code: 'not_found' } });
  expect((await door.post('/app/setup', {})).json().error).toMatchObject({ code: 'invalid_input' });
  expect((await door.post('/app/invitation/check', { token: 'unknown' })).statusCode).toBe(404);
  expect(unknown.cookies).toEqual([]);
});

test('another page can neither set up nor accept', async () => {
  const door = openDoor();
  const token = tokenOf(await newSetupLink(fixture.db, 'http://foyer.test'));
  const headers = { origin: 'http://evil.test' };
  expect((await door.post('/app/setup', setupForm(token), headers)).statusCode).toBe(403);
  expect((await door.post('/app/invitation/accept', {}, headers)).statusCode).toBe(403);
  expect((await door.post('/app/setup/check', { token })).json().data).toMatchObject({ valid: true });
});

test('an address has twenty attempts a minute at these entry points together', async () => {
  let time = Date.now();
  const door = openDoor(() => new Date(time));
  for (let index = 0; index < 20; index += 1)
    await door.post('/app/invitation/check', { token: `guess ${index}` });
  const refused = await door.post(
    '/app/setup/check',
    { token: 'one more' },
    { 'x-forwarded-for': '192.0.2.1' },
  );
  expect(refused.statusCode).toBe(429);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  time += 60_000;
  expect((await door.post('/app/setup/check', { token: 'one more' })).statusCode).toBe(200);
});
