import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type Answer,
  type Json,
  PASSWORD,
  startTestApp,
  type TestApp,
  type TestSite,
} from '../../../test/app.ts';
import { codeOf } from '../../../test/authenticator.ts';
import { until } from '../../../test/harness.ts';
import { type Mailbox, type ReceivedMail, shown, startMailbox } from '../../../test/mailbox.ts';
import { TestSocket } from '../../../test/sockets.ts';
import { addAgent } from '../../sites/agents/agents.ts';
import { inviteAgent } from '../../sites/agents/invitations.ts';
import { newSetupLink } from '../../sites/sign-in/setup.ts';

const BASE_URL = 'http://desk.shop.example';
const LINK = /http:\/\/desk\.shop\.example\/app\/reset-password#([\w-]{43})/;
const NEW_PASSWORD = 'lamp shade in march';
const HOUR_MS = 3_600_000;

let mailbox: Mailbox;
let app: TestApp;
/** Sends no mail of its own. */
let bare: TestApp;
let site: TestSite;
let time = Date.now();
beforeAll(async () => {
  mailbox = await startMailbox();
  const now = () => new Date(time);
  [app, bare] = await Promise.all([
    startTestApp(
      { FOYER_BASE_URL: BASE_URL, SMTP_URL: mailbox.url, FOYER_MAIL_FROM: 'help@shop.example' },
      { now },
    ),
    startTestApp({ FOYER_BASE_URL: BASE_URL }, { now }),
  ]);
});
afterAll(async () => {
  await Promise.all([app.close(), bare.close()]);
  await mailbox.close();
});
beforeEach(async () => {
  // Every test has attempts of its own.
  time += HOUR_MS;
  mailbox.received.length = 0;
  site = await app.makeSite();
});

