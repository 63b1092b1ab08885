import type { MailSetup } from '@foyer/protocol';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestApp, type TestApp, type TestSite } from '../../test/app.ts';
import { until } from '../../test/harness.ts';
import { type Mailbox, startMailbox } from '../../test/mailbox.ts';
import { openChat } from '../../test/stand.ts';
import { notifyAdmin } from '../webhooks/disabling.ts';
import { noteMailFailure } from './failures.ts';

const BASE_URL = 'http://desk.shop.example';

let app: TestApp;
let mailbox: Mailbox;
let site: TestSite;
let cookie: string;
beforeAll(async () => {
  mailbox = await startMailbox();
  const mail = { SMTP_URL: mailbox.url, FOYER_MAIL_FROM: 'help@shop.example' };
  app = await startTestApp({ ...mail, FOYER_BASE_URL: BASE_URL });
});
beforeEach(async () => {
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
  mailbox.refuseWith({ code: 550, at: 'rcpt' });
});
afterAll(async () => {
  await app.close();
  await mailbox.close();
});

const failures = async (): Promise<MailSetup['failures']> =>
  (await app.desk(cookie, 'mail.get')).body.data.failures;
const failed = async (kind: string) => (await failures()).find((one) => one.kind === kind);

const replyTo = async (): Promise<void> => {
  const requester = { email: 'maya@example.com' };
  const ticket = await app.rest(site.write, 'POST', '/v1/tickets', { subject: 'A', body: 'B', requester });
  const reply = { ticket_id: ticket.body.data.id, body: 'On its way', type: 'public' };
  await app.rest(site.write, 'POST', '/v1/ticket_reply', reply);
};
const requestTranscript = async (): Promise<void> => {
  const { socket, id } = await openChat({ url: app.url, publicKey: site.publicKey });
  await socket.call('chat.mail_transcript', { session_id: id, email: 'maya@example.com' });
  socket.cut();
};
const forgetPassword = async (): Promise<void> => {
  await fetch(`${app.url}/app/password/request`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: BASE_URL },
    body: JSON.stringify({ email: site.admin.email }),
  });
};
const disableWebhook = async (): Promise<void> => {
  const { rows } = await app.app.database.pool.query(
    `insert into webhook_subscriptions (site_id, url, events, secret_cipher, secret_hint, disabled_at, disabled_reason)
     values ($1, 'https://receiver.example', '{}', '', '', now(), 'The receiver answered 410 Gone.') returning id`,
    [site.site.id],
  );
  await notifyAdmin(site.operator, { subscription_id: Number(rows[0].id), agent_id: site.admin.agentId });
};

test.each([
  ['reply', replyTo],
  ['transcript', requestTranscript],
  ['password', forgetPassword],
  ['webhook_disabled', disableWebhook],
] as const)('a refused mail of kind %s is shown to admins, in the server’s words', async (kind, cause) => {
  await cause();
  await until(async () => (await failed(kind)) !== undefined);
  expect(await failed(kind)).toMatchObject({ error: expect.stringContaining('550'), next_try_utc: null });
});

test('a mail that is being retried shows when, and nothing more once it has been sent', async () => {
  mailbox.refuseWith({ code: 451, at: 'rcpt' });
  await requestTranscript();
  await until(async () => (await failed('transcript')) !== undefined);
  expect((await failed('transcript'))?.next_try_utc).not.toBeNull();
  mailbox.refuseWith(undefined);
  await app.app.database.pool.query(
    `update foyer_jobs.job set start_after = now() where name = 'mail.transcript' and state = 'retry'`,
  );
  await requestTranscript();
  await until(async () => (await failures()).length === 0);
});

test('addresses are removed, and only the newest failures are kept', async () => {
  const note = (text: string) => noteMailFailure(site.operator, 'reply', new Error(text));
  for (let at = 0; at < 101; at++) await note(`no mailbox number-${at}.maya@visitor.example here`);
  const { rows } = await app.app.database.pool.query('select error from mail_failures where site_id = $1', [
    site.site.id,
  ]);
  expect(rows).toHaveLength(100);
  expect(new Set(rows.map(({ error }) => error))).toEqual(new Set(['no mailbox …@visitor.example here']));
  const other = await app.makeSite();
  const { body } = await app.desk(await app.signIn(other.admin.email), 'mail.get');
  expect(body.data.failures).toEqual([]);
});
