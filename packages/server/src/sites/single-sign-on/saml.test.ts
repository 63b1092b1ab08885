import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Answer, type Json, startTestApp, type TestApp, type TestSite } from '../../../test/app.ts';
import { CookieBrowser } from '../../../test/cookie-browser.ts';
import { freePort } from '../../../test/foyer-process.ts';
import { until } from '../../../test/harness.ts';
import {
  type Encryption,
  PROVIDER_CERTIFICATE,
  readRequest,
  type Said,
  type SamlRequest,
  STRANGER_CERTIFICATE,
  samlResponse,
} from '../../../test/saml-provider.ts';

const ENTITY = 'https://login.corp.example/entity';
const EMAIL_NAME = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';

let app: TestApp;
let url: string;
let site: TestSite;
let admin: string;
let provider: Json;
let number = 0;
beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  app = await startTestApp({ PORT: String(port), FOYER_TRUST_PROXY: 'loopback' });
});
afterAll(() => app.close());
beforeEach(async () => {
  site = await app.makeSite();
  admin = await app.signIn(site.admin.email);
  provider = (await create({})).body.data;
});

const create = (more: object): Promise<Answer> =>
  app.desk(admin, 'identity_providers.create', {
    kind: 'saml',
    name: `Corp ${++number}`,
    issuer: ENTITY,
    domains: ['corp.example'],
    creates_agents: true,
    saml: { sign_in_url: 'http://127.0.0.1:9/sso', certificates: PROVIDER_CERTIFICATE },
    ...more,
  });
const change = (more: object): Promise<Answer> =>
  app.desk(admin, 'identity_providers.update', { id: provider.id, ...more });
const newEmail = (): string => `person${++number}@corp.example`;
const me = (browser: CookieBrowser): Promise<Answer> =>
  app.desk(browser.cookiesFor(url), 'me.get', {}, site.site.id);

async function begin(browser: CookieBrowser, start = provider.sign_in_url): Promise<SamlRequest> {
  return readRequest((await browser.request(start)).headers.get('location') ?? '');
}
/** As a browser submits the form of a provider's page: the form sends no cookie, the redirect does. */
async function post(browser: CookieBrowser, request: SamlRequest, SAMLResponse: string): Promise<URL> {
  const body = new URLSearchParams({ SAMLResponse, RelayState: request.relayState });
  // One address may not try as often.
  const headers = { 'x-forwarded-for': `198.51.100.${++number % 256}` };
  const answer = await fetch(request.acs, { method: 'POST', body, headers, redirect: 'manual' });
  const to = new URL(answer.headers.get('location') ?? '', url);
  if (!to.pathname.endsWith('/callback')) return to;
  return new URL((await browser.request(to.href)).headers.get('location') ?? '', url);
}
/** @returns the page of the desk at the end of the redirects */
async function signIn(said: Said, browser = new CookieBrowser()): Promise<URL> {
  const request = await begin(browser);
  return post(browser, request, samlResponse(request, ENTITY, said));
}
const refusal = async (said: Said): Promise<string | null> => {
  const browser = new CookieBrowser();
  const page = await signIn(said, browser);
  expect((await me(browser)).status).toBe(401);
  return page.searchParams.get('refused');
};
const person = (more: Said = {}): Said => ({ attributes: { email: newEmail() }, ...more });

it('creates an agent on the first sign-in, recognises them again, and follows their groups', async () => {
  await change({ groups_claim: 'groups', group_roles: [{ group: 'leads', role: 'admin' }] });
  const email = newEmail();
  const browser = new CookieBrowser();
  const attributes = { mail: email, givenName: 'Grace', sn: 'Hopper', groups: ['staff', 'leads'] };
  expect((await signIn({ nameId: 'id-1', attributes }, browser)).pathname).toBe('/app/inbox');
  const first = (await me(browser)).body.data.agent;
  expect(first).toMatchObject({ email, name: 'Grace Hopper', role: 'admin' });
  const again = new CookieBrowser();
  await signIn({ nameId: 'id-1', attributes: { mail: 'x@elsewhere.example', groups: 'staff' } }, again);
  expect((await me(again)).body.data.agent).toMatchObject({ id: first.id, role: 'agent' });
  // If the name is the address, or changes each time, the address identifies the person.
  const named = new CookieBrowser();
  await signIn({ nameId: newEmail(), format: EMAIL_NAME }, named);
  expect((await me(named)).status).toBe(200);
  const format = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';
  const passing = newEmail();
  for (const nameId of ['t1', 't2'])
    expect((await signIn({ nameId, format, attributes: { email: passing } })).pathname).toBe('/app/inbox');
});

