import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp, type TestSite } from '../app.ts';
import { openBrowser, type TestBrowser } from '../chromium.ts';
import { goWithin } from '../desk-tabs.ts';
import { openFaces } from '../faces.ts';
import { freePort } from '../foyer-process.ts';
import { until } from '../harness.ts';
import { type Mailbox, shown, startMailbox } from '../mailbox.ts';

let browser: TestBrowser;
let mailbox: Mailbox;
let app: TestApp;
let site: TestSite;
let url: string;
beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  mailbox = await startMailbox();
  const environment = { PORT: String(port), SMTP_URL: mailbox.url, FOYER_MAIL_FROM: 'help@shop.example' };
  [browser, app] = await Promise.all([openBrowser(), startTestApp(environment)]);
  site = await app.makeSite();
});
afterAll(async () => {
  await browser.close();
  await app.close();
  await mailbox.close();
});

it('an agent writes a signature, sees it below a reply, and leaves it out of one', async () => {
  const requester = { email: 'priya@visitor.example', name: 'Priya' };
  const asked = { subject: 'The lamp', body: 'It broke.', requester };
  const { body } = await app.rest(site.write, 'POST', '/v1/tickets', asked);
  const ticket = body.data.id;
  const cookie = await app.signIn(site.admin.email);
  const { page, look, found, allow } = await openFaces(browser, { cookie, url });
  allow(/status of 400/);
  await page.goto(`${url}/app/settings/account`);
  const box = page.getByRole('textbox', { name: 'Signature' });
  await box.fill('Yours, {{visitor.name}}');
  await page.getByRole('button', { name: 'Save signature' }).click();
  await page.getByText('has an unknown variable').waitFor();
  await box.fill('**{{agent.name}}** from {{site.name}}');
  await page.getByRole('button', { name: 'Save signature' }).click();
  await page.getByText('Signature saved').waitFor();
  await look('signature');

  await goWithin(page, `/app/inbox/tickets/${ticket}`);
  const write = page.getByRole('region', { name: 'Write' });
  await write.getByText('Ada from Lantern & Loom').waitFor();
  await page.locator('.reply-text').waitFor();
  await look('signature-reply');
  const reply = write.getByRole('textbox');
  await reply.fill('It is on its way.');
  await reply.press('Control+Enter');
  await until(async () => mailbox.received.length === 1);
  await reply.fill('It arrives today.');
  await write.getByRole('checkbox', { name: 'Signature' }).uncheck();
  await reply.press('Control+Enter');
  await until(async () => mailbox.received.length === 2);
  const [signed, unsigned] = mailbox.received.map(shown);
  expect(signed).toContain('<strong>Ada</strong> from Lantern');
  expect(unsigned).not.toContain('</strong> from');
  // It is asked for again with the next one.
  expect(await write.getByRole('checkbox', { name: 'Signature' }).isChecked()).toBe(true);
  await write.getByText('Note', { exact: true }).click();
  await write.getByRole('checkbox', { name: 'Signature' }).waitFor({ state: 'detached' });
  expect(await page.getByRole('log').innerText()).not.toContain('from Lantern & Loom');
  expect(found).toEqual([]);
});
