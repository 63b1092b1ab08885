import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { makeAgent } from '../../../test/accounts.ts';
import { type Answer, type Json, startTestApp, type TestApp, type TestSite } from '../../../test/app.ts';
import { silentLog, TEST_SECRET, until } from '../../../test/harness.ts';
import { type ImapServer, startImapServer } from '../../../test/imap-server.ts';
import { type Mailbox, startMailbox } from '../../../test/mailbox.ts';
import { OAUTH_CLIENT, type OAuthServer, startOAuthServer } from '../../../test/oauth-server.ts';
import { createApp } from '../../app/app.ts';
import { readConfig } from '../../config.ts';

const ENVIRONMENT = {
  FOYER_WEBHOOK_ALLOW_PRIVATE: 'true',
  FOYER_GOOGLE_CLIENT_ID: OAUTH_CLIENT.id,
  FOYER_GOOGLE_CLIENT_SECRET: OAUTH_CLIENT.secret,
};

let oauth: OAuthServer;
let imap: ImapServer;
let smtp: Mailbox;
let app: TestApp;
let site: TestSite;
let cookie: string;
let address: string;
let id: number;
let number = 0;

const endpoints = () => ({ google: oauth.endpoints(imap.port, Number(new URL(smtp.url).port)) });
beforeAll(async () => {
  oauth = await startOAuthServer();
  [imap, smtp] = await Promise.all([
    startImapServer({ accepts: oauth.accepts }),
    startMailbox(oauth.accepts),
  ]);
  app = await startTestApp(ENVIRONMENT, { mailEndpoints: endpoints() });
});
beforeEach(async () => {
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
  address = `help${++number}@shop.example`;
  id = (await create({})).body.data.id;
});
afterEach(() => oauth.behave({}));
afterAll(async () => {
  await app.close();
  await Promise.all([oauth.close(), imap.close(), smtp.close()]);
});

const create = (more: object): Promise<Answer> =>
  app.rest(site.write, 'POST', '/v1/mailboxes', {
    address,
    sign_in: 'google',
    imap: { user: address },
    smtp: { user: address },
    ...more,
  });
const mailbox = async (): Promise<Json> =>
  (await app.rest(site.read, 'GET', `/v1/mailboxes?id=${id}`)).body.data;
const begin = async (as = cookie): Promise<string> =>
  (await app.desk(as, 'mailboxes.begin_sign_in', { id })).body.data.url;
const finish = (returned: URLSearchParams, as = cookie): Promise<Answer> =>
  app.desk(as, 'mailboxes.finish_sign_in', {
    id,
    code: returned.get('code'),
    state: returned.get('state'),
  });
const signIn = async (account = address): Promise<Answer> =>
  finish(await oauth.signIn(await begin(), account));
const test = async (url = app.url): Promise<Json> => {
  const response = await fetch(`${url}/app/api/mailboxes.test`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie, origin: url },
    body: JSON.stringify({ id }),
  });
  return ((await response.json()) as Json).data.results;
};
const WORKS = [
  { protocol: 'imap', ok: true, problem: null },
  { protocol: 'smtp', ok: true, problem: null },
];

it('an admin signs in, both servers accept the mailbox, and no token leaves the server', async () => {
  expect(await mailbox()).toMatchObject({
    sign_in: 'google',
    signed_in_utc: null,
    imap: { host: '127.0.0.1' },
  });
  expect((await test())[0].problem).toBe(
    'Authorization: nobody has signed in with Google for this mailbox yet.',
  );
  const asked = new URL(await begin()).searchParams;
  expect(Object.fromEntries(asked)).toMatchObject({
    scope: 'https://mail.google.com/',
    access_type: 'offline',
    login_hint: address,
    code_challenge_method: 'S256',
  });
  const signedIn = await signIn();
  expect(signedIn.body.data).toMatchObject({ signed_in_utc: expect.any(String), failing_since_utc: null });
  expect(await test()).toEqual(WORKS);
  const { rows } = await app.app.database.pool.query('select * from mailbox_sign_ins where mailbox_id = $1', [
    id,
  ]);
  const { vault } = site.operator.services;
  const tokens = [vault.open(rows[0].refresh_token_cipher), vault.open(rows[0].access_token_cipher)];
  const audit = await app.desk(cookie, 'audit.list', { subject: 'mailbox' });
  expect(JSON.stringify(audit.body)).toContain('mailboxes.finish_sign_in');
  const all = JSON.stringify([signedIn.body, audit.body, await mailbox(), rows]);
  for (const token of tokens) expect(all).not.toContain(token);
});

