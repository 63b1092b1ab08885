import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { answerOf, PASSWORD, startTestApp, type TestApp, type TestSite } from '../app.ts';
import { openBrowser, type TestBrowser } from '../chromium.ts';
import { type Faces, openFaces } from '../faces.ts';
import { freePort } from '../foyer-process.ts';
import { until } from '../harness.ts';
import { type Mailbox, shown, startMailbox } from '../mailbox.ts';
import { startWebsite, type Website } from '../pages.ts';
import { TestSocket } from '../sockets.ts';

// An agent adds a passkey and signs in with it, in a Chromium with a virtual authenticator; and attacks on it.

let browser: TestBrowser;
let app: TestApp;
let mailbox: Mailbox;
let elsewhere: Website;
let site: TestSite;
let url: string;
let desk: Faces;
let authenticator: { session: CDPSession; id: string };
/** How far the server's clock is ahead. */
let ahead = 0;
beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  mailbox = await startMailbox();
  [browser, app, elsewhere] = await Promise.all([
    openBrowser(),
    startTestApp(
      { PORT: String(port), SMTP_URL: mailbox.url, FOYER_MAIL_FROM: 'help@shop.example' },
      { now: () => new Date(Date.now() + ahead) },
    ),
    startWebsite({ '/': '<title>Elsewhere</title>' }),
  ]);
  site = await app.makeSite();
  desk = await openFaces(browser, { cookie: await app.signIn(site.admin.email), url });
  authenticator = await addAuthenticator(desk.page);
});
afterAll(async () => {
  await browser.close();
  await Promise.all([app.close(), mailbox.close(), elsewhere.close()]);
});

async function addAuthenticator(page: Page): Promise<typeof authenticator> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId: id } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { session, id };
}

/** Sets whether somebody touches the authenticator when it asks. */
const present = (enabled: boolean) =>
  authenticator.session.send('WebAuthn.setAutomaticPresenceSimulation', {
    authenticatorId: authenticator.id,
    enabled,
  });

