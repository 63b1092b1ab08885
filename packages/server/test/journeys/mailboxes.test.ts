import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Json, startTestApp, type TestApp, type TestSite } from '../app.ts';
import { openBrowser, type TestBrowser } from '../chromium.ts';
import { goWithin, keepDesks } from '../desk-tabs.ts';
import { freePort } from '../foyer-process.ts';
import { until } from '../harness.ts';
import { type ImapServer, startImapServer } from '../imap-server.ts';
import { type Mailbox, shown, startMailbox } from '../mailbox.ts';
import { OAUTH_CLIENT, type OAuthServer, startOAuthServer } from '../oauth-server.ts';

// Email as a channel, from the first settings to the customer's second mail.

let browser: TestBrowser;
let imap: ImapServer;
let smtp: Mailbox;
/** A provider that accepts no passwords: its sign-in and its servers. */
let oauth: OAuthServer;
let providerImap: ImapServer;
let providerSmtp: Mailbox;
let app: TestApp;
let site: TestSite;
let url: string;
const desks = keepDesks(() => ({ browser, app, url }));
beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  oauth = await startOAuthServer();
  [imap, smtp, providerImap, providerSmtp] = await Promise.all([
    startImapServer(),
    startMailbox(),
    startImapServer({ accepts: oauth.accepts }),
    startMailbox(oauth.accepts),
  ]);
  const environment = {
    PORT: String(port),
    FOYER_WEBHOOK_ALLOW_PRIVATE: 'true',
    FOYER_MICROSOFT_CLIENT_ID: OAUTH_CLIENT.id,
    FOYER_MICROSOFT_CLIENT_SECRET: OAUTH_CLIENT.secret,
  };
  const microsoft = oauth.endpoints(providerImap.port, Number(new URL(providerSmtp.url).port));
  [browser, app] = await Promise.all([
    openBrowser(),
    startTestApp(environment, { mailEndpoints: { microsoft } }),
  ]);
  site = await app.makeSite();
});
afterAll(async () => {
  await browser.close();
  await app.close();
  await Promise.all([imap, smtp, providerImap, providerSmtp, oauth].map((server) => server.close()));
});

const mail = (id: string, body: string, headers: string[] = []): string =>
  [
    'From: Priya <priya@visitor.example>',
    'To: help@shop.example',
    'Subject: The lamp',
    `Message-ID: <${id}@visitor.example>`,
    ...headers,
    '',
    body,
    '',
  ].join('\r\n');

/** Not over REST: polling for a mail would exceed the limit per minute. */
const tickets = async (cookie: string) => (await app.desk(cookie, 'tickets.list', {})).body.data;

it('an admin connects a mailbox, and a customer and an agent write to each other in one ticket', {
  timeout: 120_000,
}, async () => {
  const cookie = await app.signIn(site.admin.email);
  const { page, look, found } = await desks.faces(site.admin.email, 'settings/mailboxes');
  await page.getByRole('heading', { name: 'No mailboxes' }).waitFor();
  await page.getByRole('link', { name: 'New mailbox' }).click();
  await page.getByLabel('Email address').fill('help@gmail.com');
  await page.getByText('Server: imap.gmail.com:993').waitFor();
  await page.getByLabel('Email address').fill('help@shop.example');
  await page.getByLabel('IMAP server').fill('127.0.0.1');
  await page.getByLabel('Port').first().fill(String(imap.port));
  await page.getByLabel('Encryption').first().selectOption('starttls');
  await page.getByRole('textbox', { name: 'Password' }).fill('open sesame');
  await page.getByLabel('SMTP server').fill('127.0.0.1');
  await page.getByLabel('Port').last().fill('1');
  await page.getByLabel('Same username and password').uncheck();
  await page.getByRole('button', { name: 'Test connection' }).click();
  await page.getByText('Receiving works').waitFor();
  await page.getByText('127.0.0.1 refuses connections on port 1.').waitFor();
  await look('mailbox-tested');
  await page.getByLabel('Port').last().fill(new URL(smtp.url).port);
  await page.getByLabel('Display name').fill('Lamp help');
  await page.getByRole('button', { name: 'Create mailbox' }).click();
  await page.getByText('Last checked').waitFor();

  imap.add(mail('first', 'It broke.'));
  await until(async () => (await tickets(cookie)).length === 1);
  const [ticket] = await tickets(cookie);
  await goWithin(page, `/app/inbox/tickets/${ticket.id}`);
  const log = page.getByRole('log');
  await log.getByText('It broke.').waitFor();
  const write = page.getByRole('region', { name: 'Write' });
  await page.locator('.reply-text').waitFor();
  const reply = write.getByRole('textbox', { name: 'Reply', exact: true });
  await reply.fill('We send a new one.');
  await reply.press('Control+Enter');
  await log.getByText('We send a new one.').waitFor();

  await until(async () => smtp.received.length === 1);
  const [sent] = smtp.received;
  expect(sent?.to).toEqual(['priya@visitor.example']);
  expect(sent?.headers).toMatchObject({
    from: 'Lamp help <help@shop.example>',
    subject: 'Re: The lamp',
    'in-reply-to': '<first@visitor.example>',
  });
  expect(sent && shown(sent)).toContain('We send a new one.');

  imap.add(mail('second', 'Thank you!', [`In-Reply-To: ${sent?.headers['message-id']}`]));
  await log.getByText('Thank you!').waitFor();
  expect(await tickets(cookie)).toHaveLength(1);
  expect(found).toEqual([]);
});

