import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Json, PASSWORD, startTestApp, type TestApp, type TestSite } from '../../test/app.ts';
import { until } from '../../test/harness.ts';
import { type Mailbox, type ReceivedMail, shown, startMailbox } from '../../test/mailbox.ts';

const BASE_URL = 'http://desk.shop.example';
const LINK = /http:\/\/desk\.shop\.example\/app\/invitation#([\w-]{43})/;
const DAY_MS = 86_400_000;

let mailbox: Mailbox;
let app: TestApp;
let bare: TestApp;
let site: TestSite;
let admin: string;
let ahead = 0;
let number = 0;
beforeAll(async () => {
  mailbox = await startMailbox();
  const now = () => new Date(Date.now() + ahead);
  const address = { FOYER_BASE_URL: BASE_URL };
  [app, bare] = await Promise.all([
    startTestApp({ ...address, SMTP_URL: mailbox.url, FOYER_MAIL_FROM: 'help@shop.example' }, { now }),
    startTestApp(address, { now }),
  ]);
});
afterAll(async () => {
  await Promise.all([app.close(), bare.close()]);
  await mailbox.close();
});
beforeEach(async () => {
  site = await app.makeSite();
  admin = await app.signIn(site.admin.email);
});

const newEmail = (): string => `invited${++number}@example.com`;
const mailsTo = (address: string): ReceivedMail[] =>
  mailbox.received.filter(({ to }) => to.includes(address));
const tokenOf = (text: string): string => LINK.exec(text)?.[1] ?? '';
const invite = async (email: string, role = 'agent'): Promise<Json> =>
  (await app.desk(admin, 'agents.invite', { email, role })).body.data;
const team = async (): Promise<Json> => (await app.desk(admin, 'agents.list')).body.data;
const stateOf = async (email: string): Promise<Json> =>
  (await team()).invitations.find((one: Json) => one.email === email);

async function accept(token: string): Promise<number> {
  const response = await fetch(`${app.url}/app/invitation/accept`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: BASE_URL },
    body: JSON.stringify({ token, name: 'Grace', password: PASSWORD }),
  });
  return response.status;
}

it('mails the link in the language of the site, shows its state, and the link works once', async () => {
  await app.desk(admin, 'site.update', { language: 'de' });
  const email = newEmail();
  const made = await invite(email, 'admin');
  expect(made.invitation).toMatchObject({ state: 'open', mail: 'queued' });
  await until(async () => (await stateOf(email))?.mail === 'sent');
  const [mail] = mailsTo(email);
  expect(mail?.headers.subject).toBe('Einladung zu Lantern & Loom');
  const text = mail ? shown(mail) : '';
  expect(text).toContain('Ada lädt Sie ein, dem Team von Lantern & Loom beizutreten.');
  expect(tokenOf(text)).toBe(tokenOf(made.url));
  // Neither the queue nor the database contains the token.
  const { rows } = await sql<{ data: string }>`select data::text from foyer_jobs.job`.execute(
    site.operator.db,
  );
  expect(rows.filter(({ data }) => data?.includes(tokenOf(made.url)))).toEqual([]);
  expect(await accept(tokenOf(text))).toBe(201);
  expect(await accept(tokenOf(text))).toBe(404);
  const { invitations, accepted_invitations: accepted } = await team();
  expect(invitations).toEqual([]);
  expect(accepted).toMatchObject([{ email, state: 'accepted', mail: 'sent', role: 'admin' }]);
});

it('sends another link again, which replaces the first; an expired one stays in the list until then', async () => {
  const email = newEmail();
  const first = await invite(email);
  await until(async () => mailsTo(email).length === 1);
  ahead += 8 * DAY_MS;
  expect(await stateOf(email)).toMatchObject({ state: 'expired' });
  expect(await accept(tokenOf(first.url))).toBe(404);
  await invite(email);
  await until(async () => mailsTo(email).length === 2);
  expect((await team()).invitations).toMatchObject([{ email, state: 'open' }]);
  const [, second] = mailsTo(email);
  expect(await accept(tokenOf(second ? shown(second) : ''))).toBe(201);
});

it('neither mails nor accepts a revoked invitation', async () => {
  const email = newEmail();
  const { invitation, url } = await invite(email);
  expect((await app.desk(admin, 'agents.revoke_invitation', { id: invitation.id })).status).toBe(200);
  expect(await stateOf(email)).toBeUndefined();
  expect(await accept(tokenOf(url))).toBe(404);
});

it('mails one address three times a day, and afterwards only shows the link', async () => {
  const email = newEmail();
  const states = [];
  for (let time = 0; time < 4; time++) states.push((await invite(email)).invitation.mail);
  expect(states).toEqual(['queued', 'queued', 'queued', 'none']);
  ahead += DAY_MS + 1_000;
  expect((await invite(email)).invitation.mail).toBe('queued');
});

it('shows that an email was refused, and without a mail server the link alone', async () => {
  const email = newEmail();
  mailbox.refuseWith({ code: 550, at: 'rcpt', to: email });
  await invite(email);
  await until(async () => (await stateOf(email))?.mail === 'failed');
  const alone = await bare.makeSite();
  const cookie = await bare.signIn(alone.admin.email);
  const made = (await bare.desk(cookie, 'agents.invite', { email: newEmail() })).body.data;
  expect(made.invitation).toMatchObject({ state: 'open', mail: 'none' });
  expect(tokenOf(made.url)).not.toBe('');
});
