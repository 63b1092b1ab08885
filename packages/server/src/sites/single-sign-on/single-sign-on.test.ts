import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { makeAgent } from '../../../test/accounts.ts';
import {
  type Answer,
  type Json,
  PASSWORD,
  startTestApp,
  type TestApp,
  type TestSite,
} from '../../../test/app.ts';
import { codeOf } from '../../../test/authenticator.ts';
import { CookieBrowser } from '../../../test/cookie-browser.ts';
import { freePort } from '../../../test/foyer-process.ts';
import { until } from '../../../test/harness.ts';
import {
  FOYER_CLIENT,
  type IdentityProvider,
  startIdentityProvider,
} from '../../../test/identity-provider.ts';

let app: TestApp;
let idp: IdentityProvider;
let url: string;
let site: TestSite;
let admin: string;
let provider: Json;
let number = 0;

beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  // The sites of this file have low ids.
  const sites = Array.from({ length: 100 }, (_, at) => `${url}/app/sso/${at + 1}/callback`);
  [app, idp] = await Promise.all([
    startTestApp({ PORT: String(port), FOYER_TRUST_PROXY: 'loopback' }),
    startIdentityProvider(sites),
  ]);
});
beforeEach(async () => {
  site = await app.makeSite();
  admin = await app.signIn(site.admin.email);
  idp.people.clear();
  provider = await addProvider({});
});
afterAll(async () => {
  await app.close();
  await idp.close();
});

const newEmail = (): string => `person${++number}@corp.example`;

async function addProvider(more: object, at = site, as = admin): Promise<Json> {
  const answer = await app.desk(
    as,
    'identity_providers.create',
    { name: 'Corp', issuer: idp.issuer, ...FOYER_CLIENT, domains: ['corp.example'], ...more },
    at.site.id,
  );
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body.data;
}
const change = (more: object): Promise<Answer> =>
  app.desk(admin, 'identity_providers.update', { id: provider.id, ...more });

const isCallback = (at: string): boolean => at.includes('/callback');

/** Opens the provider and logs in there. @returns the address to which the provider redirects the browser */
async function comeBack(
  browser: CookieBrowser,
  account: string,
  {
    start = provider.sign_in_url,
    alter = (at: string) => at,
  }: { start?: string; alter?: (at: string) => string } = {},
): Promise<string> {
  const to = (await browser.request(start)).headers.get('location') ?? '';
  const page = await browser.open(alter(to), { stop: isCallback });
  if (!page.response) return page.url;
  return (await browser.open(page.url, { form: { account, answer: 'yes' }, stop: isCallback })).url;
}
/** The whole sign-in. @returns the page of the desk at its end */
async function signIn(account: string, browser = new CookieBrowser(), start?: string): Promise<URL> {
  const back = await comeBack(browser, account, start ? { start } : {});
  const { headers } = await browser.request(back);
  return new URL(headers.get('location') ?? '', url);
}
const refusal = async (...way: Parameters<typeof signIn>): Promise<string | null> =>
  (await signIn(...way)).searchParams.get('refused');

const me = (browser: CookieBrowser, of = site): Promise<Answer> =>
  app.desk(browser.cookiesFor(url), 'me.get', {}, of.site.id);
const agents = async (): Promise<Json[]> => (await app.desk(admin, 'agents.list')).body.data.agents;
const audit = async (subject: string): Promise<Json[]> =>
  (await app.desk(admin, 'audit.list', { subject })).body.data;

it('a new person becomes an agent by signing in, and the same one by signing in again', async () => {
  await change({ creates_agents: true });
  const email = newEmail();
  idp.people.set('u1', { email, email_verified: true, name: 'Grace Hopper' });
  const browser = new CookieBrowser();
  expect((await signIn('u1', browser)).pathname).toBe('/app/inbox');
  const first = (await me(browser)).body.data;
  expect(first.agent).toMatchObject({ name: 'Grace Hopper', email, role: 'agent' });
  expect(first.sites).toHaveLength(1);
  // Recognised by the provider's own id for the person, whatever their address is now.
  idp.people.set('u1', { email: 'grace@elsewhere.example', email_verified: false });
  const again = new CookieBrowser();
  await signIn('u1', again);
  expect((await me(again)).body.data.agent.id).toBe(first.agent.id);
  expect(await agents()).toHaveLength(2);
  const [entry] = await audit('sign_in');
  expect(entry).toMatchObject({
    action: 'sign_in.provider',
    actor: { kind: 'agent', id: first.agent.id },
    address: expect.any(String),
    changes: { provider: [null, 'Corp'] },
  });
});

