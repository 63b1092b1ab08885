import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp, type TestSite } from '../app.ts';
import { openBrowser, type TestBrowser } from '../chromium.ts';
import { keepDesks } from '../desk-tabs.ts';
import { facesOf } from '../faces.ts';
import { freePort } from '../foyer-process.ts';
import { until } from '../harness.ts';
import { type Mailbox, shown, startMailbox } from '../mailbox.ts';

// A ticket whose customer writes by email, as the desk shows and answers it.

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
let browser: TestBrowser;
let mailbox: Mailbox;
let app: TestApp;
let site: TestSite;
let url: string;
const desks = keepDesks(() => ({ browser, app, url }));
beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  mailbox = await startMailbox();
  const environment = {
    PORT: String(port),
    SMTP_URL: mailbox.url,
    FOYER_MAIL_FROM: 'help@installation.example',
    FOYER_MAIL_DOMAINS: 'shop.example',
  };
  [browser, app] = await Promise.all([openBrowser(), startTestApp(environment)]);
  site = await app.makeSite();
  const { pool } = app.app.database;
  await pool.query(
    `insert into mailboxes (site_id, address, name, incoming, has_plus_addresses, created_at, updated_at)
     values ($1, 'help@shop.example', 'Lamp help', 'smtp', true, now(), now())`,
    [site.site.id],
  );
});
afterAll(async () => {
  await browser.close();
  await app.close();
  await mailbox.close();
});

/** What the customer's mail added to the ticket. */
async function receive(ticketId: number): Promise<void> {
  const { pool } = app.app.database;
  const cc = JSON.stringify([{ name: 'Sam', address: 'sam@visitor.example' }]);
  await pool.query(
    `insert into ticket_mails (site_id, ticket_id, is_outgoing, message_id, subject, from_address, from_name, to_list,
       cc_list, quoted, authentication, created_at)
     values ($1, $2, false, 'first@visitor.example', 'The lamp', 'priya@visitor.example', 'Priya',
       '[{"name": null, "address": "help@shop.example"}]', $3, $4,
       '{"spf": "pass", "dkim": "pass", "dmarc": "pass", "aligned": true}', now())`,
    [site.site.id, ticketId, cc, 'On Monday you wrote:\n> How can we help?'],
  );
  await pool.query('update tickets set cc_list = $3 where site_id = $1 and id = $2', [
    site.site.id,
    ticketId,
    cc,
  ]);
}

it('an agent sees who a mail is from, undoes a reply to everybody, and sends it to others', async () => {
  const requester = { email: 'priya@visitor.example', name: 'Priya' };
  const asked = { subject: 'The lamp', body: 'It broke.', requester };
  const ticket = (await app.rest(site.write, 'POST', '/v1/tickets', asked)).body.data.id;
  await receive(ticket);
  const { page, look, found } = await desks.faces(site.admin.email, `inbox/tickets/${ticket}`);
  const log = page.getByRole('log');
  await log.getByText('Priya <priya@visitor.example>').waitFor();
  await log.getByText('Sam <sam@visitor.example>').waitFor();
  await log.getByText('Sender verified').waitFor();
  expect(await log.getByText('How can we help?').isVisible()).toBe(false);
  await log.getByText('Quoted text').click();
  await log.getByText('How can we help?').waitFor();
  await look('mail-thread');

  const write = page.getByRole('region', { name: 'Write' });
  await page.locator('.reply-text').waitFor();
  const reply = write.getByRole('textbox', { name: 'Reply', exact: true });
  await write.getByText('Cc: Sam <sam@visitor.example>').waitFor();
  await reply.fill('We send a new one.');
  await reply.press('Control+Enter');
  await log.getByText('The email is sent in a few seconds.').waitFor();
  await look('mail-undo');
  await log.getByRole('button', { name: 'Undo' }).click();
  await log.getByText('We send a new one.').waitFor({ state: 'detached' });
  await write.getByText('We send a new one.').waitFor();

  await write.getByRole('button', { name: 'Edit recipients' }).click();
  await write.getByRole('textbox', { name: 'Cc', exact: true }).fill('sam');
  await write.getByText('Not an email address: sam').waitFor();
  await write
    .getByRole('textbox', { name: 'Cc', exact: true })
    .fill('Sam <sam@visitor.example>, boss@visitor.example');
  await write.getByRole('textbox', { name: 'Bcc' }).fill('archive@shop.example');
  await look('mail-recipients');
  await reply.press('Control+Enter');
  await until(async () => mailbox.received.length === 1);
  const [mail] = mailbox.received;
  expect(mail?.from).toBe('help@shop.example');
  expect(mail?.to.toSorted()).toEqual([
    'archive@shop.example',
    'boss@visitor.example',
    'priya@visitor.example',
    'sam@visitor.example',
  ]);
  expect(mail?.headers['in-reply-to']).toBe('<first@visitor.example>');
  expect(mail && shown(mail)).toContain('We send a new one.');
  await log.getByText('archive@shop.example').waitFor();
  expect(found).toEqual([]);
});

