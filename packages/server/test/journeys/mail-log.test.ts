import { afterAll, beforeAll, expect, it } from 'vitest';
import { storeReceived } from '../../src/email/inbound/store.ts';
import { startTestApp, type TestApp, type TestSite } from '../app.ts';
import { openBrowser, type TestBrowser } from '../chromium.ts';
import { goWithin } from '../desk-tabs.ts';
import { openFaces } from '../faces.ts';
import { freePort } from '../foyer-process.ts';
import { until } from '../harness.ts';
import { type Mailbox, startMailbox } from '../mailbox.ts';
import { mail } from '../mails/mail-desk.ts';

// Suspended emails, as an agent finds them, and the log of all emails.

let browser: TestBrowser;
let mailbox: Mailbox;
let app: TestApp;
let site: TestSite;
let url: string;
let mailboxId: number;
beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  mailbox = await startMailbox();
  const environment = { PORT: String(port), SMTP_URL: mailbox.url, FOYER_MAIL_FROM: 'help@shop.example' };
  [browser, app] = await Promise.all([openBrowser(), startTestApp(environment)]);
  site = await app.makeSite();
  const { rows } = await app.app.database.pool.query(
    `insert into mailboxes (site_id, address, incoming, created_at, updated_at)
     values ($1, 'help@shop.example', 'smtp', now(), now()) returning id`,
    [site.site.id],
  );
  mailboxId = rows[0].id;
});
afterAll(async () => {
  await browser.close();
  await app.close();
  await mailbox.close();
});

const received = async (query: string) =>
  (await app.rest(site.read, 'GET', `/v1/received_mails?${query}`)).body.data;

async function receive(headers: Record<string, string>, body: string): Promise<void> {
  const id = await storeReceived(site.operator, {
    mailboxId,
    route: 'imap',
    source: null,
    raw: Buffer.from(mail(headers, body)),
    envelopeFrom: 'sender@mx.example',
  });
  await until(async () => (await received(`id=${id}`)).outcome !== 'waiting');
}

it('an agent finds suspended emails, accepts and blocks them, and sees the result of each in the log', async () => {
  const spam = { 'X-Spam-Flag': 'YES' };
  await receive({ From: 'Maya <maya@a.example>', Subject: 'My order', ...spam }, 'Where is it?');
  const cookie = await app.signIn(site.admin.email);
  const { page, look, found } = await openFaces(browser, { cookie, url });
  await page.goto(`${url}/app/inbox`);
  await page.getByRole('link', { name: 'Suspended emails 1' }).waitFor();
  await receive({ From: 'Prizes <win@b.example>', Subject: 'You have won', ...spam }, '<b>Click</b>');
  await receive(
    { From: 'news@c.example', Subject: 'Sale', 'List-Unsubscribe': '<https://c.example>' },
    'Buy',
  );
  const requester = { email: 'gone@visitor.example', name: 'Gone' };
  const asked = { subject: 'The lamp', body: 'It broke.', requester };
  const ticket = (await app.rest(site.write, 'POST', '/v1/tickets', asked)).body.data.id;
  mailbox.refuseWith({ code: 550, at: 'rcpt' });
  await app.rest(site.write, 'POST', '/v1/ticket_reply', {
    ticket_id: ticket,
    type: 'public',
    body: 'A new one.',
  });

  await page.getByRole('link', { name: 'Suspended emails 3' }).click();
  const suspended = page.getByRole('list', { name: 'Suspended' });
  await suspended.getByText('Newsletter or mailing list').last().waitFor();
  await look('mail-suspended');

  const prize = suspended.getByRole('listitem').filter({ hasText: 'You have won' });
  await prize.getByRole('button', { name: /You have won/ }).click();
  await prize.getByText('<b>Click</b>').waitFor();
  await look('mail-suspended-open');
  await prize.getByRole('button', { name: 'Block' }).click();
  await page.getByRole('menuitem', { name: 'Block @b.example' }).click();
  await prize.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await prize.waitFor();
  await prize.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Block senders' }).click();
  await prize.waitFor({ state: 'detached' });
  await page.getByRole('checkbox', { name: 'Select all' }).check();
  await page.getByRole('button', { name: 'Accept' }).click();
  await page.getByText('No suspended emails').waitFor();

  await until(async () => (await received('outcome=ticket')).length === 2);
  const views = page.getByRole('navigation', { name: 'Mail log' });
  await views.getByRole('link', { name: 'Received' }).click();
  const log = page.getByRole('list', { name: 'Received' });
  await log.getByText('Rejected', { exact: true }).waitFor();
  await page.getByRole('searchbox').fill('maya@a.example');
  await log.getByText('You have won').waitFor({ state: 'detached' });
  await log.getByRole('button', { name: /My order/ }).click();
  await log.getByText('Where is it?').waitFor();
  await look('mail-log-received');

  await views.getByRole('link', { name: 'Sent' }).click();
  const sent = page.getByRole('list', { name: 'Sent' });
  await sent.getByRole('button', { name: /The lamp/ }).click();
  await sent.getByText(/550/).first().waitFor();
  await look('mail-log-sent');
  mailbox.refuseWith(undefined);
  await sent.getByRole('button', { name: 'Send again' }).click();
  await until(async () => mailbox.received.length === 1);

  await views.getByRole('link', { name: 'Blocked senders' }).click();
  await page.getByText('win@b.example').waitFor();
  await look('mail-log-blocked');

  const order = (await received('outcome=ticket')).find(
    (one: { subject: string }) => one.subject === 'My order',
  );
  await goWithin(page, `/app/inbox/tickets/${order?.ticket_id}`);
  await page.getByRole('link', { name: 'Mail log' }).click();
  await log.getByText('My order').waitFor();
  expect(await log.getByRole('listitem').count()).toBe(1);
  expect(found).toEqual([]);
});
