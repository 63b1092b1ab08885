import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp, type TestSite } from '../app.ts';
import { openBrowser, type TestBrowser } from '../chromium.ts';
import { openFaces } from '../faces.ts';
import { freePort } from '../foyer-process.ts';

let browser: TestBrowser;
let app: TestApp;
let site: TestSite;
let url: string;
beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  [browser, app] = await Promise.all([openBrowser(), startTestApp({ PORT: String(port) })]);
  site = await app.makeSite();
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

it('an admin gives a program a token for two resources, for a time and an address, and changes it', {
  timeout: 120_000,
}, async () => {
  const { page, look, found, allow } = await openFaces(browser, {
    cookie: await app.signIn(site.admin.email),
    url,
  });
  await page.goto(`${url}/app/settings/tokens`);
  await page.getByRole('button', { name: 'New token' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill('Order desk');
  await page.getByLabel('Access').selectOption({ label: 'Server: selected resources' });
  const create = page.getByRole('button', { name: 'Create token' });
  // A token without any rights is useless.
  expect(await create.isDisabled()).toBe(true);
  await page.getByLabel('tickets', { exact: true }).selectOption('write');
  await page.getByLabel('visitors', { exact: true }).selectOption('read');
  await page.getByLabel('Expires').selectOption({ label: 'In 90 days' });
  await page.getByLabel('Allowed addresses').fill('shop.example');
  allow(/400/);
  await create.click();
  await page.getByText(/“shop\.example” must be an IP address or a range/).waitFor();
  await look('settings-token-limits');
  await page.getByLabel('Allowed addresses').fill('127.0.0.1\n2001:db8::/32');
  await create.click();
  const token = await page.getByText(/^foy_[\w-]{43}$/).innerText();
  await page.keyboard.press('Escape');
  const tickets = await app.rest(token, 'GET', '/v1/tickets');
  expect(tickets.status).toBe(200);
  expect((await app.rest(token, 'GET', '/v1/transcripts')).status).toBe(403);

  const row = page.getByRole('listitem').filter({ hasText: 'Order desk' });
  await row.getByText('visitors:read, tickets:write').waitFor();
  await row.getByText('Only from 127.0.0.1, 2001:db8::/32').waitFor();
  await page.getByRole('button', { name: 'More for Order desk' }).click();
  await page.getByRole('menuitem', { name: 'Edit access' }).click();
  await page.getByLabel('tickets', { exact: true }).selectOption('read');
  await page.getByLabel('Allowed addresses').fill('');
  await page.getByRole('button', { name: 'Save' }).click();
  await row.getByText('visitors:read, tickets:read').waitFor();
  expect((await app.rest(token, 'POST', '/v1/tickets', {})).body.error.message).toContain('tickets:write');
  // Uses are counted in batches, soon afterwards.
  const used = row.getByText(/last used .* from 127\.0\.0\.1/);
  await expect
    .poll(async () => {
      await page.reload();
      await row.getByText('visitors:read, tickets:read').waitFor();
      return used.count();
    })
    .toBe(1);
  await look('settings-tokens-limited');
  expect(found).toEqual([]);
});
