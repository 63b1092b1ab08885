import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Answer, type Json, startTestApp, type TestApp } from '../../../test/app.ts';
import { CookieBrowser } from '../../../test/cookie-browser.ts';
import { freePort } from '../../../test/foyer-process.ts';
import { answerWith, type Answer as Reaction, type Receiver, startReceiver } from '../../../test/receiver.ts';
import {
  PROVIDER_CERTIFICATE,
  readRequest,
  STRANGER_CERTIFICATE,
  samlResponse,
} from '../../../test/saml-provider.ts';

const ENTITY = 'https://login.corp.example/entity';
const SIGN_IN = 'http://127.0.0.1:9/sso';

let app: TestApp;
let url: string;
let admin: string;
let web: Receiver;
let reaction: Reaction;
beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  app = await startTestApp({ PORT: String(port) });
  web = await startReceiver((...args) => reaction(...args));
});
beforeEach(async () => {
  admin = await app.signIn((await app.makeSite()).admin.email);
  web.requests.length = 0;
});
afterAll(async () => {
  await app.close();
  await web.close();
});

const bare = (pem: string): string => pem.replace(/-----[^-]+-----|\s/g, '');
const keyOf = (pem: string, use = ''): string =>
  `<KeyDescriptor${use}><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>
${bare(pem).replace(/.{64}/g, '$&\n')}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></KeyDescriptor>`;
const SIGNING = ' use="signing"';
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const service = (binding: string, location: string): string =>
  `<SingleSignOnService Binding="${binding}" Location="${location}"/>`;
const metadataOf = ({
  keys = keyOf(PROVIDER_CERTIFICATE, SIGNING),
  services = service(REDIRECT, SIGN_IN),
  before = '',
  after = '',
} = {}): string =>
  `<?xml version="1.0"?><EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${ENTITY}">${before}<IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">${keys}${services}</IDPSSODescriptor>${after}</EntityDescriptor>`;

const read = (input: object): Promise<Answer> => app.desk(admin, 'identity_providers.read_metadata', input);
const found = async (xml: string): Promise<Json> => {
  const { status, body } = await read({ xml });
  expect([status, body.data?.problem]).toEqual([200, null]);
  return body.data.found;
};

it('people sign in with the settings in the metadata at an address', async () => {
  reaction = answerWith(200, metadataOf(), { 'content-type': 'application/samlmetadata+xml' });
  const { body } = await read({ url: web.url });
  const { issuer, ...saml } = body.data.found;
  expect({ issuer, sign_in_url: saml.sign_in_url }).toEqual({ issuer: ENTITY, sign_in_url: SIGN_IN });
  const made = await app.desk(admin, 'identity_providers.create', {
    kind: 'saml',
    name: 'Corp',
    issuer,
    saml,
    domains: ['corp.example'],
    creates_agents: true,
  });
  const browser = new CookieBrowser();
  const begun = await browser.request(made.body.data.sign_in_url);
  const request = readRequest(begun.headers.get('location') ?? '');
  const SAMLResponse = samlResponse(request, ENTITY, { attributes: { email: 'grace@corp.example' } });
  const form = new URLSearchParams({ SAMLResponse, RelayState: request.relayState });
  const answer = await fetch(request.acs, { method: 'POST', body: form, redirect: 'manual' });
  const end = await browser.request(new URL(answer.headers.get('location') ?? '', url).href);
  expect(end.headers.get('location')).toBe('/app/inbox');
});

it('of several keys the signing ones are used, once each, and none that signed the metadata itself', async () => {
  const both = await found(
    metadataOf({
      keys: keyOf(PROVIDER_CERTIFICATE, SIGNING) + keyOf(PROVIDER_CERTIFICATE) + keyOf(STRANGER_CERTIFICATE),
    }),
  );
  expect(bare(both.certificates)).toBe(bare(PROVIDER_CERTIFICATE) + bare(STRANGER_CERTIFICATE));
  const one = await found(
    metadataOf({
      keys: keyOf(STRANGER_CERTIFICATE, ' use="encryption"') + keyOf(PROVIDER_CERTIFICATE),
      before: `<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${bare(STRANGER_CERTIFICATE)}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></ds:Signature>`,
      after: `<SPSSODescriptor>${keyOf(STRANGER_CERTIFICATE)}</SPSSODescriptor>`,
      services:
        service('urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST', 'https://x.example/post') +
        service(REDIRECT, SIGN_IN),
    }),
  );
  expect(bare(one.certificates)).toBe(bare(PROVIDER_CERTIFICATE));
  expect(one.sign_in_url).toBe(SIGN_IN);
});

it.each([
  ['no XML', 'hello'],
  ['no provider', '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="x"/>'],
  ['no certificate', metadataOf({ keys: '' })],
  ['a broken certificate', metadataOf({ keys: keyOf('AAAA') })],
  ['another binding only', metadataOf({ services: service('urn:x:POST', SIGN_IN) })],
  ['an open element', metadataOf().slice(0, -20)],
  ['a document type', metadataOf().replace('?>', '?><!DOCTYPE r [<!ENTITY e "x">]>')],
  [
    'several providers',
    `<EntitiesDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata">${metadataOf()
      .replace(/^<\?.*?\?>/, '')
      .repeat(2)}</EntitiesDescriptor>`,
  ],
  ['another namespace', metadataOf().replace('SAML:2.0:metadata', 'SAML:1.0:metadata')],
])('a document with %s isn’t accepted as metadata', async (_what, xml) => {
  const { status, body } = await read({ xml });
  expect([status, body.data.found]).toEqual([200, null]);
  expect(body.data.problem).toMatch(
    /^Metadata: this isn’t the metadata of a SAML identity provider \(.+\)\.$/,
  );
});

it('an address that fails gives the reason, and nothing in the internal network is requested', async () => {
  reaction = answerWith(404);
  expect((await read({ url: web.url })).body.data.problem).toBe(`Metadata: ${web.url} answered 404.`);
  reaction = answerWith(302, '', { location: `${web.url}/second` });
  expect((await read({ url: web.url })).body.data.found).toBeNull();
  expect(web.requests.map(({ path }) => path)).not.toContain('/hook/second');
  expect((await read({ url: 'http://127.0.0.1:1/x' })).body.data.problem).toContain('refuses connections');
  for (const input of [
    {},
    { url: web.url, xml: '<a/>' },
    { url: 'ftp://x.example' },
    { xml: 'x'.repeat(500_001) },
  ])
    expect((await read(input)).status).toBe(400);

  const guarded = await startTestApp({ FOYER_WEBHOOK_ALLOW_PRIVATE: 'false' });
  const cookie = await guarded.signIn((await guarded.makeSite()).admin.email);
  web.requests.length = 0;
  for (const address of [web.url, web.url.replace('http', 'https'), 'https://localhost/x', 'https://[::1]/x'])
    expect([
      address,
      (await guarded.desk(cookie, 'identity_providers.read_metadata', { url: address })).body.data?.found ??
        null,
    ]).toEqual([address, null]);
  expect(web.requests).toEqual([]);
  await guarded.close();
});
