import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { makeAgent } from '../../../test/accounts.ts';
import { type Json, startTestApp, type TestApp, type TestSite } from '../../../test/app.ts';
import { CookieBrowser } from '../../../test/cookie-browser.ts';
import {
  FOREIGN_KEY,
  type Forged,
  type ForgingProvider,
  startForgingProvider,
} from '../../../test/forging-provider.ts';
import { freePort } from '../../../test/foyer-process.ts';
import {
  FOYER_CLIENT,
  type IdentityProvider,
  startIdentityProvider,
} from '../../../test/identity-provider.ts';
import { SELF_SIGNED } from '../../../test/self-signed.ts';

const EMAIL = 'ben@corp.example';
const PERSON = { sub: 'ben', email: EMAIL, email_verified: true };

let app: TestApp;
let idp: ForgingProvider;
let real: IdentityProvider;
let site: TestSite;
let admin: string;
let url: string;
let provider: Json;

beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  [app, idp, real] = await Promise.all([
    startTestApp({ PORT: String(port) }),
    startForgingProvider(PERSON),
    startIdentityProvider([`${url}/app/sso/1/callback`]),
  ]);
  site = await app.makeSite();
  admin = await app.signIn(site.admin.email);
  await makeAgent(site.operator, { email: EMAIL, name: 'Ben' });
  const input = { name: 'Corp', issuer: idp.issuer, ...FOYER_CLIENT, domains: ['corp.example'] };
  provider = (await app.desk(admin, 'identity_providers.create', input)).body.data;
});
beforeEach(() => {
  idp.forge = () => ({});
  idp.status = 200;
});
afterAll(async () => {
  await app.close();
  await Promise.all([idp.close(), real.close()]);
});

async function signIn(): Promise<string> {
  const browser = new CookieBrowser();
  const { url: end } = await browser.open(provider.sign_in_url, {
    stop: (at) => at.startsWith(`${url}/app/`) && !at.includes('/app/sso/'),
  });
  const { pathname, searchParams } = new URL(end);
  return searchParams.get('refused') ?? pathname;
}

const soon = (): number => Math.floor(Date.now() / 1_000);

it.each<[string, (good: Record<string, unknown>) => Forged]>([
  ['another issuer', () => ({ claims: { iss: 'https://other.example' } })],
  ['another audience', () => ({ claims: { aud: 'another-client' } })],
  ['several audiences without an authorized party', () => ({ claims: { aud: ['foyer', 'another-client'] } })],
  ['another nonce', () => ({ claims: { nonce: 'of-another-sign-in' } })],
  ['no nonce', () => ({ claims: { nonce: undefined } })],
  ['an expired token', () => ({ claims: { exp: soon() - 600, iat: soon() - 1_200 } })],
  ['a signature with an unknown key', () => ({ key: FOREIGN_KEY })],
  ['no signature', () => ({ header: { alg: 'none' }, key: null })],
  ['an unknown key id', () => ({ header: { kid: 'unknown' } })],
  ['no subject', () => ({ claims: { sub: undefined } })],
])('an ID token with %s is refused', async (_what, forge) => {
  expect(await signIn()).toBe('/app/inbox');
  idp.forge = forge;
  expect(await signIn()).toBe('invalid');
});

it('an address verified in Microsoft’s form is accepted, and refused with a text that isn’t true', async () => {
  const other = 'carla@corp.example';
  await makeAgent(site.operator, { email: other, name: 'Carla' });
  const carla = { sub: 'carla', email: other };
  for (const claim of [{ email_verified: 'false' }, { email_verified: null }, { xms_edov: '0' }, {}]) {
    idp.forge = () => ({ claims: { ...carla, email_verified: undefined, ...claim } });
    expect(await signIn(), JSON.stringify(claim)).toBe('unverified');
  }
  idp.forge = () => ({ claims: { ...carla, email_verified: undefined, xms_edov: '1' } });
  expect(await signIn()).toBe('/app/inbox');
});

const test = async (input: object, as = app, cookie = admin): Promise<string | null> => {
  const answer = await as.desk(cookie, 'identity_providers.test', input);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body.data.problem;
};

