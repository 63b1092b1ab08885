import { deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Json, PASSWORD, type TestApp, type TestSite } from '../app.ts';
import { until } from '../harness.ts';
import { type Mailbox, shown, startMailbox } from '../mailbox.ts';
import { type Nodes, startNodes } from '../nodes.ts';
import { PROVIDER_CERTIFICATE, readRequest } from '../saml-provider.ts';

// Attacks on the sign-in, at two processes on one database. Planned from the documentation alone.

const BASE_URL = 'http://desk.shop.example';
let nodes: Nodes;
let one: TestApp;
let two: TestApp;
let mailbox: Mailbox;
let site: TestSite;
beforeAll(async () => {
  mailbox = await startMailbox();
  nodes = await startNodes(2, {
    FOYER_BASE_URL: BASE_URL,
    SMTP_URL: mailbox.url,
    FOYER_MAIL_FROM: 'help@shop.example',
    FOYER_TRUST_PROXY: 'loopback',
  });
  [one, two] = [nodes.at(0), nodes.at(1)];
});
beforeEach(async () => {
  mailbox.received.length = 0;
  site = await one.makeSite();
});
afterAll(async () => {
  await nodes.close();
  await mailbox.close();
});

const post = (app: TestApp, path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(app.url + path, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/json', origin: BASE_URL, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
const signIn = async (app: TestApp, email: string, password: string): Promise<Response> =>
  post(app, '/app/auth/sign-in/email', { email, password });
const cookieOf = (answer: Response): string =>
  answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
const LINK = /reset-password#([\w-]{43})/;
const link = async (email: string): Promise<string> => {
  await post(one, '/app/password/request', { email });
  await until(async () => mailbox.received.some(({ to }) => to.includes(email)));
  const mail = mailbox.received.find(({ to }) => to.includes(email));
  return LINK.exec(mail ? shown(mail) : '')?.[1] ?? '';
};

describe('a link to a new password', () => {
  it('sets one, however many requests arrive at once at two processes', async () => {
    const token = await link(site.admin.email);
    const passwords = Array.from({ length: 10 }, (_, n) => `a fine new lamp number ${n}`);
    const answers = await Promise.all(
      passwords.map((password, n) => post(n % 2 ? one : two, '/app/password/reset', { token, password })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('goes to no other address or person, whatever the request contains', async () => {
    const { email } = site.admin;
    for (const body of [
      { email, redirectTo: 'https://evil.example/', callbackURL: 'https://evil.example/' },
      { email: [email, 'm@evil.example'] },
      { email: { $ne: null } },
      { email: `${email},m@evil.example` },
      { email: `${email}\r\nBcc: m@evil.example` },
      { email: `"m@evil.example" <${email}>` },
      { email: `${email}%0aBcc: m@evil.example` },
      { email, to: 'm@evil.example', name: 'x' },
    ])
      expect(
        (
          await post(one, '/app/password/request', body, {
            'x-forwarded-host': 'evil.example',
            referer: 'https://evil.example/',
          })
        ).status,
      ).toBeLessThan(500);
    // The mail of a valid request comes after those of all others.
    await link(email);
    const [mail] = mailbox.received;
    expect(mailbox.received.map(({ to }) => to)).toEqual([[email]]);
    expect(mail && shown(mail)).not.toContain('evil.example');
    const page = await fetch(`${one.url}/app/reset-password`);
    expect(page.headers.get('referrer-policy')).toMatch(/no-referrer|same-origin|strict-origin/);
  });
});

it('no door of the sign-in library is open that the desk doesn’t use', async () => {
  const session = cookieOf(await signIn(one, site.admin.email, PASSWORD));
  const doors: [string, string, object?][] = [
    ['POST', 'sign-up/email', { email: 'm@evil.example', password: 'a long password', name: 'M' }],
    [
      'POST',
      'update-user',
      { name: 'M', image: 'https://evil.example/x', role: 'admin', email: 'm@evil.example' },
    ],
    ['POST', 'change-email', { newEmail: 'm@evil.example' }],
    ['POST', 'delete-user', {}],
    ['GET', 'delete-user/callback?token=x'],
    ['POST', 'request-password-reset', { email: site.admin.email, redirectTo: 'https://evil.example/' }],
    ['POST', 'forget-password', { email: site.admin.email, redirectTo: 'https://evil.example/' }],
    ['POST', 'reset-password', { token: 'x', newPassword: 'a long password' }],
    ['GET', 'reset-password/x?callbackURL=https://evil.example/'],
    ['POST', 'set-password', { newPassword: 'a long password' }],
    ['GET', 'verify-email?token=x&callbackURL=https://evil.example/'],
    ['POST', 'send-verification-email', { email: site.admin.email, callbackURL: 'https://evil.example/' }],
    ['POST', 'sign-in/social', { provider: 'google', callbackURL: 'https://evil.example/' }],
    ['POST', 'sign-in/sso', { email: site.admin.email, callbackURL: 'https://evil.example/' }],
    ['POST', 'sso/register', { providerId: 'x', issuer: 'https://evil.example', domain: 'example.com' }],
    ['GET', 'sso/callback/x?state=y'],
    ['POST', 'link-social', { provider: 'google' }],
    ['POST', 'unlink-account', { providerId: 'credential' }],
    ['GET', 'list-accounts'],
    ['GET', 'list-sessions'],
    ['POST', 'revoke-sessions', {}],
    ['POST', 'get-access-token', { providerId: 'x' }],
    ['POST', 'refresh-token', { providerId: 'x' }],
    ['GET', 'account-info'],
    ['POST', 'admin/set-role', { userId: '1', role: 'admin' }],
    ['POST', 'admin/impersonate-user', { userId: '1' }],
    ['GET', 'admin/list-users'],
    ['GET', 'error?error=<script>alert(1)</script>'],
    ['GET', 'ok'],
    ['GET', 'callback/google?code=x&state=y'],
    ['POST', 'sign-in/magic-link', { email: site.admin.email }],
    ['POST', 'sign-in/anonymous', {}],
    ['GET', 'token'],
    ['GET', 'jwks'],
    ['GET', 'open-api/generate-schema'],
    ['GET', 'reference'],
    ['POST', 'two-factor/generate-backup-codes', { password: PASSWORD }],
    ['POST', 'two-factor/view-backup-codes', { userId: '1' }],
    ['POST', 'two-factor/send-otp', {}],
    ['POST', 'passkey/generate-register-options', {}],
    ['GET', 'passkey/list-user-passkeys'],
  ];
  const { rows: before } = await one.app.database.pool.query('select * from auth_users order by id');
  for (const [method, path, body] of doors)
    for (const cookie of ['', session]) {
      const answer = await fetch(`${one.url}/app/auth/${path}`, {
        method,
        redirect: 'manual',
        headers: { origin: BASE_URL, cookie, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      const isUsed = cookie !== '' && ['list-sessions', 'revoke-sessions'].includes(path);
      expect([method, path, answer.status < 400]).toEqual([method, path, isUsed]);
      expect(answer.headers.get('location') ?? '').not.toContain('evil');
      expect(text).not.toContain('<script>alert');
    }
  const { rows: after } = await one.app.database.pool.query('select * from auth_users order by id');
  expect(after.map(({ email, name }) => [email, name])).toEqual(
    before.map(({ email, name }) => [email, name]),
  );
});

it('an invitation makes one account, however many accept it at once at two processes', async () => {
  const ada = cookieOf(await signIn(one, site.admin.email, PASSWORD));
  const invitation = { email: `new-${site.site.id}@corp.example`, role: 'agent' };
  const { body } = await one.desk(ada, 'agents.invite', invitation);
  const token = new URL(body.data.url).hash.slice(1);
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      post(n % 2 ? one : two, '/app/invitation/accept', {
        token,
        name: `Grace ${n}`,
        password: PASSWORD,
        role: 'admin',
      }),
    ),
  );
  // An unknown field (`role`) is refused first.
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 400));
  const accepted = await Promise.all(
    Array.from({ length: 6 }, (_, n) =>
      post(n % 2 ? one : two, '/app/invitation/accept', { token, name: `Grace ${n}`, password: PASSWORD }),
    ),
  );
  expect(
    accepted.map(({ status }) => status).filter((status) => status < 300),
    String(accepted.map(({ status }) => status)),
  ).toHaveLength(1);
  const { agents } = (await one.desk(ada, 'agents.list')).body.data;
  expect(agents.filter((agent: Json) => agent.email === invitation.email)).toMatchObject([{ role: 'agent' }]);
});

const signedIn = async (): Promise<string> => cookieOf(await signIn(one, site.admin.email, PASSWORD));

describe('what a provider posts', () => {
  const doctype = `<!DOCTYPE r [<!ENTITY l0 "lol">${Array.from({ length: 9 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join('')}<!ENTITY x SYSTEM "file:///etc/passwd">]>`;
  const xmls: [string, string][] = [
    [
      'entities',
      `${doctype}<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol">&l9;&x;</samlp:Response>`,
    ],
    ['depth', `${'<a>'.repeat(15_000)}${'</a>'.repeat(15_000)}`],
    ['attributes', `<a ${Array.from({ length: 10_000 }, (_, n) => `b${n}="c"`).join(' ')}/>`],
    ['namespaces', `<a ${Array.from({ length: 7_000 }, (_, n) => `xmlns:b${n}="c"`).join(' ')}/>`],
    [
      'many signatures',
      `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol">${'<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:SignedInfo/></ds:Signature>'.repeat(1_200)}</samlp:Response>`,
    ],
    [
      'many transforms',
      `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol"><ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:SignedInfo><ds:Reference URI=""><ds:Transforms>${'<ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xslt-19991116"/>'.repeat(1_400)}</ds:Transforms></ds:Reference></ds:SignedInfo></ds:Signature></samlp:Response>`,
    ],
    [
      'an external reference',
      `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol"><ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:KeyInfo><ds:RetrievalMethod URI="http://127.0.0.1:9/"/></ds:KeyInfo></ds:Signature></samlp:Response>`,
    ],
    ['a processing instruction', `<?xml-stylesheet href="http://127.0.0.1:9/"?><a/>`],
    ['nothing', ''],
    ['a megabyte of nothing', ' '.repeat(1_000_000)],
  ];
  /** For limits, each attack comes from another address. */
  let strangers = 0;
  const from = () => ({ 'x-forwarded-for': `203.0.113.${strangers}` });

  /** A sign-in that has begun: its response is read, unlike an unsolicited one. */
  async function begun(): Promise<string> {
    const made = await one.desk(await signedIn(), 'identity_providers.create', {
      kind: 'saml',
      name: 'Corp',
      issuer: 'https://login.corp.example/entity',
      domains: ['corp.example'],
      saml: { sign_in_url: 'http://127.0.0.1:9/sso', certificates: PROVIDER_CERTIFICATE },
    });
    const { pathname, search } = new URL(made.body.data.sign_in_url);
    const answer = await fetch(one.url + pathname + search, { redirect: 'manual', headers: from() });
    return readRequest(answer.headers.get('location') ?? '').relayState;
  }

  it.each(xmls)('with %s is refused', async (what, xml) => {
    strangers++;
    const state = await begun();
    expect(state).not.toBe('');
    const encoded = Buffer.from(xml).toString('base64');
    const deflated = deflateRawSync(Buffer.from(xml)).toString('base64');
    for (const value of [encoded, deflated, '%%%', encoded.slice(0, 30)])
      for (const relay of [state, 'x', 'https://evil.example/', '"><script>alert(1)</script>']) {
        const answer = await fetch(`${one.url}/app/sso/${site.site.id}/saml`, {
          method: 'POST',
          redirect: 'manual',
          headers: from(),
          body: new URLSearchParams({ SAMLResponse: value, RelayState: relay }),
        });
        const text = await answer.text();
        expect([what, answer.status < 500]).toEqual([what, true]);
        const location = answer.headers.get('location') ?? '';
        expect(location).not.toMatch(/^https?:\/\/evil|^\/\/evil|\/callback/);
        if (relay === state && answer.status !== 413) expect(location).toMatch(/refused=/);
        expect(text).not.toContain('<script>alert');
        expect(cookieOf(answer)).not.toMatch(/session/);
      }
  });

  it('to the callback is reflected nowhere', async () => {
    for (const query of [
      '?error=<script>alert(1)</script>&error_description=<b>',
      '?code=x&state=y',
      '?state=%00',
      `?code=${'x'.repeat(6000)}&state=${'y'.repeat(6000)}`,
      '?code=x&code=y&state=a&state=b',
      '?next=https://evil.example',
      '',
    ])
      for (const path of ['callback', 'start', 'metadata', 'saml']) {
        const answer = await fetch(`${one.url}/app/sso/${site.site.id}/${path}${query}`, {
          redirect: 'manual',
        });
        const text = await answer.text();
        expect([path, query.slice(0, 20), answer.status < 500]).toEqual([path, query.slice(0, 20), true]);
        expect(text).not.toContain('<script>alert');
        expect(answer.headers.get('location') ?? '').not.toMatch(/^https?:\/\/evil/);
      }
  });
});

it('guesses at two processes are counted together', async () => {
  const { email } = site.admin;
  const answers = [];
  for (let n = 0; n < 16; n++) answers.push((await signIn(n % 2 ? one : two, email, `wrong ${n}`)).status);
  expect(answers.filter((status) => status !== 429).length).toBeLessThanOrEqual(10);
});