async function post(path: string, body: object = {}, headers = {}, to = app): Promise<Answer> {
  const response = await fetch(`${to.url}/app/password/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: BASE_URL, ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

const mailsTo = (address: string): ReceivedMail[] =>
  mailbox.received.filter(({ to }) => to.includes(address));
const tokenIn = (mail: ReceivedMail | undefined): string => LINK.exec(mail ? shown(mail) : '')?.[1] ?? '';

/** The token of the next link that is mailed to the address. */
async function requested(email: string): Promise<string> {
  const before = mailsTo(email).length;
  expect((await post('request', { email })).status).toBe(200);
  await until(async () => mailsTo(email).length > before);
  return tokenIn(mailsTo(email).at(-1));
}

/** Waits until this many mails about passwords have been sent or left unsent. */
const jobsDone = (of: TestApp, count: number): Promise<void> =>
  until(async () => {
    const { rows } = await sql`
      select from foyer_jobs.job where name = 'mail.password' and state = 'completed'`.execute(
      of.app.database.db,
    );
    return rows.length >= count;
  });

test('an unknown address gets the response of a known one, and no mail', async () => {
  const { email } = site.admin;
  const unknown = await post('request', { email: 'nobody@example.com' });
  const known = await post('request', { email: ` ${email.toUpperCase()} ` });
  expect(unknown.status).toBe(200);
  expect({ ...known.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' });
  await until(async () => mailsTo(email).length > 0);
  expect(mailbox.received.map(({ to }) => to)).toEqual([[email]]);
});

test('a link sets the password once, ends all sessions and their sockets, and is reported by mail and in the log', async () => {
  const { email } = site.admin;
  const cookie = await app.signIn(email);
  const socket = await TestSocket.agent(app.url, cookie);
  const token = await requested(email);
  expect((await post('check', { token })).body.data).toEqual({ email });
  const closed = socket.whenClosed();
  expect((await post('reset', { token, password: NEW_PASSWORD })).status).toBe(200);
  await closed;
  expect((await app.desk(cookie, 'me.get')).status).toBe(401);
  await expect(app.signIn(email, PASSWORD)).rejects.toThrow('401');

  const entered = await app.signIn(email, NEW_PASSWORD);
  const { data: entries } = (await app.desk(entered, 'audit.list')).body;
  const reset = { action: 'sign_in.password_reset', subject_id: site.admin.agentId };
  expect(entries).toContainEqual(expect.objectContaining(reset));
  await until(async () => mailsTo(email).length > 1);
  const notice = mailsTo(email).at(-1);
  expect(notice?.headers.subject).toBe('Your password for Lantern & Loom was changed');
  expect(notice && shown(notice)).toContain(`${BASE_URL}/app/forgot-password`);
  expect(tokenIn(notice)).toBe('');

  const again = await post('reset', { token, password: 'another good password' });
  expect(again.status).toBe(404);
  expect(again.body.error).toMatchObject({ reason: 'reset_link_spent' });
  expect((await post('check', { token })).status).toBe(404);
  await app.signIn(email, NEW_PASSWORD);
});

test('of two uses at once only one sets the password', async () => {
  const token = await requested(site.admin.email);
  const answers = await Promise.all(
    [NEW_PASSWORD, 'another good password'].map((password) => post('reset', { token, password })),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404]);
});

test('a new link replaces the one before, and expires after an hour', async () => {
  const { email } = site.admin;
  const first = await requested(email);
  const second = await requested(email);
  expect((await post('check', { token: first })).status).toBe(404);
  expect((await post('reset', { token: first, password: NEW_PASSWORD })).status).toBe(404);
  time += HOUR_MS - 1000;
  expect((await post('check', { token: second })).status).toBe(200);
  time += 1000;
  expect((await post('check', { token: second })).status).toBe(404);
  expect((await post('reset', { token: second, password: NEW_PASSWORD })).status).toBe(404);
  await app.signIn(email, PASSWORD);
});

test('neither the database nor its queue contains the token, and no host header gets into the link', async () => {
  const { email } = site.admin;
  await post('request', { email }, { host: 'evil.example', 'x-forwarded-host': 'evil.example' });
  await until(async () => mailsTo(email).length > 0);
  const [mail] = mailsTo(email);
  const token = tokenIn(mail);
  expect(token).not.toBe('');
  expect(mail && shown(mail)).not.toContain('evil.example');
  const { rows } = await sql<{ text: string }>`
    select v::text as text from auth_verifications v union all select j::text from foyer_jobs.job j`.execute(
    app.app.database.db,
  );
  expect(rows.length).toBeGreaterThan(1);
  expect(rows.map(({ text }) => text).join()).not.toContain(token);
});

test('the second factor stays: the new password alone opens nothing', async () => {
  const { email } = site.admin;
  const auth = (path: string, body: object, cookie = '') =>
    fetch(`${app.url}/app/auth/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: BASE_URL, cookie },
      body: JSON.stringify(body),
    });
  const cookie = await app.signIn(email);
  const begun = await auth('two-factor/enable', { password: PASSWORD }, cookie);
  const { totpURI }: Json = await begun.json();
  await auth('two-factor/verify-totp', { code: codeOf(totpURI, -1) }, cookie);
  // A person with the old password waits at the second step.
  const half = await auth('sign-in/email', { email, password: PASSWORD });
  const halfCookie = half.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  const token = await requested(email);
  expect((await post('reset', { token, password: NEW_PASSWORD })).status).toBe(200);
  expect((await auth('two-factor/verify-totp', { code: codeOf(totpURI) }, halfCookie)).status).toBe(401);
  const answer = await auth('sign-in/email', { email, password: NEW_PASSWORD });
  expect(await answer.json()).toMatchObject({ twoFactorRedirect: true });
});

test('the mail is in the agent’s own language, else in the site’s', async () => {
  const { email } = site.admin;
  const { db } = app.app.database;
  await db.updateTable('sites').set({ language: 'fr' }).where('id', '=', site.site.id).execute();
  await requested(email);
  expect(shown(mailsTo(email)[0] as ReceivedMail)).toContain('Choisir un nouveau mot de passe');
  await db.updateTable('agents').set({ language: 'de' }).where('id', '=', site.admin.agentId).execute();
  await requested(email);
  expect(shown(mailsTo(email)[1] as ReceivedMail)).toContain('Neues Passwort festlegen');
});

test('a person who was removed from their last site gets no link', async () => {
  const { email } = site.admin;
  const { db } = app.app.database;
  await db
    .updateTable('agents')
    .set({ removed_at: new Date() })
    .where('id', '=', site.admin.agentId)
    .execute();
  expect((await post('request', { email })).status).toBe(200);
  const other = await app.makeSite();
  await requested(other.admin.email);
  expect(mailsTo(email)).toEqual([]);
});