it('nobody becomes an agent unless the provider creates agents or they are invited', async () => {
  const email = newEmail();
  idp.people.set('u1', { email, email_verified: true });
  const browser = new CookieBrowser();
  expect(await refusal('u1', browser)).toBe('no_account');
  expect((await me(browser)).status).toBe(401);
  expect(await agents()).toHaveLength(1);
  await until(async () =>
    (await audit('identity_provider')).some((one) => one.action === 'identity_providers.refused'),
  );
  expect((await audit('identity_provider'))[0]).toMatchObject({
    label: 'Corp',
    changes: { reason: [null, 'no_account'], email: [null, email], attempts: [null, 1] },
  });
  await app.desk(admin, 'agents.invite', { email, role: 'admin' });
  expect((await signIn('u1', browser)).pathname).toBe('/app/inbox');
  expect((await me(browser)).body.data.agent).toMatchObject({ email, role: 'admin' });
  expect((await app.desk(admin, 'agents.list')).body.data.invitations).toEqual([]);
});

it('an agent with the same address is linked, only if the address is verified and of the domain', async () => {
  const email = newEmail();
  const ben = await makeAgent(site.operator, { email, name: 'Ben' });
  idp.people.set('u1', { email, email_verified: false });
  expect(await refusal('u1')).toBe('unverified');
  idp.people.set('u1', { email });
  expect(await refusal('u1')).toBe('unverified');
  const elsewhere = `ben${number}@elsewhere.example`;
  await makeAgent(site.operator, { email: elsewhere, name: 'Ben elsewhere' });
  idp.people.set('u1', { email: elsewhere, email_verified: true });
  expect(await refusal('u1')).toBe('domain');
  // A subdomain and a longer name are other domains.
  for (const other of ['ben@sub.corp.example', 'ben@evilcorp.example', 'ben@corp.example.evil.example']) {
    idp.people.set('u1', { email: other, email_verified: true });
    expect(await refusal('u1'), other).toBe('domain');
  }
  idp.people.set('u1', {});
  expect(await refusal('u1')).toBe('no_email');
  const links = 'select from auth_accounts where provider_id = $1';
  expect((await app.app.database.pool.query(links, [`provider-${provider.id}`])).rowCount).toBe(0);
  idp.people.set('u1', { email: email.toUpperCase(), email_verified: true });
  const browser = new CookieBrowser();
  expect((await signIn('u1', browser)).pathname).toBe('/app/inbox');
  expect((await me(browser)).body.data.agent).toMatchObject({ id: ben.id, name: 'Ben' });
  // The address of a colleague who left isn't given to their successor.
  idp.people.set('u2', { email, email_verified: true });
  expect(await refusal('u2')).toBe('other_account');
});
it('groups decide the role at each sign-in, and the last admin keeps theirs', async () => {
  await change({
    creates_agents: true,
    groups_claim: 'groups',
    group_roles: [
      { group: 'support', role: 'agent' },
      { group: 'leads', role: 'admin' },
    ],
  });
  const email = newEmail();
  idp.people.set('u1', { email, email_verified: true, groups: ['staff', 'support', 'leads'] });
  const browser = new CookieBrowser();
  await signIn('u1', browser);
  expect((await me(browser)).body.data.agent.role).toBe('admin');
  idp.people.set('u1', { email, email_verified: true, groups: ['support'] });
  await signIn('u1', browser);
  expect((await me(browser)).body.data.agent.role).toBe('agent');
  expect((await audit('agent'))[0]).toMatchObject({
    action: 'agents.set_role',
    changes: { role: ['admin', 'agent'] },
  });
  // No group at all is the default role.
  idp.people.set('u1', { email, email_verified: true, groups: ['leads'] });
  await signIn('u1', browser);
  idp.people.set('u1', { email, email_verified: true });
  await signIn('u1', browser);
  expect((await me(browser)).body.data.agent.role).toBe('agent');

  await change({ domains: ['corp.example', 'example.com'] });
  idp.people.set('owner', { email: site.admin.email, email_verified: true, groups: ['support'] });
  const owner = new CookieBrowser();
  expect((await signIn('owner', owner)).pathname).toBe('/app/inbox');
  expect((await me(owner)).body.data.agent).toMatchObject({ id: site.admin.agentId, role: 'admin' });
});

