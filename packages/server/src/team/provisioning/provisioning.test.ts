import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeAgent } from '../../../test/accounts.ts';
import {
  type Answer,
  answerOf,
  type Json,
  startTestApp,
  type TestApp,
  type TestSite,
} from '../../../test/app.ts';
import { CookieBrowser } from '../../../test/cookie-browser.ts';
import { freePort } from '../../../test/foyer-process.ts';
import {
  FOYER_CLIENT,
  type IdentityProvider,
  startIdentityProvider,
} from '../../../test/identity-provider.ts';

// The requests are those that Okta and Microsoft Entra ID send.

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

let app: TestApp;
let idp: IdentityProvider;
/** The address of Foyer for the browser and the provider. */
let url: string;
let site: TestSite;
let admin: string;
let provider: Json;
let token: string;
let number = 0;

beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  const callbacks = Array.from({ length: 40 }, (_, at) => `${url}/app/sso/${at + 1}/callback`);
  [app, idp] = await Promise.all([
    startTestApp({ PORT: String(port), FOYER_BASE_URL: url }),
    startIdentityProvider(callbacks),
  ]);
});
beforeEach(async () => {
  site = await app.makeSite();
  admin = await app.signIn(site.admin.email);
  provider = await addProvider(admin);
  token = await tokenOf(admin, provider.id);
});
afterAll(async () => {
  await app.close();
  await idp.close();
});

async function addProvider(cookie: string): Promise<Json> {
  const answer = await app.desk(cookie, 'identity_providers.create', {
    name: 'Corp',
    issuer: idp.issuer,
    ...FOYER_CLIENT,
    domains: ['corp.example'],
    group_roles: [
      { group: 'Support leads', role: 'admin' },
      { group: '00g-object-id', role: 'admin' },
    ],
  });
  return answer.body.data;
}
async function tokenOf(cookie: string, id: number): Promise<string> {
  return (await app.desk(cookie, 'identity_providers.rotate_scim_token', { id })).body.data.token;
}

const scim = async (method: string, path: string, body?: object, as = token): Promise<Answer> =>
  answerOf(
    await fetch(`${app.url}/scim/v2${path}`, {
      method,
      headers: { authorization: `Bearer ${as}`, 'content-type': 'application/scim+json' },
      ...(body && { body: JSON.stringify(body) }),
    }),
  );
const patch = (path: string, ...Operations: object[]): Promise<Answer> =>
  scim('PATCH', path, { schemas: [PATCH], Operations });

const newEmail = (): string => `person${++number}@corp.example`;
const oktaUser = (userName: string, more: object = {}) => ({
  schemas: [USER],
  userName,
  name: { givenName: 'Grace', familyName: 'Hopper' },
  emails: [{ primary: true, value: userName, type: 'work' }],
  displayName: 'Grace Hopper',
  locale: 'en-US',
  externalId: '00u1',
  groups: [],
  active: true,
  ...more,
});
const addUser = async (userName = newEmail(), more: object = {}): Promise<Json> => {
  const answer = await scim('POST', '/Users', oktaUser(userName, more));
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body;
};
const agents = async (): Promise<Json[]> => (await app.desk(admin, 'agents.list')).body.data.agents;
const agentOf = async (email: string): Promise<Json> => (await agents()).find((one) => one.email === email);

test('Okta looks for a person, creates them, and deactivates and activates them again', async () => {
  const email = newEmail();
  const query = `/Users?filter=${encodeURIComponent(`userName eq "${email}"`)}&startIndex=1&count=100`;
  expect((await scim('GET', query)).body).toMatchObject({ totalResults: 0, Resources: [] });
  const created = await scim('POST', '/Users', oktaUser(email));
  expect(created.status).toBe(201);
  expect(created.headers.get('content-type')).toContain('application/scim+json');
  const { id } = created.body;
  expect(created.body).toMatchObject({
    schemas: [USER],
    userName: email,
    externalId: '00u1',
    active: true,
    name: { givenName: 'Grace', familyName: 'Hopper' },
    meta: { resourceType: 'User', location: `${url}/scim/v2/Users/${id}` },
  });
  expect(await agentOf(email)).toMatchObject({ name: 'Grace Hopper', role: 'agent' });
  const capital = query.replace(encodeURIComponent(email), encodeURIComponent(email.toUpperCase()));
  for (const found of [query, capital])
    expect((await scim('GET', found)).body).toMatchObject({ totalResults: 1, Resources: [{ id }] });

  const off = await patch(`/Users/${id}`, { op: 'replace', value: { active: false } });
  expect(off.body).toMatchObject({ id, active: false });
  expect(await agentOf(email)).toBe(undefined);
  await patch(`/Users/${id}`, { op: 'replace', value: { active: true } });
  expect(await agentOf(email)).toMatchObject({ role: 'agent' });
  const put = await scim('PUT', `/Users/${id}`, oktaUser(email, { displayName: 'Rear Admiral Hopper' }));
  expect(put.body.displayName).toBe('Rear Admiral Hopper');
  expect((await agentOf(email)).name).toBe('Rear Admiral Hopper');

  const { body } = await app.desk(admin, 'audit.list', { subject: 'identity_provider' });
  const told = body.data.filter((one: Json) => one.action === 'identity_providers.provisioned');
  expect(told.map((one: Json) => one.changes.active)).toEqual([
    [false, true],
    [true, false],
    [null, true],
  ]);
});

