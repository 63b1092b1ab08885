import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Json } from '../../test/app.ts';
import { CookieBrowser } from '../../test/cookie-browser.ts';
import {
  foyer,
  foyerJson,
  type Installation,
  newInstallation,
  PROCESSES_TIMEOUT_MS,
  type Ran,
  type RunningServer,
} from '../../test/fixtures/foyer.ts';
import { FOYER_CLIENT, type IdentityProvider, startIdentityProvider } from '../../test/identity-provider.ts';
import { answerWith, startReceiver } from '../../test/receiver.ts';
import { PROVIDER_CERTIFICATE } from '../../test/saml-provider.ts';

vi.setConfig({ testTimeout: PROCESSES_TIMEOUT_MS, hookTimeout: PROCESSES_TIMEOUT_MS });

// The operator connects a company's provider from a shell, beside a running server.

/** The provider of these tests has a private address. */
const PRIVATE = { FOYER_WEBHOOK_ALLOW_PRIVATE: 'true' };
const PASSWORD = 'correct horse battery';

let place: Installation;
let server: RunningServer;
let idp: IdentityProvider;
let url: string;
let site: number;
beforeAll(async () => {
  place = await newInstallation();
  server = await place.serve('start', PRIVATE);
  url = server.url.replace('127.0.0.1', 'localhost');
  site = (await place.json<{ id: number }>(['site', 'create', '--name', 'Corp shop', '--plan', 'growth'])).id;
  idp = await startIdentityProvider([`${url}/app/sso/${site}/callback`]);
  const person = ['--email', 'ada@corp.example', '--name', 'Ada', '--password', PASSWORD, '--role', 'admin'];
  await place.json(['user', 'create', ...person, '--site', String(site)]);
});
afterAll(async () => {
  await idp.close();
  await place.clear();
});

const settings = () => ({ ...place.settings, ...PRIVATE, PORT: new URL(url).port });
const ofSite = (command: string, ...more: string[]): string[] => [
  'sso',
  command,
  '--site',
  String(site),
  ...more,
];
const sso = (args: string[], stdin?: string): Promise<Ran> => foyer(args, settings(), stdin);
const json = <T>(args: string[], stdin?: string): Promise<T> => foyerJson<T>(args, settings(), stdin);
const create = (name: string, issuer: string): string[] =>
  ofSite(
    ...(['create', '--name', name, '--issuer', issuer, '--client-id', FOYER_CLIENT.client_id] as const),
    ...['--client-secret', '-', '--domain', 'corp.example', 'corp.test', '--create-agents'],
  );
const withPassword = (): Promise<Response> =>
  fetch(`${url}/app/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ email: 'ada@corp.example', password: PASSWORD }),
  });
const signedIn = async (): Promise<string> =>
  (await withPassword()).headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
const desk = (cookie: string, operation: string, input: object): Promise<Response> =>
  fetch(`${url}/app/api/${operation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url, cookie },
    body: JSON.stringify(input),
  });

interface Provider {
  id: number;
  name: string;
  domains: string[];
  sign_in_url: string;
}

/** Signs in at the provider that was created. @returns the page of Foyer at the end of the redirects */
async function signIn(account: string, start: string): Promise<string> {
  const browser = new CookieBrowser();
  const isCallback = (at: string): boolean => at.includes('/callback');
  const to = (await browser.request(start)).headers.get('location') ?? '';
  const page = await browser.open(to, { stop: isCallback });
  const back = await browser.open(page.url, { form: { account, answer: 'yes' }, stop: isCallback });
  return (await browser.request(back.url)).headers.get('location') ?? '';
}

it('people sign in with a provider that is connected here, and its secret is shown nowhere', async () => {
  const none = await json<{ providers: Provider[]; redirect_url: string }>(ofSite('list'));
  expect(none).toMatchObject({ providers: [], redirect_url: `${url}/app/sso/${site}/callback` });

  const made = await json<Provider>(create('Corp', idp.issuer), `${FOYER_CLIENT.client_secret}\n`);
  expect(made).toMatchObject({ name: 'Corp', domains: ['corp.example', 'corp.test'], creates_agents: true });
  const listed = await sso(ofSite('list'));
  expect(listed.code).toBe(0);
  for (const word of ['Corp', idp.issuer, 'corp.example, corp.test', 'enabled', 'Redirect URI: '])
    expect(listed.stdout).toContain(word);
  const all = JSON.stringify(made) + listed.stdout + (await sso(ofSite('list', '--json'))).stdout;
  expect(all).not.toContain(FOYER_CLIENT.client_secret);

  const tested = await sso(ofSite('test', '--id', String(made.id)));
  expect(tested).toMatchObject({ code: 0, stdout: expect.stringContaining('The provider works.') });
  idp.people.set('grace', { email: 'grace@corp.example', email_verified: true, name: 'Grace Hopper' });
  expect(await signIn('grace', made.sign_in_url)).toBe('/app/inbox');
  const { data } = (await (await desk(await signedIn(), 'agents.list', {})).json()) as Json;
  expect(data.agents).toMatchObject([{ name: 'Ada' }, { email: 'grace@corp.example', role: 'agent' }]);
});

