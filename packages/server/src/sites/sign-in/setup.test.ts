import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  dumpOf,
  newEmail,
  openSiteFixture,
  PASSWORD,
  type SiteFixture,
} from '../../../test/fixtures/sites.ts';
import { openPublicAddress } from '../../core/public-address.ts';
import { listAgents } from '../agents/agents.ts';
import { checkSetup, completeSetup, newSetupLink } from './setup.ts';

let fixture: SiteFixture;
beforeAll(async () => {
  fixture = await openSiteFixture();
});
afterAll(() => fixture.close());
beforeEach(() => fixture.execute('truncate sites, setup_links, auth_users, installation cascade'));
const openAddress = (isBaseUrlSet = false) =>
  openPublicAddress(fixture.db, { baseUrl: 'http://localhost:3000', isBaseUrlSet });

const newLink = () => newSetupLink(fixture.db, 'http://localhost:3000');
const newToken = async (): Promise<string> => (await newLink())?.split('#')[1] ?? '';
const form = (token: string, more = {}) => ({
  token,
  name: 'Ada',
  email: newEmail(),
  password: PASSWORD,
  site_name: 'Shop',
  ...more,
});
const complete = async (input: unknown, importSample = async () => undefined as undefined) =>
  completeSetup(
    { db: fixture.db, plan: 'starter', address: await openAddress(), now: new Date(), importSample },
    input,
  );
const sites = () => fixture.db.selectFrom('sites').selectAll().execute();

test('the first start prints a link, whose form creates the site and its admin', async () => {
  const link = await newLink();
  expect(link).toMatch(/^http:\/\/localhost:3000\/app\/setup#[A-Za-z0-9_-]{43}$/);
  const token = link?.split('#')[1] ?? '';
  expect(await checkSetup(fixture.db, { token })).toEqual({ valid: true });
  const input = form(token);
  const { publicKey } = await complete(input);
  const [site] = await sites();
  expect(site).toMatchObject({ name: 'Shop', plan: 'starter', public_key: publicKey });
  expect(publicKey).toMatch(/^pk_[A-Za-z0-9_-]{22}$/);
  const ctx = fixture.contextOf({ id: site?.id ?? 0, plan: 'free' }, { kind: 'operator' });
  expect(await listAgents(ctx)).toMatchObject([{ email: input.email, name: 'Ada', role: 'admin' }]);
  expect(await checkSetup(fixture.db, { token })).toEqual({ valid: false });
  expect(await newLink()).toBeUndefined();
});

test('a form sent twice at once creates one site', async () => {
  const token = await newToken();
  const answers = await Promise.allSettled([1, 2, 3].map(() => complete(form(token))));
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(answers.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'not_found' },
  });
  expect(await sites()).toHaveLength(1);
  expect(await fixture.db.selectFrom('auth_users').select('id').execute()).toHaveLength(1);
});

test('a new link ends the one before', async () => {
  const [first, second] = [await newToken(), await newToken()];
  expect(await checkSetup(fixture.db, { token: first })).toEqual({ valid: false });
  await expect(complete(form(first))).rejects.toMatchObject({ code: 'not_found' });
  expect(await checkSetup(fixture.db, { token: second })).toEqual({ valid: true });
});

test('a site created at the command line ends the link', async () => {
  const token = await newToken();
  await fixture.newSite();
  expect(await checkSetup(fixture.db, { token })).toEqual({ valid: false });
  await expect(complete(form(token))).rejects.toMatchObject({ code: 'not_found' });
  expect(await sites()).toHaveLength(1);
});

test('sample articles that fail leave nothing behind, and the link open', async () => {
  const token = await newToken();
  const fails = () => Promise.reject(new Error('the disk is full'));
  await expect(complete(form(token, { sample_knowledge: true }), fails)).rejects.toThrow('the disk is full');
  expect(await sites()).toEqual([]);
  expect(await fixture.db.selectFrom('auth_users').select('id').execute()).toEqual([]);
  await complete(form(token));
  expect(await sites()).toHaveLength(1);
});

test('the samples are imported into the new site only on request', async () => {
  const imported: number[] = [];
  const importSample = async (_tx: unknown, site: { id: number }) => {
    imported.push(site.id);
  };
  const address = await openAddress();
  const options = { db: fixture.db, plan: 'starter' as const, address, now: new Date(), importSample };
  await completeSetup(options, form(await newToken()));
  expect(imported).toEqual([]);
  await fixture.execute('truncate sites cascade');
  await completeSetup(options, form(await newToken(), { sample_knowledge: true }));
  expect(imported).toEqual([(await sites())[0]?.id]);
});

test('bad input names every field, and the link stays open', async () => {
  const token = await newToken();
  const bad = { token, name: '', email: 'x', password: 'short', site_name: '\0', extra: 1 };
  await expect(complete(bad)).rejects.toMatchObject({
    issues: ['name', 'email', 'password', 'site_name', 'extra'].map((path) =>
      expect.objectContaining({ path }),
    ),
  });
  expect(await checkSetup(fixture.db, { token })).toEqual({ valid: true });
});

test('the token of the link is nowhere in the database', async () => {
  const token = await newToken();
  const dump = await dumpOf(fixture);
  expect(dump).not.toContain(token);
  expect(dump).not.toContain(Buffer.from(token).toString('hex'));
});

test('the new site has the language and the time zone of the admin’s browser', async () => {
  await complete(form(await newToken(), { languages: ['gsw', 'de-CH', 'en'], time_zone: 'Europe/Zurich' }));
  expect(await sites()).toMatchObject([{ language: 'de', time_zone: 'Europe/Zurich' }]);
});

test('a browser without a language, or with one that the widget does not have, gets English and UTC', async () => {
  await complete(form(await newToken(), { languages: ['fi'] }));
  expect(await sites()).toMatchObject([{ language: 'en', time_zone: 'UTC' }]);
  await fixture.execute('truncate sites cascade');
  await expect(complete(form(await newToken(), { time_zone: 'Mars/Olympus' }))).rejects.toMatchObject({
    issues: [{ path: 'time_zone' }],
  });
});

test('the given public address is used at once, and by processes that start later', async () => {
  const address = await openAddress();
  const options = {
    db: fixture.db,
    plan: 'starter' as const,
    now: new Date(),
    importSample: async () => undefined,
  };
  await completeSetup(
    { ...options, address },
    form(await newToken(), { public_url: ' https://chat.example.com/ ' }),
  );
  expect(address.url).toBe('https://chat.example.com');
  expect((await openAddress()).url).toBe('https://chat.example.com');
});

test('FOYER_BASE_URL takes precedence over a given address', async () => {
  const address = await openAddress(true);
  const options = {
    db: fixture.db,
    plan: 'starter' as const,
    now: new Date(),
    importSample: async () => undefined,
  };
  await completeSetup(
    { ...options, address },
    form(await newToken(), { public_url: 'https://chat.example.com' }),
  );
  expect(address.url).toBe('http://localhost:3000');
  expect((await openAddress()).url).toBe('http://localhost:3000');
});

test('an invalid web address, or one with a query or a password, is refused as public address', async () => {
  const token = await newToken();
  for (const public_url of [
    'chat.example.com',
    'ftp://chat.example.com',
    'https://chat.example.com/?a=1',
    'https://chat.example.com/#x',
    'https://ada:secret@chat.example.com',
    'javascript:alert(1)',
  ])
    await expect(complete(form(token, { public_url })), public_url).rejects.toMatchObject({
      issues: [{ path: 'public_url' }],
    });
  expect(await sites()).toEqual([]);
});