it('two processes whose token is refused at the same time refresh it once', async () => {
  const config = readConfig({ PORT: '0', FOYER_ROLE: 'web', ...ENVIRONMENT });
  const { databaseUrl } = app;
  const options = { config, databaseUrl, secret: TEST_SECRET, log: silentLog, mailEndpoints: endpoints() };
  const other = await createApp(options);
  try {
    const url = await other.listen();
    await signIn();
    const before = oauth.refreshes(address);
    const logins = imap.logins;
    oauth.expireTokens();
    oauth.hold(true);
    const tests = [test(), test(url)];
    // Both have been refused.
    await until(async () => oauth.refreshes(address) > before && imap.logins >= logins + 2);
    await mailbox();
    oauth.hold(false);
    expect(await Promise.all(tests)).toEqual([WORKS, WORKS]);
    expect(oauth.refreshes(address)).toBe(before + 1);
  } finally {
    oauth.hold(false);
    await other.close();
  }
});

it('a token is refreshed before it expires', async () => {
  await signIn();
  await app.app.database.pool.query(
    "update mailbox_sign_ins set access_expires_at = now() + interval '1 minute' where mailbox_id = $1",
    [id],
  );
  const before = oauth.refreshes(address);
  expect(await test()).toEqual(WORKS);
  expect(oauth.refreshes(address)).toBe(before + 1);
});

it('a revoked grant fails with the reason, at once and without another request, until somebody signs in', async () => {
  await signIn();
  oauth.revoke(address);
  const problem =
    'Authorization: Google no longer accepts this sign-in. Sign in again. The server says: Token has been expired or revoked.';
  expect(await test()).toMatchObject([{ problem }, { problem }]);
  expect((await mailbox()).signed_in_utc).toBe(null);
  await until(async () => (await mailbox()).problem === problem);
  const notices = async () =>
    (await app.desk(cookie, 'notifications.list')).body.data.notifications
      .filter(({ seen_utc }: Json) => seen_utc === null)
      .map(({ kind }: Json) => kind);
  await until(async () => (await notices()).includes('mailbox_failing'));
  const before = oauth.refreshes(address);
  await test();
  expect(oauth.refreshes(address)).toBe(before);
  expect((await signIn()).status).toBe(200);
  expect(await test()).toEqual(WORKS);
  await until(async () => (await mailbox()).checked_utc !== null);
  expect(await notices()).not.toContain('mailbox_failing');
});

it.each([
  [{ isDown: true }, /^Authorization: Google gave no access token \(.+\)\.$/],
  [{ withoutClient: true }, /^Authorization: Google doesn’t accept this installation’s client ID and secret/],
])('with a provider that is %j, the sign-in is kept until it works again', async (behaviour, problem) => {
  await signIn();
  oauth.expireTokens();
  oauth.behave(behaviour);
  expect((await test()).map((one: Json) => one.problem)).toEqual([
    expect.stringMatching(problem),
    expect.stringMatching(problem),
  ]);
  const refused = (await signIn()).body.error;
  expect(refused).toMatchObject({
    reason: 'mailbox_sign_in_failed',
    values: { detail: expect.stringMatching(problem) },
  });
  expect((await mailbox()).signed_in_utc).not.toBe(null);
  oauth.behave({});
  expect(await test()).toEqual(WORKS);
});

it('an account that can’t open the mailbox is refused, and one that it is shared with is not', async () => {
  expect((await signIn('ada@shop.example')).body.error).toMatchObject({
    reason: 'mailbox_account',
    values: { name: 'Google', user: address },
  });
  expect((await mailbox()).signed_in_utc).toBe(null);
  oauth.share(address, 'ada@shop.example');
  expect((await signIn('ada@shop.example')).status).toBe(200);
});