test('the sixth link of an account in an hour is refused, known or not, and the 21st of an address', async () => {
  for (const email of [site.admin.email, 'nobody@example.com']) {
    for (let at = 0; at < 5; at += 1) expect((await post('request', { email })).status).toBe(200);
    const refused = await post('request', { email });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  time += 60_000;
  const others = Array.from({ length: 9 }, (_, at) => `nobody${at}@example.com`);
  const statuses: number[] = [];
  for (const email of others) statuses.push((await post('request', { email })).status);
  expect(statuses).toEqual([...Array(8).fill(200), 429]);
});

test('another page can neither request nor use a link', async () => {
  const { email } = site.admin;
  const token = await requested(email);
  const headers = { origin: 'http://evil.test' };
  expect((await post('request', { email }, headers)).status).toBe(403);
  expect((await post('reset', { token, password: NEW_PASSWORD }, headers)).status).toBe(403);
  expect((await post('check', { token })).status).toBe(200);
});

test('a password that is easy to guess is refused wherever one is chosen, and the link stays', async () => {
  const { email } = site.admin;
  const easy = (path: string) => ({ path, message: 'is too easy to guess', reason: 'easy_password' });
  const token = await requested(email);
  for (const password of ['password123', 'lantern & loom', email]) {
    const refused = await post('reset', { token, password });
    expect(refused.status).toBe(400);
    expect(refused.body.error.issues).toEqual([easy('password')]);
  }
  const send = async (path: string, body: object, cookie = '') => {
    const response = await fetch(`${app.url}/app/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: BASE_URL, cookie },
      body: JSON.stringify(body),
    });
    const { error }: Json = await response.json();
    return error?.issues;
  };
  const cookie = await app.signIn(email);
  const change = { currentPassword: PASSWORD, newPassword: 'LanternLoom1' };
  expect(await send('auth/change-password', change, cookie)).toEqual([easy('newPassword')]);
  const admin = app.app.contextFor(site.site, {
    kind: 'agent',
    agentId: site.admin.agentId,
    name: 'Ada',
    role: 'admin',
  });
  const { url } = await inviteAgent(admin, { email: 'grace@example.com', role: 'agent' });
  const invited = { token: url.split('#')[1], name: 'Grace Hopper', password: 'gracehopper1' };
  expect(await send('invitation/accept', invited)).toEqual([easy('password')]);
  expect((await post('reset', { token, password: NEW_PASSWORD })).status).toBe(200);
});

test('the setup refuses the name of the site as a password, and stays open', async () => {
  const { db } = bare.app.database;
  await db.deleteFrom('sites').execute();
  const token = (await newSetupLink(db, BASE_URL))?.split('#')[1];
  const set = async (password: string): Promise<Json> => {
    const response = await fetch(`${bare.url}/app/setup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: BASE_URL },
      body: JSON.stringify({
        token,
        name: 'Ada',
        email: 'ada@example.com',
        password,
        site_name: 'Kettle Club',
      }),
    });
    return response.json();
  };
  expect((await set('kettleclub1')).error.issues).toMatchObject([
    { path: 'password', reason: 'easy_password' },
  ]);
  expect(await set(PASSWORD)).toMatchObject({ ok: true });
});

test('without a mail server the page says so; a site’s own serves only people who work for that site alone', async () => {
  const options = async (of: TestApp) => (await post('options', {}, {}, of)).body.data;
  const [own, shared] = [await bare.makeSite(), await bare.makeSite()];
  expect(await options(app)).toEqual({ mail: true });
  expect(await options(bare)).toEqual({ mail: false });
  const { hostname, port } = new URL(mailbox.url);
  const server = { host: hostname, port: Number(port), security: 'starttls', user: null };
  const cookie = await bare.signIn(own.admin.email);
  await bare.desk(cookie, 'mail.set', { ...server, from_name: null, from_address: 'help@shop.example' });
  expect(await options(bare)).toEqual({ mail: true });

  // An admin of one site who reads its mail must not get into another.
  await addAgent(shared.operator, { email: own.admin.email, name: 'Ada', role: 'agent' });
  const solo = `solo-${own.site.id}@example.com`;
  await addAgent(own.operator, { email: solo, name: 'Ben', password: PASSWORD, role: 'agent' });
  for (const email of [own.admin.email, solo])
    expect((await post('request', { email }, {}, bare)).status).toBe(200);
  await jobsDone(bare, 2);
  expect(mailbox.received.map(({ to }) => to)).toEqual([[solo]]);
  expect(tokenIn(mailbox.received[0])).not.toBe('');
});
