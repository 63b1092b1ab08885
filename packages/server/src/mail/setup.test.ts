import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAgent } from '../../test/accounts.ts';
import { startTestApp, type TestApp, type TestSite } from '../../test/app.ts';
import { until } from '../../test/harness.ts';
import { type Mailbox, shown, startMailbox } from '../../test/mailbox.ts';
import { TestSocket } from '../../test/sockets.ts';
import type { SiteContext } from '../core/context.ts';
import { createMailer } from './mailer.ts';
import { getMailSetup } from './setup.ts';
import { guardedConnect } from './site-mailer.ts';

let app: TestApp;
let site: TestSite;
let cookie: string;
let mailbox: Mailbox;
beforeAll(async () => {
  [app, mailbox] = await Promise.all([startTestApp(), startMailbox()]);
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
});
afterAll(async () => {
  await app.close();
  await mailbox.close();
});

const call = (operation: string, input: object = {}) => app.desk(cookie, operation, input);
const server = () => {
  const { hostname, port } = new URL(mailbox.url);
  return {
    host: hostname,
    port: Number(port),
    security: 'starttls',
    user: null,
    from_name: 'The shop',
    from_address: 'help@shop.example',
  };
};

test('until it is set up no mail is sent, and a test says so', async () => {
  expect((await call('mail.get')).body.data).toEqual({
    source: null,
    server: null,
    from: null,
    records: [],
    failures: [],
  });
  expect((await call('mail.test')).body.data).toMatchObject({ sent: false });
});

test('open desks reload when mail is set up and when it is removed; agents see no more than that', async () => {
  const email = 'ben@example.com';
  await makeAgent(site.operator, { email, name: 'Ben', role: 'agent' });
  const ben = await app.signIn(email);
  const status = async () => (await app.desk(ben, 'mail.status')).body.data;
  const desk = await TestSocket.agent(app.url, ben);
  const stale = () => desk.frames.filter(({ type }) => type === 'lists_stale').length;
  expect(await status()).toEqual({ sends_mail: false });
  await call('mail.set', server());
  await until(async () => stale() === 1);
  expect(await status()).toEqual({ sends_mail: true });
  await call('mail.clear');
  await until(async () => stale() === 2);
  expect(await status()).toEqual({ sends_mail: false });
  expect((await app.desk(ben, 'mail.get')).status).toBe(403);
  desk.cut();
});

test('a server of the site’s own sends a test and the answers to tickets; its password is never shown', async () => {
  const saved = await call('mail.set', { ...server(), user: 'shop', password: 'open sesame' });
  expect(saved.body.data).toMatchObject({
    source: 'site',
    server: { user: 'shop', has_password: true },
    records: [
      { kind: 'spf', name: 'shop.example' },
      { kind: 'dkim', value: null },
      { kind: 'dmarc', name: '_dmarc.shop.example' },
    ],
  });
  // Another user of the same server might be anybody: the password is not kept for them.
  expect((await call('mail.set', { ...server(), user: 'other' })).status).toBe(409);
  const kept = await call('mail.set', { ...server(), user: 'shop' });
  expect(kept.body.data.server.has_password).toBe(true);
  const log = await call('audit.list', { limit: 5 });
  for (const told of [saved, kept, log, await call('mail.get')])
    expect(JSON.stringify(told.body)).not.toContain('open sesame');
  await call('mail.set', { ...server(), password: null });
  const { body } = await call('mail.test');
  expect(body.data).toEqual({ to: site.admin.email, sent: true, error: null });
  expect(mailbox.received.at(-1)).toMatchObject({ from: 'help@shop.example', to: [site.admin.email] });
  const ticket = await app.rest(site.write, 'POST', '/v1/tickets', {
    subject: 'Late',
    body: 'Where is it?',
    requester: { email: 'maya@example.com' },
  });
  const reply = { ticket_id: ticket.body.data.id, body: 'On its way', type: 'public' };
  await app.rest(site.write, 'POST', '/v1/ticket_reply', reply);
  await until(async () => mailbox.received.some(({ to }) => to.includes('maya@example.com')));
});

test('a test shows the server’s own words', async () => {
  mailbox.refuseWith({ code: 550, at: 'rcpt' });
  const { body } = await call('mail.test');
  mailbox.refuseWith(undefined);
  expect(body.data).toMatchObject({ sent: false, error: expect.stringContaining('550') });
});

test('a test is in the language of the desk, and limited to twenty a day', async () => {
  await call('me.set_language', { language: 'de' });
  await call('mail.test');
  expect(mailbox.received.map(shown).at(-1)).toContain('angeforderte Test-E-Mail');
  await sql`update agents set test_mails = 19`.execute(app.app.database.db);
  expect((await call('mail.test')).status).toBe(200);
  const { status, body } = await call('mail.test');
  expect({ status, reason: body.error.reason }).toEqual({ status: 429, reason: 'test_mails_spent' });
  await sql`update agents set test_mails_on = test_mails_on - 1`.execute(app.app.database.db);
  expect((await call('mail.test')).body.data.sent).toBe(true);
});

test('once removed, no mail is sent', async () => {
  expect((await call('mail.clear')).body.data.source).toBeNull();
  expect((await call('mail.test')).body.data).toMatchObject({ sent: false });
});

test('SMTP_URL takes precedence, and is shown without its user', async () => {
  const settings = {
    host: 'mail.operator.example',
    port: 465,
    secure: true,
    user: 'operator',
    password: 'open sesame',
    from: { name: undefined, address: 'post@operator.example' },
    domains: [],
  };
  const { operator } = site;
  const services = { ...operator.services, mailer: createMailer(settings) };
  const ctx: SiteContext = Object.assign(Object.create(operator), {
    services,
    db: operator.db,
    site: operator.site,
  });
  const setup = await getMailSetup(ctx);
  expect(setup).toMatchObject({
    source: 'environment',
    server: { host: 'mail.operator.example', user: null },
  });
  expect(JSON.stringify(setup)).not.toContain('open sesame');
});

test('an admin’s settings can’t reach into the operator’s network', async () => {
  const connect = guardedConnect({ allowPrivate: false });
  const port = Number(new URL(mailbox.url).port);
  for (const host of ['127.0.0.1', '169.254.169.254', '::1', 'localhost'])
    await expect(connect(host, port)).rejects.toThrow(/public address/);
});

test('only admins see and change it, and an invalid name is refused', async () => {
  for (const host of ['smtp://mail.example.com', 'mail.example.com/x', 'a b', ''])
    expect((await call('mail.set', { ...server(), host })).status).toBe(400);
  expect((await app.rest(site.write, 'POST', '/v1/mail', {})).status).toBe(404);
});