it('a state works once, only in the browser that began, and not for another site', async () => {
  const email = newEmail();
  await makeAgent(site.operator, { email, name: 'Ben' });
  idp.people.set('u1', { email, email_verified: true });
  const attacker = new CookieBrowser();
  const back = await comeBack(attacker, 'u1');
  // Login CSRF: the link with the attacker's own sign-in, opened by somebody else.
  const victim = new CookieBrowser();
  const opened = await victim.request(back);
  expect(opened.headers.get('location')).toContain('refused=expired');
  expect(victim.cookiesFor(url)).toBe('');
  // It was used up by that.
  expect((await attacker.request(back)).headers.get('location')).toContain('refused=expired');
  expect((await me(attacker)).status).toBe(401);

  const browser = new CookieBrowser();
  const good = await comeBack(browser, 'u1');
  const redeemed = idp.redeemed();
  const answers = await Promise.all([browser.request(good), browser.request(good)]);
  const places = answers.map((answer) => answer.headers.get('location')).sort();
  expect(places).toEqual(['/app/inbox', expect.stringContaining('refused=expired')]);
  expect(idp.redeemed()).toBe(redeemed + 1);

  const other = await app.makeSite();
  const third = new CookieBrowser();
  const moved = (await comeBack(third, 'u1')).replace(`/sso/${site.site.id}/`, `/sso/${other.site.id}/`);
  expect((await third.request(moved)).headers.get('location')).toContain('refused=expired');
  const made = new URL(await comeBack(third, 'u1'));
  made.searchParams.set('state', 'made-up');
  expect((await third.request(made.href)).headers.get('location')).toContain('refused=expired');
});

it('another nonce, another issuer, another code and a cancelled sign-in are refused', async () => {
  const email = newEmail();
  await makeAgent(site.operator, { email, name: 'Ben' });
  idp.people.set('u1', { email, email_verified: true });
  const ends = async (alterUrl: (at: URL) => void, alterBack: (at: URL) => void): Promise<string> => {
    const browser = new CookieBrowser();
    const altered = (change: (at: URL) => void) => (at: string) => {
      const address = new URL(at);
      change(address);
      return address.href;
    };
    const back = altered(alterBack)(await comeBack(browser, 'u1', { alter: altered(alterUrl) }));
    const place = (await browser.request(back)).headers.get('location') ?? '';
    expect((await me(browser)).status).toBe(place === '/app/inbox' ? 200 : 401);
    return place;
  };
  const nothing = () => undefined;
  const refused = (reason: string) => expect.stringContaining(`refused=${reason}`);
  expect(await ends(nothing, nothing)).toBe('/app/inbox');
  expect(await ends((at) => at.searchParams.set('nonce', 'of-an-attacker'), nothing)).toEqual(
    refused('invalid'),
  );
  expect(await ends((at) => at.searchParams.delete('nonce'), nothing)).toEqual(refused('invalid'));
  expect(await ends(nothing, (at) => at.searchParams.set('iss', 'https://other.example'))).toEqual(
    refused('invalid'),
  );
  expect(await ends(nothing, (at) => at.searchParams.delete('iss'))).toEqual(refused('invalid'));
  expect(await ends(nothing, (at) => at.searchParams.set('code', 'of-an-attacker'))).toEqual(
    refused('invalid'),
  );
  // A code that was issued for another challenge: somebody else's, injected into this sign-in.
  const stolen = new URL(await comeBack(new CookieBrowser(), 'u1')).searchParams.get('code') ?? '';
  expect(await ends(nothing, (at) => at.searchParams.set('code', stolen))).toEqual(refused('invalid'));
  const browser = new CookieBrowser();
  const to = (await browser.request(provider.sign_in_url)).headers.get('location') ?? '';
  const page = await browser.open(to);
  const { url: back } = await browser.open(page.url, {
    form: { account: '', answer: 'no' },
    stop: isCallback,
  });
  expect((await browser.request(back)).headers.get('location')).toEqual(refused('denied'));
  await until(async () =>
    (await audit('identity_provider')).some(({ changes }) => changes.reason?.[1] === 'denied'),
  );
});