it('a SAML provider is connected by its metadata, at its address or from a file', async () => {
  const metadata = `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://idp.corp.example"><IDPSSODescriptor><KeyDescriptor><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>${PROVIDER_CERTIFICATE.replace(/-----[^-]+-----|\s/g, '')}</X509Certificate></X509Data></KeyInfo></KeyDescriptor><SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${idp.issuer}/saml"/></IDPSSODescriptor></EntityDescriptor>`;
  const named = (name: string, ...more: string[]): string[] =>
    ofSite('create', '--name', name, '--domain', 'corp.example', ...more);
  const saml = {
    kind: 'saml',
    issuer: 'https://idp.corp.example',
    saml: { sign_in_url: `${idp.issuer}/saml` },
  };
  expect(await json(named('From stdin', '--saml-metadata', '-'), metadata)).toMatchObject(saml);
  const web = await startReceiver(answerWith(200, metadata));
  const made = await json<Provider>(named('From the web', '--saml-metadata', web.url));
  expect(made).toMatchObject(saml);
  await web.close();
  const listed = (await sso(ofSite('list'))).stdout;
  expect(listed).toContain(`SAML: ACS URL ${url}/app/sso/${site}/saml`);

  for (const [more, stdin, words] of [
    [['--saml-metadata', '-'], '<html/>', 'no identity provider'],
    [['--saml-metadata', '-', '--issuer', idp.issuer], metadata, '--saml-metadata has no'],
    [['--saml-metadata', '/nowhere.xml'], '', '/nowhere.xml'],
    [['--issuer', idp.issuer], '', 'give --issuer, --client-id and --client-secret'],
  ] as const) {
    const { code, stderr } = await sso(named('Wrong', ...more), stdin);
    expect([code === 0, stderr]).toEqual([false, expect.stringContaining(words)]);
  }
  const { providers } = await json<{ providers: Provider[] }>(ofSite('list'));
  for (const { id, name } of providers)
    if (name.startsWith('From '))
      await (await desk(await signedIn(), 'identity_providers.delete', { id })).body?.cancel();
});

it('a problem with the connection is named, with exit code 1', async () => {
  const wrong = await json<Provider>(create('Wrong secret', idp.issuer), 'not-the-secret');
  const refused = await sso(ofSite('test', '--id', String(wrong.id)));
  expect(refused.code).toBe(1);
  expect(refused.stdout + refused.stderr).toMatch(/secret/i);
  const { id } = await json<Provider>(create('Elsewhere', `${idp.issuer}/elsewhere`), 'any');
  const { code, stdout } = await sso(ofSite('test', '--id', String(id), '--json'));
  expect([code, JSON.parse(stdout)]).toEqual([1, { problem: expect.stringContaining('404') }]);
  expect((await sso(ofSite('test', '--id', '999999'))).code).not.toBe(0);
  expect((await sso(['sso', 'list', '--site', '999999'])).code).not.toBe(0);
  const again = await sso(create('Corp', idp.issuer), 'any');
  expect(again.code).not.toBe(0);
  const { providers } = await json<{ providers: Provider[] }>(ofSite('list'));
  expect(providers.map(({ name }) => name)).toEqual(['Corp', 'Wrong secret', 'Elsewhere']);
});

it('passwords are accepted again at a site whose provider refuses them', async () => {
  const { providers } = await json<{ providers: Provider[] }>(ofSite('list'));
  const [corp] = providers;
  const refuse = { id: corp?.id, refuses_passwords: true };
  expect((await desk(await signedIn(), 'identity_providers.update', refuse)).status).toBe(200);
  expect((await withPassword()).status).toBe(401);
  expect((await sso(ofSite('list'))).stdout).toContain('enabled, passwords refused');

  expect(await json(ofSite('allow-passwords'))).toEqual({ changed: ['Corp'] });
  expect((await withPassword()).status).toBe(200);
  const second = await sso(ofSite('allow-passwords'));
  expect(second).toMatchObject({ code: 0, stdout: expect.stringContaining('accepted already') });
});