const call = (path: string, body: object, cookie?: string) =>
  fetch(`${url}/app/auth/passkey/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url, ...(cookie && { cookie }) },
    body: JSON.stringify(body),
  });
const askOptions = async (): Promise<{ challenge: string }> =>
  (await call('sign-in-options', {})).json() as Promise<{ challenge: string }>;

interface Assertion {
  id: string;
  response: { userHandle: string };
}
/** The authenticator's response to a challenge, for the open page. */
const assertion = (page: Page, options: object): Promise<Assertion> =>
  page.evaluate<Assertion>(`(async () => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(${JSON.stringify(options)});
    return (await navigator.credentials.get({ publicKey })).toJSON();
  })()`);
const signIn = async (credential: object) => {
  const response = await call('sign-in', { credential });
  const cookie = response.headers.getSetCookie().map((one) => one.split(';')[0]);
  const { status, body } = await answerOf(response);
  return { status, cookie: cookie.join('; '), reason: body.error?.reason };
};
const cookieOf = async (page: Page): Promise<string> =>
  (await page.context().cookies(url)).map(({ name, value }) => `${name}=${value}`).join('; ');
const actions = async (): Promise<string[]> => {
  const { data } = (await app.desk(await app.signIn(site.admin.email), 'audit.list', { subject: 'sign_in' }))
    .body;
  return data.map(({ action }: { action: string }) => action);
};

it('is added under Account, which a mail reports, and then signs in where two factors are required', {
  timeout: 180_000,
}, async () => {
  const { page, look, found, allow } = desk;
  await page.goto(`${url}/app/settings/account`);
  await page.getByRole('button', { name: 'Add passkey' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add passkey' });
  await dialog.getByLabel('Name').fill('Office laptop');
  await dialog.getByLabel('Your password').fill('wrong');
  allow(/status of 400/);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByText('Your password is incorrect').waitFor();
  await look('passkey-add');
  await dialog.getByLabel('Your password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Passkey added').waitFor();
  await page.getByRole('button', { name: 'Rename Office laptop' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Laptop at home');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Rename Laptop at home' }).waitFor();
  await look('passkeys');
  await until(async () => mailbox.received.length > 0);
  const [mail] = mailbox.received;
  expect(mail).toMatchObject({ to: [site.admin.email] });
  expect(mail && shown(mail)).toContain(`A passkey was added to the account of ${site.admin.email}`);

  // The same device already has one.
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await dialog.getByLabel('Your password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByText('This device already has a passkey').waitFor();
  await page.keyboard.press('Escape');

  const admin = await app.signIn(site.admin.email);
  const required = await app.desk(admin, 'site.update', { two_factor_required: true });
  expect(required.status).toBe(200);
  expect((await app.desk(admin, 'inbox.counts')).status).toBe(403);
  allow(/status of 40[13]/);
  await page.context().clearCookies();
  // The list under the field: with this authenticator, the browser chooses the only passkey as soon as it can.
  await page.goto(`${url}/app/inbox`);
  await page.getByRole('heading', { name: 'Inbox' }).first().waitFor();
  await page.context().clearCookies();
  await present(false);
  const offered = page.waitForResponse('**/passkey/sign-in-options');
  await page.goto(`${url}/app/reports`);
  await offered;
  const button = page.getByRole('button', { name: 'Use a passkey' });
  await button.waitFor();
  await look('sign-in-passkey');
  // When the button requests its own challenge, it has aborted the list.
  await page.route('**/passkey/sign-in-options', async (route) => {
    await present(true);
    await route.continue();
  });
  await button.click();
  await page.getByRole('heading', { name: 'Reports' }).waitFor();
  await page.unroute('**/passkey/sign-in-options');
  expect((await app.desk(await cookieOf(page), 'inbox.counts')).status).toBe(200);
  expect((await app.desk(admin, 'site.update', { two_factor_required: false })).status).toBe(403);
  await app.desk(await cookieOf(page), 'site.update', { two_factor_required: false });
  expect(await actions()).toEqual(expect.arrayContaining(['sign_in.passkey', 'sign_in.passkey_added']));
  await page.goto(`${url}/app/settings/agents`);
  await page.getByText('2FA', { exact: true }).waitFor();
  expect(found).toEqual([]);
});

it('signs in once per challenge, and only from a page of this server', {
  timeout: 120_000,
}, async () => {
  const { page } = desk;
  const options = await askOptions();
  const good = await assertion(page, options);
  const answers = await Promise.all([signIn(good), signIn(good)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
  expect(await signIn(good)).toMatchObject({ status: 401, reason: 'passkey_refused', cookie: '' });

  // Another website of the same host: the browser signs with its origin.
  const other = await askOptions();
  await page.goto(elsewhere.url.replace('127.0.0.1', 'localhost'));
  expect(await signIn(await assertion(page, other))).toMatchObject({
    status: 401,
    reason: 'passkey_refused',
  });
  await page.goto(`${url}/app/settings/account`);

  // Challenges from somebody else, and for another purpose.
  const own = { ...other, challenge: Buffer.from('chosen.9999999999999.by me').toString('base64url') };
  expect((await signIn(await assertion(page, own))).status).toBe(401);
  const cookie = await cookieOf(page);
  const registration = await (await call('register-options', { password: PASSWORD }, cookie)).json();
  const crossed = { ...other, challenge: (registration as { challenge: string }).challenge };
  expect((await signIn(await assertion(page, crossed))).status).toBe(401);

  const late = await assertion(page, await askOptions());
  ahead += 5 * 60_000;
  expect((await signIn(late)).status).toBe(401);
});

it('is two factors: a device that has not verified its user signs nobody in', {
  timeout: 60_000,
}, async () => {
  const { session, id } = authenticator;
  ahead += 60_000;
  await session.send('WebAuthn.setUserVerified', { authenticatorId: id, isUserVerified: false });
  const options = { ...(await askOptions()), userVerification: 'discouraged' };
  const touched = await assertion(desk.page, options);
  expect(await signIn(touched)).toMatchObject({ status: 401, reason: 'passkey_refused' });
  await session.send('WebAuthn.setUserVerified', { authenticatorId: id, isUserVerified: true });
  expect((await signIn(await assertion(desk.page, await askOptions()))).status).toBe(200);
});

it('belongs to one person: nobody else can use, rename or remove it', { timeout: 60_000 }, async () => {
  ahead += 60_000;
  const colleague = await app.makeSite();
  const cookie = await app.signIn(colleague.admin.email);
  const list = await fetch(`${url}/app/auth/passkey/list`, {
    headers: { cookie: await cookieOf(desk.page) },
  });
  const [{ id }] = (await list.json()) as [{ id: string }];
  expect((await call('rename', { id, name: 'mine' }, cookie)).status).toBe(404);
  expect((await call('remove', { id, password: PASSWORD }, cookie)).status).toBe(404);
  const theirs = await assertion(desk.page, await askOptions());
  const theirAccount = colleague.operator.db.selectFrom('auth_users').select('id');
  const other = await theirAccount.where('email', '=', colleague.admin.email).executeTakeFirstOrThrow();
  const userHandle = Buffer.from(other.id).toString('base64url');
  expect((await signIn({ ...theirs, response: { ...theirs.response, userHandle } })).status).toBe(401);
  expect((await signIn({ ...theirs, id: 'AAAA', rawId: 'AAAA' })).status).toBe(401);
  // A registered passkey can't be claimed for another account.
  const made = await call('register', { name: 'copy', credential: theirs }, cookie);
  expect(made.status).toBe(400);
});

it('opens no site that enforces its identity provider', { timeout: 60_000 }, async () => {
  ahead += 60_000;
  const { db } = site.operator;
  const provider = await db
    .insertInto('identity_providers')
    .values({
      site_id: site.site.id,
      name: 'Corp',
      issuer: 'https://login.corp.example',
      client_id: 'foyer',
      client_secret_cipher: Buffer.of(0),
      domains: ['example.com'],
      creates_agents: false,
      default_role: 'agent',
      refuses_passwords_at: new Date(),
      created_at: new Date(),
      updated_at: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const opened = await cookieOf(desk.page);
  expect((await app.desk(opened, 'me.get')).status).toBe(401);
  const refused = await signIn(await assertion(desk.page, await askOptions()));
  expect(refused).toMatchObject({ status: 401, reason: 'sign_in_with_provider', cookie: '' });
  await db
    .deleteFrom('identity_providers')
    .where('site_id', '=', site.site.id)
    .where('id', '=', provider.id)
    .execute();
});

it('removing it ends its sessions, and it no longer signs anybody in', { timeout: 120_000 }, async () => {
  ahead += 60_000;
  const { page, look } = desk;
  const open = await signIn(await assertion(page, await askOptions()));
  const socket = await TestSocket.agent(url, open.cookie);
  const pending = await assertion(page, await askOptions());
  await page.goto(`${url}/app/settings/account`);
  await page.getByRole('button', { name: 'Remove Laptop at home' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Your password').fill(PASSWORD);
  await look('passkey-remove');
  const before = mailbox.received.length;
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await page.getByText('Passkey Laptop at home removed').waitFor();
  await until(async () => socket.closed !== undefined);
  expect((await app.desk(open.cookie, 'me.get')).status).toBe(401);
  // The browser that removed it stays signed in.
  expect((await app.desk(await cookieOf(page), 'me.get')).status).toBe(200);
  expect((await signIn(pending)).status).toBe(401);
  await until(async () => mailbox.received.length > before);
  const mail = mailbox.received.at(-1);
  expect(mail && shown(mail)).toContain(`A passkey was removed from the account of ${site.admin.email}`);
  expect(await actions()).toContain('sign_in.passkey_removed');
  // The browser still offers it.
  await page.context().clearCookies();
  await page.goto(`${url}/app/sign-in`);
  await page.getByText('This passkey isn’t valid here.').waitFor();
});

it('meets the requirement of a second factor instead of an app', { timeout: 120_000 }, async () => {
  ahead += 60_000;
  const { page, context } = desk;
  const db = site.operator.db.updateTable('sites').where('id', '=', site.site.id);
  await db.set({ two_factor_required_at: new Date() }).execute();
  await context.clearCookies();
  await page.goto(`${url}/app/inbox`);
  await page.getByLabel('Email').fill(site.admin.email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Create a passkey instead' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add passkey' });
  await dialog.getByLabel('Your password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Inbox' }).first().waitFor();
  expect((await app.desk(await cookieOf(page), 'inbox.counts')).status).toBe(200);
});