it('the browser continues on a page of the desk, never on another server', async () => {
  const email = newEmail();
  await makeAgent(site.operator, { email, name: 'Ben' });
  idp.people.set('u1', { email, email_verified: true });
  const endOf = async (next: string): Promise<string> =>
    (await signIn('u1', new CookieBrowser(), `${provider.sign_in_url}&next=${encodeURIComponent(next)}`))
      .href;
  expect(await endOf('/app/settings/team?site=1')).toBe(`${url}/app/settings/team?site=1`);
  for (const next of [
    'https://evil.example/app/',
    '//evil.example/app/',
    '/\\evil.example/app/',
    '/app/..//evil.example',
    '/app/%2e%2e//evil.example',
    '\thttps://evil.example',
    'javascript:alert(1)//app/',
    '/app/sso/1/start?provider=1',
    '/widget/',
  ])
    expect(await endOf(next), next).toBe(`${url}/app/inbox`);
});

it('a provider that is disabled, changed or deleted ends flows and sessions', async () => {
  const email = newEmail();
  await makeAgent(site.operator, { email, name: 'Ben' });
  idp.people.set('u1', { email, email_verified: true });
  const browser = new CookieBrowser();
  await signIn('u1', browser);
  const waiting = new CookieBrowser();
  const back = await comeBack(waiting, 'u1');
  await change({ enabled: false });
  expect((await waiting.request(back)).headers.get('location')).toContain('refused=disabled');
  expect((await me(browser)).status).toBe(401);
  expect((await new CookieBrowser().request(provider.sign_in_url)).headers.get('location')).toContain(
    'refused=disabled',
  );
  await change({ enabled: true });
  expect((await me(browser)).status).toBe(401);

  await signIn('u1', browser);
  const stale = new CookieBrowser();
  const before = await comeBack(stale, 'u1');
  expect((await change({ issuer: `${idp.issuer}/other` })).body.error.issues).toMatchObject([
    { path: 'client_secret', reason: 'missing' },
  ]);
  await change({ issuer: `${idp.issuer}/other`, client_secret: 'another' });
  expect((await stale.request(before)).headers.get('location')).toContain('refused=disabled');
  expect((await me(browser)).status).toBe(401);
  expect((await new CookieBrowser().request(provider.sign_in_url)).headers.get('location')).toContain(
    'refused=unavailable',
  );

  await change({ issuer: idp.issuer, ...FOYER_CLIENT, client_id: FOYER_CLIENT.client_id });
  await signIn('u1', browser);
  expect((await me(browser)).status).toBe(200);
  await app.desk(admin, 'identity_providers.delete', { id: provider.id });
  expect((await me(browser)).status).toBe(401);
  // With the password, Ben still works here.
  await app.signIn(email);
});