it('a test names the exact problem, of a working provider none', async () => {
  const client = { issuer: real.issuer, ...FOYER_CLIENT };
  expect(await test(client)).toBe(null);
  expect(await test({ ...client, client_secret: 'wrong' })).toMatch(
    /^Client: the provider doesn’t accept this client ID and secret \(.+\)\.$/,
  );
  expect(await test({ ...client, client_id: 'unknown' })).toMatch(/^Client: /);
  expect(await test({ ...client, issuer: `${real.issuer}/realms/other` })).toBe(
    `Discovery: ${real.issuer}/realms/other/.well-known/openid-configuration answered 404. Check the issuer.`,
  );
  const closed = await freePort();
  expect(await test({ ...client, issuer: `http://127.0.0.1:${closed}` })).toBe(
    `Connection: 127.0.0.1:${closed} refuses connections.`,
  );
  expect(await test({ ...client, issuer: 'https://no-such-name.invalid' })).toBe(
    'DNS: no server is named no-such-name.invalid.',
  );
  idp.document = { ...idp.document, issuer: 'https://login.corp.example' };
  expect(await test({ ...client, issuer: idp.issuer })).toBe(
    'Issuer: the provider calls itself https://login.corp.example. Enter exactly that as the issuer.',
  );
  idp.document = { ...idp.document, issuer: idp.issuer };
  const keys = idp.keys;
  idp.keys = [];
  expect(await test({ ...client, issuer: idp.issuer })).toMatch(/^Keys: .+there are none/);
  idp.keys = keys;
  const document = idp.document;
  idp.document = { ...document, token_endpoint: undefined };
  expect(await test({ ...client, issuer: idp.issuer })).toMatch(/^Discovery: .+\(token_endpoint\)\.$/);
  idp.document = document;
  // A stored secret is sent to nobody else.
  const elsewhere = await app.desk(admin, 'identity_providers.test', {
    id: provider.id,
    issuer: real.issuer,
  });
  expect(elsewhere.body.error.issues).toMatchObject([{ path: 'client_secret', reason: 'missing' }]);
});

it('a private address needs the operator’s permission, and https unless it has that', async () => {
  const issuer = real.issuer;
  const { host } = new URL(issuer);
  const port = await freePort();
  const guarded = await startTestApp({
    FOYER_WEBHOOK_ALLOW_PRIVATE: 'false',
    FOYER_SSO_PRIVATE_HOSTS: `login.internal, ${host}`,
    PORT: String(port),
  });
  try {
    const there = await guarded.makeSite();
    const cookie = await guarded.signIn(there.admin.email);
    expect(await test({ issuer, ...FOYER_CLIENT }, guarded, cookie)).toBe(null);
    for (const other of [
      idp.issuer,
      'https://127.0.0.1:1',
      'http://login.example.com',
      'https://10.0.0.1',
      'ftp://x',
    ]) {
      const input = { name: 'Corp', issuer: other, ...FOYER_CLIENT, domains: ['corp.example'] };
      const answer = await guarded.desk(cookie, 'identity_providers.create', input);
      expect(answer.body.error.issues, other).toMatchObject([{ path: 'issuer', reason: 'issuer' }]);
    }
  } finally {
    await guarded.close();
  }
});

it('a server without TLS is distinguished from one with an untrusted certificate', async () => {
  const servers = [
    createServer((_request, response) => response.end()),
    createTlsServer(SELF_SIGNED, (_request, response) => response.end()),
  ];
  const problems = await Promise.all(
    servers.map(async (server) => {
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const { port } = server.address() as AddressInfo;
      const problem = await test({ issuer: `https://127.0.0.1:${port}`, ...FOYER_CLIENT });
      server.closeAllConnections();
      server.close();
      return problem?.replace(String(port), 'PORT');
    }),
  );
  const [plain, selfSigned] = problems;
  expect(plain).toMatch(/^TLS: no encrypted connection to 127\.0\.0\.1:PORT \((EPROTO|ERR_SSL_\w+)\)/);
  expect(selfSigned).toMatch(/\(DEPTH_ZERO_SELF_SIGNED_CERT\)/);
});
