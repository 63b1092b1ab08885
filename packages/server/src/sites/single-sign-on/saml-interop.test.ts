import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Json, startTestApp, type TestApp, type TestSite } from '../../../test/app.ts';
import { CookieBrowser } from '../../../test/cookie-browser.ts';
import { freePort } from '../../../test/foyer-process.ts';
import { PROVIDER_CERTIFICATE, PROVIDER_KEY } from '../../../test/saml-provider.ts';

// The identity provider of samlify, which shares no code with Foyer: it reads Foyer's metadata and requests, and writes
// its own responses. What a hostile provider or a forged response may try is in saml.test.ts.

type Settings = Record<string, unknown>;
interface Request {
  extract: unknown;
}
interface ServiceProvider {
  entityMeta: { getAssertionConsumerService(binding: 'post'): string };
}
interface IdentityProvider {
  getMetadata(): string;
  parseLoginRequest(from: ServiceProvider, binding: 'redirect', sent: { query: object }): Promise<Request>;
  createLoginResponse(
    to: ServiceProvider,
    request: Request,
    binding: 'post',
    user: { email: string },
  ): Promise<{ context: string }>;
}
interface Samlify {
  Constants: {
    namespace: { binding: { redirect: string }; format: { emailAddress: string } };
    algorithms: { signature: { RSA_SHA256: string } };
  };
  IdentityProvider(settings: Settings): IdentityProvider;
  ServiceProvider(settings: Settings): ServiceProvider;
  setSchemaValidator(validator: { validate(xml: string): Promise<unknown> }): void;
}
// As a string, because its types would bring the DOM's into all of the server.
const { Constants, ...samlify }: Samlify = await import('samlify' as string);
const { binding, format } = Constants.namespace;
const EMAIL = 'grace@corp.example';

let app: TestApp;
let url: string;
let site: TestSite;
let admin: string;
beforeAll(async () => {
  // Its schemas need a validator, which it leaves to others.
  samlify.setSchemaValidator({ validate: async () => 'unchecked' });
  const port = await freePort();
  url = `http://localhost:${port}`;
  app = await startTestApp({ PORT: String(port), FOYER_TRUST_PROXY: 'loopback' });
});
afterAll(() => app.close());
beforeEach(async () => {
  site = await app.makeSite();
  admin = await app.signIn(site.admin.email);
});

const desk = async (operation: string, input: object = {}): Promise<Json> => {
  const { status, body } = await app.desk(admin, operation, input);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
};

const openProvider = (isAssertionEncrypted: boolean) =>
  samlify.IdentityProvider({
    entityID: 'https://login.corp.example/entity',
    privateKey: PROVIDER_KEY,
    signingCert: PROVIDER_CERTIFICATE,
    nameIDFormat: [format.emailAddress],
    requestSignatureAlgorithm: Constants.algorithms.signature.RSA_SHA256,
    singleSignOnService: [{ Binding: binding.redirect, Location: 'http://127.0.0.1:9/sso' }],
    isAssertionEncrypted,
  });

/** Foyer as its metadata describes it. */
async function readFoyer(wantMessageSigned: boolean) {
  const { saml_entity_id } = await desk('identity_providers.list');
  const metadata = await (await fetch(saml_entity_id)).text();
  return samlify.ServiceProvider({ metadata, wantMessageSigned });
}

it.each([
  ['a signed assertion', { message: false, encrypted: false }],
  ['a signed assertion in a signed message', { message: true, encrypted: false }],
  ['an encrypted assertion', { message: false, encrypted: true }],
])('signs somebody in with another program’s provider, by %s', async (_, { message, encrypted }) => {
  if (encrypted) await desk('identity_providers.rotate_saml_key');
  const provider = openProvider(encrypted);
  const { found } = await desk('identity_providers.read_metadata', { xml: provider.getMetadata() });
  const { issuer, ...saml } = found;
  const { sign_in_url } = await desk('identity_providers.create', {
    kind: 'saml',
    name: 'Corp',
    issuer,
    saml: { ...saml, encrypted_only: encrypted },
    domains: ['corp.example'],
    creates_agents: true,
  });
  const foyer = await readFoyer(message);

  const browser = new CookieBrowser();
  const asked = (await browser.request(sign_in_url)).headers.get('location') ?? '';
  const query = Object.fromEntries(new URL(asked).searchParams);
  const request = await provider.parseLoginRequest(foyer, 'redirect', { query });
  const { context } = await provider.createLoginResponse(foyer, request, 'post', { email: EMAIL });
  const acs = foyer.entityMeta.getAssertionConsumerService('post');
  const form = { SAMLResponse: context, RelayState: query.RelayState ?? '' };
  const { url: page } = await browser.open(acs, { form, stop: (at) => at.includes('/inbox') });
  expect(new URL(page).pathname).toBe('/app/inbox');
  const me = await app.desk(browser.cookiesFor(url), 'me.get', {}, site.site.id);
  expect(me.body.data.agent).toMatchObject({ email: EMAIL, role: 'agent' });

  // Signed with the same key for somebody else: a request answers one response.
  const again = await provider.createLoginResponse(foyer, request, 'post', { email: 'eve@corp.example' });
  const second = await browser.request(acs, { ...form, SAMLResponse: again.context });
  expect(second.headers.get('location')).not.toContain('/inbox');
});