test('Microsoft’s operations are understood, and attributes that Foyer doesn’t store are dropped', async () => {
  const email = newEmail();
  const { id } = await addUser(email, {
    schemas: [USER, ENTERPRISE],
    [ENTERPRISE]: { department: 'Navy' },
    phoneNumbers: [{ type: 'work', value: '+1 555' }],
  });
  const changed = await patch(
    `/Users/${id}`,
    { op: 'Add', path: 'name.givenName', value: 'Amazing' },
    { op: 'Replace', path: 'displayName', value: 'Amazing Grace' },
    { op: 'Replace', path: 'emails[type eq "work"].value', value: 'other@corp.example' },
    { op: 'Add', path: 'addresses[type eq "work"].locality', value: 'Arlington' },
    { op: 'Add', path: `${ENTERPRISE}:employeeNumber`, value: '1' },
  );
  expect(changed.status).toBe(200);
  expect(changed.body).toMatchObject({ displayName: 'Amazing Grace', name: { givenName: 'Amazing' } });
  expect(changed.body.emails[0].value).toBe(email);
  expect(JSON.stringify(changed.body)).not.toMatch(/Arlington|Navy|\+1 555/);
  expect((await agentOf(email)).name).toBe('Amazing Grace');
  const off = await patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' });
  expect(off.body.active).toBe(false);
  expect(await agentOf(email)).toBe(undefined);
  expect((await patch(`/Users/${id}`, { op: 'Replace', path: 'nickName', value: 'x' })).status).toBe(200);
});

test('a name that was changed in Foyer stays', async () => {
  const email = newEmail();
  const { id } = await addUser(email);
  const grace = await app.signIn(email).catch(() => undefined);
  // A provisioned person has no password.
  expect(grace).toBe(undefined);
  const agent = await agentOf(email);
  await app.app.database.db
    .updateTable('agents')
    .set({ name: 'Gracie' })
    .where('id', '=', agent.id)
    .execute();
  await patch(`/Users/${id}`, { op: 'replace', value: { displayName: 'G. Hopper' } });
  expect((await agentOf(email)).name).toBe('Gracie');
});

test('groups decide the role by their name or the provider’s id, and the site keeps its last admin', async () => {
  const [ada, ben] = [newEmail(), newEmail()];
  const [a, b] = [(await addUser(ada)).id, (await addUser(ben, { externalId: '00u2' })).id];
  const members = [{ value: a, display: ada }];
  const group = (
    await scim('POST', '/Groups', {
      schemas: [GROUP],
      displayName: 'Support leads',
      externalId: 'g1',
      members,
    })
  ).body;
  expect((await agentOf(ada)).role).toBe('admin');
  expect((await agentOf(ben)).role).toBe('agent');
  await patch(`/Groups/${group.id}`, { op: 'Add', path: 'members', value: [{ value: b }] });
  expect((await agentOf(ben)).role).toBe('admin');
  await patch(`/Groups/${group.id}`, { op: 'remove', path: `members[value eq "${a}"]` });
  expect((await agentOf(ada)).role).toBe('agent');
  await patch(`/Groups/${group.id}`, { op: 'Remove', path: 'members', value: [{ value: b }] });
  expect((await agentOf(ben)).role).toBe('agent');
  expect((await scim('GET', `/Groups/${group.id}`)).body.members).toEqual([]);

  const other = { schemas: [GROUP], displayName: 'Renamed at will', externalId: '00g-object-id' };
  const byId = (await scim('POST', '/Groups', { ...other, members: [{ value: b }] })).body;
  expect((await agentOf(ben)).role).toBe('admin');
  // Ben is the last admin: neither his group nor he may be removed.
  await app.app.database.db
    .updateTable('agents')
    .set({ role: 'agent' })
    .where('site_id', '=', site.site.id)
    .where('id', '=', site.admin.agentId)
    .execute();
  expect((await scim('DELETE', `/Groups/${byId.id}`)).status).toBe(204);
  const ours = await app.app.database.db
    .selectFrom('agents')
    .select('role')
    .where('site_id', '=', site.site.id)
    .where('role', '=', 'admin')
    .execute();
  expect(ours).toHaveLength(1);
  const refused = await scim('DELETE', `/Users/${b}`);
  expect(refused.status).toBe(409);
  expect(refused.body).toMatchObject({ status: '409', detail: expect.stringContaining('needs an admin') });
  expect((await scim('GET', `/Users/${b}`)).status).toBe(200);
});