it('has metadata that a provider can read', async () => {
  const { data } = (await app.desk(admin, 'identity_providers.list')).body;
  const answer = await fetch(data.saml_entity_id);
  expect(answer.headers.get('content-type')).toContain('application/samlmetadata+xml');
  const xml = await answer.text();
  expect(xml).toContain(`entityID="${data.saml_entity_id}"`);
  expect(xml).toContain(`Location="${data.saml_acs_url}"`);
  expect((await fetch(`${url}/app/sso/99999999/metadata`)).status).toBe(404);
});

it('admits nobody of other domains, without an address, or unexpected', async () => {
  expect(await refusal({ attributes: { email: 'mallory@evil.example' } })).toBe('domain');
  expect(await refusal({ nameId: 'nobody' })).toBe('no_email');
  await change({ creates_agents: false });
  expect(await refusal(person())).toBe('no_account');
});

const WRONG: [string, Said][] = [
  ['no signature', { signedBy: 'nobody' }],
  ['somebody else’s signature', { signedBy: 'stranger' }],
  ['a signature with SHA-1', { hash: 'sha1' }],
  ['another audience', { audience: 'https://other.example/metadata' }],
  ['another recipient', { recipient: 'https://other.example/acs' }],
  ['another issuer', { issuer: 'https://evil.example/entity' }],
  ['another request', { inResponseTo: '_another' }],
  ['a time that is over', { shiftMs: -20 * 60_000 }],
  ['a time that is to come', { shiftMs: 20 * 60_000 }],
  [
    'no audience',
    { inside: (xml) => xml.replace(/<saml:AudienceRestriction>.*<\/saml:AudienceRestriction>/, '') },
  ],
  ['no recipient', { inside: (xml) => xml.replace(/ Recipient="[^"]*"/, '') }],
  ['no request', { inside: (xml) => xml.replace(/ InResponseTo="[^"]*"/, '') }],
  [
    'an end that is missing',
    { inside: (xml) => xml.replace(/(Recipient="[^"]*") NotOnOrAfter="[^"]*"/, '$1') },
  ],
  ['a changed address', { outside: (xml) => xml.replace(/person\d+@/, 'admin@') }],
  ['a document type', { outside: (xml) => `<!DOCTYPE r [<!ENTITY e "x">]>${xml}` }],
  ['no XML', { outside: () => 'hello' }],
];
it.each(WRONG)('refuses a response with %s', async (_, said) => {
  expect(await refusal(person(said))).toBe('invalid');
});

const evil = (xml: string): string =>
  xml
    .replace(/<Signature.*<\/Signature>|<ds:Signature.*<\/ds:Signature>/s, '')
    .replace(/ ID="[^"]*"/, ' ID="_evil"')
    .replace(/person\d+@/, 'boss@');
const assertionIn = (xml: string): string => /<saml:Assertion.*<\/saml:Assertion>/s.exec(xml)?.[0] ?? '';
const WRAPPED: [string, (xml: string) => string][] = [
  [
    'a forged assertion before the signed one',
    (xml) => xml.replace(assertionIn(xml), (good) => evil(good) + good),
  ],
  [
    'a forged assertion after the signed one',
    (xml) => xml.replace(assertionIn(xml), (good) => good + evil(good)),
  ],
  [
    'the signed one inside a forged one',
    (xml) =>
      xml.replace(assertionIn(xml), (good) =>
        evil(good).replace('</saml:Assertion>', `${good}</saml:Assertion>`),
      ),
  ],
  [
    'the signed one in an extension',
    (xml) =>
      xml
        .replace(assertionIn(xml), evil(assertionIn(xml)))
        .replace('<samlp:Status>', `<samlp:Extensions>${assertionIn(xml)}</samlp:Extensions><samlp:Status>`),
  ],
  [
    'the signed one as an object of the signature in a forged one',
    (xml) =>
      xml.replace(assertionIn(xml), (good) => {
        const signature = /<(?:ds:)?Signature .*<\/(?:ds:)?Signature>/s.exec(good)?.[0] ?? '';
        const kept = signature.replace(
          /<\/((?:ds:)?)Signature>$/,
          `<$1Object>${good.replace(signature, '')}</$1Object></$1Signature>`,
        );
        return evil(good).replace('</saml:Issuer>', `</saml:Issuer>${kept}`);
      }),
  ],
];
it.each(WRAPPED)('is not fooled by %s', async (_, outside) => {
  const browser = new CookieBrowser();
  await signIn(person({ outside }), browser);
  // Refused, or the signed person: never the forged one.
  const answer = await me(browser);
  if (answer.status === 200) expect(answer.body.data.agent.email).toMatch(/^person\d+@/);
  else expect(answer.status).toBe(401);
  const { agents } = (await app.desk(admin, 'agents.list')).body.data;
  expect(agents.filter(({ email }: Json) => email.startsWith('boss@'))).toEqual([]);
});

it('reads an address completely, even with comments in it', async () => {
  const nameId = 'ada@corp.example<!-- -->.evil.example';
  expect(await refusal({ nameId, format: EMAIL_NAME })).toBe('domain');
  expect(await refusal({ attributes: { email: 'ada@corp.example<!---->.evil.example' } })).toBe('domain');
});

it('accepts a response once, in the browser that began, for its own request and site', async () => {
  const browser = new CookieBrowser();
  const request = await begin(browser);
  const answer = samlResponse(request, ENTITY, person());
  // A stranger sends somebody their own answer.
  const victim = new CookieBrowser();
  await begin(victim);
  expect((await post(victim, request, answer)).searchParams.get('refused')).toBe('expired');
  expect((await me(victim)).status).toBe(401);
  // That has used up the sign-in.
  expect((await post(browser, request, answer)).searchParams.get('refused')).toBe('expired');

  const second = await begin(browser);
  const good = samlResponse(second, ENTITY, person());
  expect((await post(browser, second, good)).pathname).toBe('/app/inbox');
  expect((await post(browser, second, good)).searchParams.get('refused')).toBe('expired');
  const third = await begin(browser);
  expect((await post(browser, third, good)).searchParams.get('refused')).toBe('invalid');
  expect((await post(browser, { ...third, relayState: 'made-up' }, good)).searchParams.get('refused')).toBe(
    'expired',
  );
  const other = await app.makeSite();
  const acs = third.acs.replace(/sso\/\d+/, `sso/${other.site.id}`);
  expect(
    (await post(browser, { ...third, acs }, samlResponse(third, ENTITY, person()))).searchParams.get(
      'refused',
    ),
  ).toBe('expired');
});

it('reports that the provider has refused, records it, and ends with the provider', async () => {
  expect(await refusal({ status: 'urn:oasis:names:tc:SAML:2.0:status:Responder' })).toBe('denied');
  const refused = async () =>
    (await app.desk(admin, 'audit.list', { subject: 'identity_provider' })).body.data;
  await until(async () => (await refused()).some((one: Json) => one.changes?.reason?.[1] === 'denied'));
  const browser = new CookieBrowser();
  const request = await begin(browser);
  await change({ enabled: false });
  expect(
    (await post(browser, request, samlResponse(request, ENTITY, person()))).searchParams.get('refused'),
  ).toBe('disabled');
});

it('another certificate replaces the key, and settings of neither kind of provider are refused', async () => {
  const both = `${PROVIDER_CERTIFICATE}\n${STRANGER_CERTIFICATE}`;
  const { body } = await change({ saml: { sign_in_url: 'http://127.0.0.1:9/sso', certificates: both } });
  expect(body.data.saml.expires_utc).toMatch(/^2\d{3}-/);
  expect((await signIn(person({ nameId: 'k1', signedBy: 'stranger' }))).pathname).toBe('/app/inbox');
  const saml = { sign_in_url: 'http://127.0.0.1:9/sso', certificates: 'not a certificate' };
  expect((await change({ saml })).status).toBe(400);
  expect((await change({ client_id: 'x' })).status).toBe(400);
  expect((await create({ saml: undefined })).status).toBe(400);
  expect((await create({ client_secret: 'x' })).status).toBe(400);
  expect((await create({ kind: 'oidc' })).status).toBe(400);
  expect(
    (
      await create({
        saml: { ...saml, certificates: PROVIDER_CERTIFICATE, sign_in_url: 'javascript:alert(1)' },
      })
    ).status,
  ).toBe(400);
});

const CORP_SAML = { sign_in_url: 'http://127.0.0.1:9/sso', certificates: PROVIDER_CERTIFICATE };
/** @returns the certificate of a new key */
const newKey = async (): Promise<string> =>
  (await app.desk(admin, 'identity_providers.rotate_saml_key')).body.data.certificate;
const to = (certificate: string, more: Partial<Encryption> = {}): Said =>
  person({ encryption: { certificate, ...more } });

it('decrypts assertions for the site’s key or the one before it, as the metadata says', async () => {
  const listed = async () => (await app.desk(admin, 'identity_providers.list')).body.data;
  const none = await listed();
  expect(none.saml_encryption).toBeNull();
  expect(await (await fetch(none.saml_entity_id)).text()).not.toContain('encryption');
  expect(await refusal(to(STRANGER_CERTIFICATE))).toBe('invalid');

  const first = await newKey();
  expect(new X509Certificate(first)).toMatchObject({ subject: expect.stringContaining('CN=localhost') });
  expect(new X509Certificate(first).checkIssued(new X509Certificate(first))).toBe(true);
  expect((await listed()).saml_encryption.certificate).toBe(first);
  const metadata = await (await fetch(none.saml_entity_id)).text();
  expect(metadata).toContain(`<X509Certificate>${first.replace(/-----[^-]+-----|\s/g, '')}<`);
  for (const data of [undefined, 'aes256-cbc'] as const)
    expect((await signIn(to(first, data && { data }))).pathname).toBe('/app/inbox');
  expect((await signIn(person())).pathname).toBe('/app/inbox');

  const second = await newKey();
  for (const certificate of [first, second])
    expect((await signIn(to(certificate))).pathname).toBe('/app/inbox');
  await newKey();
  expect(await refusal(to(first))).toBe('invalid');
  const { rows } = await app.app.database.pool.query(
    "select sites::text as site, (select string_agg(a::text, '') from audit_entries a where a.site_id = sites.id) as log from sites where id = $1",
    [site.site.id],
  );
  const stored = JSON.stringify(rows);
  expect(stored).toContain('BEGIN CERTIFICATE');
  for (const key of ['PRIVATE KEY', Buffer.from('PRIVATE KEY').toString('hex')])
    expect(stored).not.toContain(key);
});

it('gives every problem with an encrypted assertion the same answer, and lets nobody in', async () => {
  const certificate = await newKey();
  const flipped = (at: number) => (xml: string) => {
    let seen = 0;
    return xml.replace(/<xenc:CipherValue>.{30}(.)/g, (whole, sign) =>
      seen++ === at ? `${whole.slice(0, -1)}${sign === 'A' ? 'B' : 'A'}` : whole,
    );
  };
  const encryptedIn = (xml: string): string =>
    /<saml:EncryptedAssertion.*<\/saml:EncryptedAssertion>/s.exec(xml)?.[0] ?? '';
  const wrong: Record<string, Said> = {
    'another key': to(STRANGER_CERTIFICATE),
    'a changed key': { ...to(certificate), outside: flipped(0) },
    'changed data': { ...to(certificate), outside: flipped(1) },
    'changed data without a check of its own': {
      ...to(certificate, { data: 'aes256-cbc' }),
      outside: flipped(1),
    },
    'data that is cut off': {
      ...to(certificate),
      outside: (xml) =>
        xml.replace(/.{40}(<\/xenc:CipherValue><\/xenc:CipherData><\/xenc:EncryptedData>)/, '$1'),
    },
    'RSA 1.5': to(certificate, { key: 'rsa-1_5' }),
    'Triple DES': to(certificate, { data: 'tripledes-cbc' }),
    'no signature within': { ...to(certificate), signedBy: 'nobody' },
    'a stranger’s signature within': { ...to(certificate), signedBy: 'stranger' },
    'SHA-1 within': { ...to(certificate), hash: 'sha1' },
    'a document type within': to(certificate, {
      before: (xml) => `<!DOCTYPE r [<!ENTITY e "x">]>${xml}`,
    }),
    'an address changed within': to(certificate, { before: (xml) => xml.replace(/person\d+@/, 'boss@') }),
    'something else within': to(certificate, { before: () => '<a/>' }),
    'two of them': {
      ...to(certificate),
      outside: (xml) => xml.replace(encryptedIn(xml), (good) => good + good),
    },
    'a forged assertion beside it': {
      ...to(certificate),
      outside: (xml) =>
        xml.replace('</samlp:Response>', `<saml:Assertion xmlns:saml="x" ID="_e"/></samlp:Response>`),
    },
    'an extension around it': {
      ...to(certificate),
      outside: (xml) =>
        xml
          .replace(encryptedIn(xml), '')
          .replace(
            '<samlp:Status>',
            `<samlp:Extensions>${encryptedIn(xml)}</samlp:Extensions><samlp:Status>`,
          ),
    },
  };
  for (const [what, said] of Object.entries(wrong))
    expect([what, await refusal(said)]).toEqual([what, 'invalid']);
});

it('refuses an unencrypted response if the provider must encrypt', async () => {
  const only = { saml: { ...CORP_SAML, encrypted_only: true } };
  expect((await change(only)).status).toBe(400);
  const certificate = await newKey();
  expect((await change(only)).body.data.saml).toMatchObject({ encrypted_only: true });
  expect(await refusal(person())).toBe('invalid');
  const hidden = (xml: string): string =>
    xml.replace('<samlp:Status>', '<!--<saml:EncryptedAssertion/>--><samlp:Status>');
  expect(await refusal(person({ outside: hidden }))).toBe('invalid');
  expect((await signIn(to(certificate))).pathname).toBe('/app/inbox');
  // Saving a form without the field keeps it.
  await change({ saml: CORP_SAML });
  expect(await refusal(person())).toBe('invalid');
});