it('an agent writes to a customer first, by email', async () => {
  const { page, look, found } = await desks.faces(site.admin.email, 'inbox');
  await page.getByRole('button', { name: 'New ticket' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Customer email' }).fill('noor@visitor.example');
  await dialog.getByRole('textbox', { name: 'Customer name' }).fill('Noor');
  await dialog.getByRole('textbox', { name: 'Subject' }).fill('Your order');
  await dialog.getByRole('textbox', { name: 'Message' }).fill('It is late.');
  await dialog.getByRole('checkbox', { name: 'Email this message to the customer' }).check();
  await dialog.getByText('Goes to the customer.').waitFor();
  await look('mail-new');
  await dialog.getByRole('button', { name: 'Create ticket' }).click();
  await page.getByRole('log').getByText('It is late.').waitFor();
  await until(async () => mailbox.received.some(({ to }) => to.includes('noor@visitor.example')));
  const mail = mailbox.received.find(({ to }) => to.includes('noor@visitor.example'));
  expect(mail?.headers.subject).toBe('Your order');
  expect(found).toEqual([]);
});

const HOSTILE = (sender: string): string =>
  `<h1>Your <i>order</i></h1><table><tr><td style="background-color:#eee;padding:8px">Lamp</td><td>2 pieces</td></tr></table>
<img src="${sender}/pixel.png" alt="" width="40" height="40"><a href="https://shop.example/track">Track it</a>
<script>top.document.title='taken'</script><img src="/x" onerror="top.document.title='taken'"><style>@import "${sender}/a.css";</style>
<div class="gmail_quote"><blockquote>What we said before</blockquote></div>`;

it('a formatted email is shown without running or loading anything; its images come through the server', async () => {
  const asked: (string | undefined)[] = [];
  const pictures = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers['user-agent'] ?? 'no browser'}`);
    response.end(PNG);
  });
  await new Promise<void>((listening) => pictures.listen(0, '127.0.0.1', listening));
  const { port } = pictures.address() as AddressInfo;
  const requester = { email: 'rosa@visitor.example', name: 'Rosa' };
  const asking = { subject: 'My order', body: 'Your order', requester };
  const ticket = (await app.rest(site.write, 'POST', '/v1/tickets', asking)).body.data.id;
  await app.app.database.pool.query(
    `insert into ticket_mails (site_id, ticket_id, is_outgoing, message_id, from_address, html, is_rich, created_at)
     values ($1, $2, false, 'html@visitor.example', 'rosa@visitor.example', $3, true, now())`,
    [site.site.id, ticket, HOSTILE(`http://127.0.0.1:${port}`)],
  );
  const { page, look, found } = facesOf(await desks.fresh(site.admin.email));
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !/^(?:data|blob|about):/.test(request.url()))
      elsewhere.push(request.url());
  });
  await page.goto(`${url}/app/inbox/tickets/${ticket}`);
  const frame = page.frameLocator('iframe[title="Email"]');
  await frame.getByRole('heading', { name: 'Your order' }).waitFor();
  expect(await page.locator('iframe[title="Email"]').getAttribute('sandbox')).not.toContain('scripts');
  expect(await frame.getByText('What we said before').isVisible()).toBe(false);
  await frame.getByText('•••').click();
  await frame.getByText('What we said before').waitFor();
  expect(await frame.getByRole('link', { name: 'Track it' }).getAttribute('rel')).toContain('noopener');
  // The frame is as high as the mail.
  await expect
    .poll(() =>
      frame
        .locator('html')
        .evaluate((root) => root.scrollHeight <= (root.ownerDocument.defaultView?.innerHeight ?? 0)),
    )
    .toBe(true);
  expect(asked).toEqual([]);
  await look('mail-html');
  await page.getByText('1 remote image is blocked').waitFor();
  await page.getByRole('button', { name: 'Show remote images' }).click();
  await until(async () => asked.length === 1);
  expect(asked).toEqual(['/pixel.png no browser']);
  await page.getByRole('button', { name: 'Show remote images' }).waitFor({ state: 'detached' });
  const picture = frame.locator('img[src^="/mail-images"]');
  const drawn = () =>
    picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth);
  await expect.poll(drawn).toBe(1);
  await page.getByRole('button', { name: 'Show as plain text' }).click();
  await page.locator('iframe[title="Email"]').waitFor({ state: 'detached' });
  expect(await page.title()).not.toBe('taken');
  expect(elsewhere).toEqual([]);
  // Accessibility checks can't run in it either.
  expect(found.filter((one) => !one.includes("Blocked script execution in 'about:srcdoc'"))).toEqual([]);
  pictures.closeAllConnections();
  pictures.close();
});