test('twenty changes of a group at once lose none', async () => {
  const ids = await Promise.all(Array.from({ length: 10 }, () => addUser().then(({ id }) => id)));
  const group = (await scim('POST', '/Groups', { schemas: [GROUP], displayName: 'All' })).body;
  const path = `/Groups/${group.id}`;
  const answers = await Promise.all([
    ...ids.map((value) => patch(path, { op: 'add', path: 'members', value: [{ value }] })),
    ...ids.map((_, at) =>
      patch(`/Users/${ids[at]}`, { op: 'replace', value: { displayName: `Agent ${at}` } }),
    ),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const { members } = (await scim('GET', path)).body;
  expect(members.map((member: Json) => member.value).sort()).toEqual([...ids].sort());
  const bare = await scim('GET', '/Groups?excludedAttributes=members&filter=displayName%20eq%20%22all%22');
  expect(bare.body.Resources[0].members).toBe(undefined);
});

test('a person who has an account elsewhere joins with the first sign-in, not before', async () => {
  const email = newEmail();
  const other = await app.makeSite();
  await makeAgent(other.operator, { email, name: 'Ada', role: 'agent' });
  const { id } = await addUser(email);
  expect(await agentOf(email)).toBe(undefined);
  await scim('POST', '/Groups', { schemas: [GROUP], displayName: 'Support leads', members: [{ value: id }] });
  idp.people.set('ada', { email, email_verified: true, name: 'Ada' });
  idp.people.set('eve', { email: newEmail(), email_verified: true });
  const refused = await signIn('eve');
  expect(refused.searchParams.get('refused')).toBe('no_account');
  expect((await signIn('ada')).pathname).toBe('/app/inbox');
  expect(await agentOf(email)).toMatchObject({ role: 'admin' });
  // A person whom the provider deactivates is out, although it accepts their sign-ins and creates agents.
  await app.desk(admin, 'identity_providers.update', { id: provider.id, creates_agents: true });
  await patch(`/Users/${id}`, { op: 'replace', value: { active: false } });
  expect((await signIn('ada')).searchParams.get('refused')).toBe('removed');
  expect(await agentOf(email)).toBe(undefined);
});

async function signIn(account: string): Promise<URL> {
  const browser = new CookieBrowser();
  const isCallback = (at: string): boolean => at.includes('/callback');
  const to = (await browser.request(provider.sign_in_url)).headers.get('location') ?? '';
  const page = await browser.open(to, { stop: isCallback });
  const back = page.response
    ? (await browser.open(page.url, { form: { account, answer: 'yes' }, stop: isCallback })).url
    : page.url;
  return new URL((await browser.request(back)).headers.get('location') ?? '', app.url);
}

test('an agent removed in Foyer is inactive for the provider, which may activate them again', async () => {
  const email = newEmail();
  const { id } = await addUser(email);
  await app.desk(admin, 'agents.remove', { id: (await agentOf(email)).id });
  expect((await scim('GET', `/Users/${id}`)).body.active).toBe(false);
  await patch(`/Users/${id}`, { op: 'replace', path: 'displayName', value: 'Still away' });
  expect(await agentOf(email)).toBe(undefined);
  await patch(`/Users/${id}`, { op: 'replace', path: 'active', value: true });
  expect(await agentOf(email)).toMatchObject({ role: 'agent' });
  expect((await scim('DELETE', `/Users/${id}`)).status).toBe(204);
  expect((await scim('GET', `/Users/${id}`)).status).toBe(404);
  expect(await agentOf(email)).toBe(undefined);
});

test('wrong requests are refused with the protocol’s errors, and change nothing', async () => {
  const email = newEmail();
  const { id } = await addUser(email);
  const before = await agents();
  const cases: [status: number, scimType: string | undefined, answer: Answer][] = [
    [409, 'uniqueness', await scim('POST', '/Users', oktaUser(email.toUpperCase()))],
    [400, 'invalidValue', await scim('POST', '/Users', oktaUser('eve@evil.example'))],
    [400, 'invalidValue', await scim('POST', '/Users', oktaUser('no address'))],
    [400, 'invalidValue', await scim('PUT', `/Users/${id}`, { schemas: [USER], active: true })],
    [400, 'invalidFilter', await scim('GET', '/Users?filter=userName%20is%20%22a%22')],
    [400, 'invalidSyntax', await scim('PATCH', `/Users/${id}`, { schemas: [PATCH] })],
    [
      400,
      'invalidValue',
      await scim('POST', '/Groups', { displayName: 'x', members: [{ value: '999999' }] }),
    ],
    [404, undefined, await scim('GET', '/Users/999999')],
    [404, undefined, await scim('DELETE', '/Users/../1')],
    [404, undefined, await scim('GET', '/Users/1e3')],
  ];
  for (const [status, scimType, answer] of cases)
    expect({ status: answer.status, type: answer.body.scimType }, JSON.stringify(answer.body)).toEqual({
      status,
      type: scimType,
    });
  const broken = await fetch(`${app.url}/scim/v2/Users`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{"userName":',
  });
  expect(broken.status).toBe(400);
  expect(await agents()).toEqual(before);
});

test('a full plan refuses one more agent', async () => {
  const small = await app.makeSite('starter');
  const cookie = await app.signIn(small.admin.email);
  const as = await tokenOf(cookie, (await addProvider(cookie)).id);
  let answer: Answer;
  do answer = await scim('POST', '/Users', oktaUser(newEmail()), as);
  while (answer.status === 201);
  expect(answer.status).toBe(403);
  expect(answer.body.detail).toContain('plan covers');
  const all = await scim('GET', '/Users', undefined, as);
  expect(all.body.totalResults).toBe((await app.desk(cookie, 'agents.list')).body.data.agents.length - 1);
});

test('a token opens its own provider only, until it is replaced, removed, or the provider is disabled', async () => {
  const { id } = await addUser();
  const other = await app.makeSite();
  const cookie = await app.signIn(other.admin.email);
  const foreign = await tokenOf(cookie, (await addProvider(cookie)).id);
  expect((await scim('GET', '/Users', undefined, foreign)).body.totalResults).toBe(0);
  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
    const body =
      method === 'GET' || method === 'DELETE' ? undefined : { ...oktaUser(newEmail()), Operations: [] };
    expect((await scim(method, `/Users/${id}`, body, foreign)).status, method).toBe(404);
  }
  for (const wrong of ['scim_wrong', site.write, '']) {
    const refused = await scim('GET', '/Users', undefined, wrong);
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toBe('Bearer');
  }
  const { providers } = (await app.desk(admin, 'identity_providers.list')).body.data;
  expect(providers[0].scim).toMatchObject({
    base_url: `${url}/scim/v2`,
    token_hint: token.slice(-4),
    used_utc: expect.any(String),
  });
  expect(JSON.stringify(providers)).not.toContain(token);
  const next = await tokenOf(admin, provider.id);
  expect((await scim('GET', '/Users')).status).toBe(401);
  expect((await scim('GET', '/Users', undefined, next)).status).toBe(200);
  await app.desk(admin, 'identity_providers.update', { id: provider.id, enabled: false });
  expect((await scim('GET', '/Users', undefined, next)).status).toBe(401);
  await app.desk(admin, 'identity_providers.update', { id: provider.id, enabled: true });
  await app.desk(admin, 'identity_providers.remove_scim_token', { id: provider.id });
  expect((await scim('GET', '/Users', undefined, next)).status).toBe(401);
});

test('it describes what it supports', async () => {
  expect((await scim('GET', '/ServiceProviderConfig')).body).toMatchObject({
    patch: { supported: true },
    bulk: { supported: false },
  });
  const types = (await scim('GET', '/ResourceTypes')).body.Resources;
  expect(types.map((type: Json) => type.endpoint)).toEqual(['/Users', '/Groups']);
  const schemas = (await scim('GET', '/Schemas')).body.Resources;
  expect(schemas.map((schema: Json) => schema.id)).toEqual([USER, GROUP]);
});