it('an admin sees the URL of a mailbox for a mail service once, and a mail that is posted there becomes a ticket', async () => {
  const cookie = await app.signIn(site.admin.email);
  const { page, look, found } = await desks.faces(site.admin.email, 'settings/mailboxes/new');
  await page.getByLabel('Email address').fill('orders@shop.example');
  await page.getByText('Mail service', { exact: true }).click();
  await look('mailbox-service');
  await page.getByRole('button', { name: 'Create mailbox' }).click();
  const shownUrl = await page.getByRole('dialog').locator('pre').innerText();
  await page.getByRole('button', { name: 'I’ve copied it' }).click();
  await page.getByText('No mail yet').waitFor();
  expect(await page.content()).not.toContain(shownUrl);
  const posted = await fetch(url + new URL(shownUrl).pathname, {
    method: 'POST',
    headers: { 'content-type': 'message/rfc822' },
    body: mail('posted', 'Where is it?').replace('The lamp', 'My order'),
  });
  expect(posted.status).toBe(200);
  await until(async () =>
    (await tickets(cookie)).some(({ subject }: { subject: string }) => subject === 'My order'),
  );
  expect(found).toEqual([]);
});

it('an admin signs a mailbox in with Microsoft, and Foyer refreshes its token until the grant is revoked', {
  timeout: 120_000,
}, async () => {
  const address = 'support@shop.example';
  const cookie = await app.signIn(site.admin.email);
  const { page, look, found, allow } = await desks.faces(site.admin.email, 'settings/mailboxes/new');
  await page.getByLabel('Email address').fill(address);
  await page.getByLabel('Provider').selectOption('google');
  await page.getByText('Sign in with Google').click();
  await page.getByText('FOYER_GOOGLE_CLIENT_ID').waitFor();
  await look('mailbox-provider-unset');
  await page.getByLabel('Provider').selectOption('microsoft');
  await page.getByText('Microsoft asks you to sign in').waitFor();
  await page.getByRole('button', { name: 'Create and sign in with Microsoft' }).click();

  await page.getByRole('link', { name: 'Cancel' }).click();
  await page.getByText('The sign-in was declined. Nothing was changed.').waitFor();
  await look('mailbox-sign-in-declined');
  await page.getByRole('button', { name: 'Sign in with Microsoft again' }).click();
  allow(/status of 409/);
  await page.getByRole('link', { name: 'ada@shop.example' }).click();
  await page.getByText(`can’t open ${address}`).waitFor();
  await page.getByRole('link', { name: `Back to ${address}` }).click();
  await page.getByText('Not signed in with Microsoft.').waitFor();
  await look('mailbox-not-signed-in');
  await page.getByRole('button', { name: 'Sign in with Microsoft' }).click();
  await page.getByRole('link', { name: address }).click();
  await page.getByText(`Mailbox ${address} is signed in`).waitFor();
  await page.getByRole('button', { name: 'Test connection' }).click();
  await page.getByText('Receiving works').waitFor();
  await page.getByText('Sending works').waitFor();
  await look('mailbox-signed-in');
  // Mails from before the first check of the mailbox are ignored.
  await until(async () => {
    const { body } = await app.desk(cookie, 'mailboxes.list', {});
    return body.data.some((one: Json) => one.address === address && one.checked_utc !== null);
  });

  providerImap.add(
    mail('outlook', 'It hums.').replace('The lamp', 'A humming lamp').replace('help@', 'support@'),
  );
  const ticket = async () =>
    (await tickets(cookie)).find(({ subject }: { subject: string }) => subject === 'A humming lamp');
  await until(async () => (await ticket()) !== undefined);
  const { id } = await ticket();
  const reply = async (text: string): Promise<void> => {
    const input = { ticket_id: id, client_id: randomUUID(), type: 'public', text };
    expect((await app.desk(cookie, 'tickets.reply', input)).status).toBe(200);
  };
  await reply('Does it hum in C?');
  await until(async () => providerSmtp.received.length === 1);
  expect(providerSmtp.received[0]?.headers.from).toContain(address);
  expect(oauth.refreshes(address)).toBe(0);

  oauth.expireTokens();
  await reply('Or in D?');
  await until(async () => providerSmtp.received.length === 2);
  expect(oauth.refreshes(address)).toBe(1);

  oauth.revoke(address);
  await reply('Or in E?');
  await page.getByText('Microsoft no longer accepts this sign-in. Sign in again.').waitFor();
  await look('mailbox-sign-in-ended');
  await page.getByRole('button', { name: 'Sign in with Microsoft' }).click();
  await page.getByRole('link', { name: address }).click();
  await page.getByText('Last checked').waitFor();
  expect(await page.getByText('no longer accepts').count()).toBe(0);
  expect(found).toEqual([]);
});