it('a sign-in can be finished only in the session that began it, with its own state and code', async () => {
  const returned = await oauth.signIn(await begin(), address);
  const again = await app.signIn(site.admin.email);
  expect((await finish(returned, again)).body.error.reason).toBe('mailbox_sign_in_expired');
  const forged = new URLSearchParams({ code: returned.get('code') ?? '', state: `${id}.${btoa('{}')}` });
  expect((await finish(forged)).body.error.reason).toBe('mailbox_sign_in_expired');
  const other = new URLSearchParams({
    code: (await oauth.signIn(await begin(again), address)).get('code') ?? '',
    state: returned.get('state') ?? '',
  });
  expect((await finish(other)).body.error.reason).toBe('mailbox_sign_in_failed');
  expect((await finish(returned)).status).toBe(200);
  expect((await finish(returned)).body.error.reason).toBe('mailbox_sign_in_failed');
});

it('a sign-in of another mailbox is refused for this one', async () => {
  const returned = await oauth.signIn(await begin(), address);
  address = `help${++number}@shop.example`;
  id = (await create({})).body.data.id;
  expect((await finish(returned)).body.error.reason).toBe('mailbox_sign_in_expired');
});

it('a sign-in without a refresh token, or without access to mail, is refused', async () => {
  oauth.behave({ withoutRefresh: true });
  expect((await signIn()).body.error.reason).toBe('mailbox_refresh_token');
  oauth.behave({ withoutScopes: true });
  expect((await signIn()).body.error.reason).toBe('mailbox_sign_in_scopes');
});

it('tokens are sent to no other server, and a password replaces them', async () => {
  await signIn();
  const path = `/v1/mailboxes?id=${id}`;
  const change = (body: object) => app.rest(site.write, 'PATCH', path, body);
  const elsewhere = { host: 'imap.attacker.example', user: address };
  expect((await change({ imap: elsewhere })).status).toBe(400);
  expect((await app.desk(cookie, 'mailboxes.test', { id, imap: elsewhere })).status).toBe(400);
  const smtpElsewhere = { host: 'localhost', port: Number(new URL(smtp.url).port), user: address };
  await change({ smtp: smtpElsewhere });
  expect((await test())[1].problem).toMatch(/^Login: /);
  const { rows } = await app.app.database.pool.query('select from mailbox_sign_ins where mailbox_id = $1', [
    id,
  ]);
  expect(rows).toHaveLength(1);
  const withPassword = { ...elsewhere, host: '127.0.0.1', password: 'open' };
  expect((await change({ sign_in: 'password', imap: withPassword })).body.data.sign_in).toBe('password');
  const left = await app.app.database.pool.query('select from mailbox_sign_ins where mailbox_id = $1', [id]);
  expect(left.rows).toHaveLength(0);
});

it('only admins sign mailboxes in, and only with providers that the operator has registered', async () => {
  const email = `ben${number}@shop.example`;
  await makeAgent(site.operator, { email, name: 'Ben' });
  const agent = await app.signIn(email);
  for (const name of ['mailboxes.begin_sign_in', 'mailboxes.finish_sign_in', 'mailboxes.providers'])
    expect((await app.desk(agent, name, { id, code: 'x', state: 'x' })).status).toBe(403);
  expect((await app.desk(cookie, 'mailboxes.providers')).body.data).toEqual({
    providers: [
      { id: 'google', is_set_up: true },
      { id: 'microsoft', is_set_up: false },
    ],
    redirect_url: expect.stringMatching(/\/app\/settings\/mailboxes\/sign-in$/),
  });
  await app.rest(site.write, 'PATCH', `/v1/mailboxes?id=${id}`, {
    sign_in: 'microsoft',
    imap: { user: address },
  });
  expect((await app.desk(cookie, 'mailboxes.begin_sign_in', { id })).body.error).toMatchObject({
    reason: 'mailbox_sign_in_failed',
  });
});