it('a removed agent is signed out, and returns only by an invitation', async () => {
  await change({ creates_agents: true });
  const email = newEmail();
  idp.people.set('u1', { email, email_verified: true });
  const browser = new CookieBrowser();
  await signIn('u1', browser);
  const { id } = (await me(browser)).body.data.agent;
  await app.desk(admin, 'agents.remove', { id });
  expect((await me(browser)).status).toBe(401);
  const { rows } = await app.app.database.pool.query(
    `select 'session' from auth_sessions s join auth_users u on u.id = s.user_id where u.email = $1
     union all select 'link' from auth_accounts a join auth_users u on u.id = a.user_id where u.email = $1`,
    [email],
  );
  expect(rows).toEqual([]);
  expect(await refusal('u1', browser)).toBe('removed');
  expect(await agents()).toHaveLength(1);
  await app.desk(admin, 'agents.invite', { email, role: 'agent' });
  await signIn('u1', browser);
  expect((await me(browser)).body.data.agent.id).not.toBe(id);
});

it('a provider opens its own site only, and nothing that belongs to the account', async () => {
  const email = newEmail();
  await makeAgent(site.operator, { email, name: 'Ben', role: 'admin' });
  const other = await app.makeSite();
  await site.operator.db
    .insertInto('agents')
    .columns(['site_id', 'user_id', 'role', 'name'])
    .expression((from) =>
      from
        .selectFrom('auth_users')
        .select(({ val, ref }) => [
          val(other.site.id).as('site_id'),
          ref('id').as('user_id'),
          val('admin').as('role'),
          val('Ben').as('name'),
        ])
        .where('email', '=', email),
    )
    .execute();
  idp.people.set('u1', { email, email_verified: true });
  const password = await app.signIn(email);
  const browser = new CookieBrowser();
  await signIn('u1', browser);
  const cookie = browser.cookiesFor(url);
  expect((await me(browser, other)).status).toBe(403);
  expect((await app.desk(password, 'me.get', {}, other.site.id)).status).toBe(200);
  expect((await me(browser)).body.data.sites).toEqual([{ id: site.site.id, name: 'Lantern & Loom' }]);
  expect((await app.desk(password, 'me.get')).body.data.sites).toHaveLength(2);
  const created = await app.desk(cookie, 'sites.create', { name: 'Third' });
  expect(created.body.error.reason).toBe('provider_session');
  const account = (path: string, method = 'POST', body?: object, as = cookie): Promise<Response> =>
    fetch(`${url}/app/auth/${path}`, {
      method,
      headers: { cookie: as, origin: url, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
  const devices = (await (await account('list-sessions', 'GET')).json()) as Json[];
  expect(devices).toHaveLength(1);
  const all = (await (await account('list-sessions', 'GET', undefined, password)).json()) as Json[];
  expect(all).toHaveLength(2);
  const own = all.find(({ current }) => current);
  expect((await account('revoke-session', 'POST', { id: own.id })).status).toBe(404);
  await account('revoke-other-sessions', 'POST', {});
  await account('revoke-sessions', 'POST', {});
  expect((await app.desk(password, 'me.get')).status).toBe(200);
  expect((await me(browser)).status).toBe(401);
  // Another site's admin can't sign in as somebody here.
  const otherAdmin = await app.signIn(other.admin.email);
  const theirs = await addProvider({ name: 'Theirs', creates_agents: true }, other, otherAdmin);
  const thief = new CookieBrowser();
  await signIn('u1', thief, theirs.sign_in_url);
  expect((await me(thief, other)).status).toBe(200);
  expect((await me(thief)).status).toBe(403);
});

it('where passwords are refused, only the provider signs people of its domains in', async () => {
  const email = newEmail();
  await makeAgent(site.operator, { email, name: 'Ben' });
  idp.people.set('u1', { email, email_verified: true });
  const before = await app.signIn(email);
  await change({ refuses_passwords: true });
  expect((await app.desk(before, 'me.get')).status).toBe(401);
  await expect(app.signIn(email)).rejects.toThrow('identity provider');
  await expect(app.signIn(email, 'not the password')).rejects.toThrow('Wrong email or password');
  const { rows } = await app.app.database.pool.query(
    'select from auth_sessions s join auth_users u on u.id = s.user_id where u.email = $1',
    [email],
  );
  // Only the session from before, which no longer acts here.
  expect(rows).toHaveLength(1);
  // Other domains are unaffected, and so is the owner.
  expect((await app.desk(admin, 'me.get')).status).toBe(200);
  const browser = new CookieBrowser();
  await signIn('u1', browser);
  expect((await me(browser)).status).toBe(200);
});

it('the sign-in page offers the providers of a domain, and doesn’t list those of several sites', async () => {
  const offered = async (query = ''): Promise<Json[]> =>
    ((await (await fetch(`${url}/app/sso/options${query}`)).json()) as Json).data.providers;
  await change({ domains: ['corp.example', 'only.example'] });
  const corp = { site_id: site.site.id, id: provider.id, name: 'Corp' };
  expect(await offered('?domain=Only.Example')).toEqual([corp]);
  expect(await offered('?domain=other.example')).toEqual([]);
  expect(await offered()).toEqual([]);
  await change({ enabled: false });
  expect(await offered('?domain=only.example')).toEqual([]);
});

it('a required second factor is the provider’s, unless the site wants its own as well', async () => {
  const email = newEmail();
  await makeAgent(site.operator, { email, name: 'Ben' });
  idp.people.set('u1', { email, email_verified: true });
  await app.app.database.pool.query('update sites set two_factor_required_at = now() where id = $1', [
    site.site.id,
  ]);
  const withPassword = await app.signIn(email);
  expect((await app.desk(withPassword, 'me.get')).body.data.must_enrol).toBe(true);
  expect((await app.desk(withPassword, 'agents.list')).status).toBe(403);
  const browser = new CookieBrowser();
  await signIn('u1', browser);
  expect((await me(browser)).body.data.must_enrol).toBe(false);
  expect((await app.desk(browser.cookiesFor(url), 'agents.list')).status).toBe(200);

  await app.app.database.pool.query('update sites set two_factor_required_at = null where id = $1', [
    site.site.id,
  ]);
  await change({ asks_code: true });
  expect((await app.desk(browser.cookiesFor(url), 'agents.list')).status).toBe(403);
  const auth = (path: string, cookie: string, body: object): Promise<Response> =>
    fetch(`${url}/app/auth/two-factor/${path}`, {
      method: 'POST',
      headers: { cookie, origin: url, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const { totpURI } = (await (await auth('enable', withPassword, { password: PASSWORD })).json()) as Json;
  expect((await auth('verify-totp', withPassword, { code: codeOf(totpURI) })).status).toBe(200);
  const next = new CookieBrowser();
  const place = await signIn('u1', next);
  expect(place.pathname + place.search).toBe('/app/sign-in?code=true&next=%2Fapp%2Finbox');
  expect((await me(next)).status).toBe(401);
  const given = await auth('verify-totp', next.cookiesFor(url), { code: codeOf(totpURI, 1) });
  expect(given.status).toBe(200);
  const cookie = given.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  expect((await app.desk(cookie, 'me.get')).body.data.agent.email).toBe(email);
  const { rows } = await app.app.database.pool.query(
    'select s.provider_id from auth_sessions s join auth_users u on u.id = s.user_id where u.email = $1 order by s.created_at desc limit 1',
    [email],
  );
  expect(rows).toEqual([{ provider_id: provider.id }]);
});

it('only admins see and change providers, and nobody sees a secret', async () => {
  const email = newEmail();
  await makeAgent(site.operator, { email, name: 'Ben' });
  const ben = await app.signIn(email);
  for (const name of ['list', 'create', 'update', 'delete', 'test'])
    expect((await app.desk(ben, `identity_providers.${name}`, { id: provider.id })).status, name).toBe(403);
  const { rows } = await app.app.database.pool.query('select * from identity_providers where id = $1', [
    provider.id,
  ]);
  const shown = JSON.stringify([
    (await app.desk(admin, 'identity_providers.list')).body,
    await audit('identity_provider'),
    rows,
  ]);
  expect(shown).toContain(idp.issuer);
  expect(shown).not.toContain(FOYER_CLIENT.client_secret);
  expect((await app.desk(admin, 'identity_providers.list')).body.data.redirect_url).toBe(
    `${url}/app/sso/${site.site.id}/callback`,
  );
  expect((await app.rest(site.write, 'GET', '/v1/identity_providers')).status).toBe(404);
});
