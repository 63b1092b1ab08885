import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeAgent, PASSWORD } from '../accounts.ts';
import { startTestApp, type TestApp, type TestSite } from '../app.ts';
import { openBrowser, type TestBrowser } from '../chromium.ts';
import { openFaces } from '../faces.ts';

// A team, set up from nothing at the desk.

let browser: TestBrowser;
let app: TestApp;
let site: TestSite;
beforeAll(async () => {
  [browser, app] = await Promise.all([openBrowser(), startTestApp()]);
  site = await app.makeSite('growth');
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

it('an admin sets up a team, and a member sees who belongs to it', { timeout: 120_000 }, async () => {
  const email = `ben-${randomUUID()}@example.com`;
  await makeAgent(site.operator, { email, name: 'Ben' });
  const { url } = app;
  const { page, look, found, allow } = await openFaces(browser, {
    cookie: await app.signIn(site.admin.email),
    url,
  });
  allow(/status of 400/);
  await page.goto(`${url}/app/settings/teams`);
  await page.getByText('No teams').waitFor();
  await page.getByRole('link', { name: 'New team' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Billing');
  await page.getByRole('textbox', { name: 'Emoji' }).fill('x');
  await page.getByRole('checkbox', { name: 'Ben' }).check();
  await page.getByLabel('Lead').selectOption({ label: 'Ben' });
  await page.getByRole('switch', { name: 'Own office hours' }).click();
  await page.getByText('Weekly hours').waitFor();
  await look('team-new');
  await page.getByRole('button', { name: 'Create team' }).click();
  await page.getByText('Emoji must be an emoji').waitFor();
  await page.getByRole('textbox', { name: 'Emoji' }).fill('💳');
  await page.getByRole('button', { name: 'Create team' }).click();
  const row = page.getByRole('list', { name: 'Teams' }).getByRole('link', { name: /Billing/ });
  await row.waitFor();
  await look('teams');
  await row.click();
  await page.getByRole('button', { name: 'Archive' }).click();
  await page.getByText('This team is archived').waitFor();
  await look('team-archived');
  await page.getByRole('button', { name: 'Restore' }).click();
  await page.getByText('This team is archived').waitFor({ state: 'detached' });
  expect(found).toEqual([]);

  const ben = await openFaces(browser, { cookie: await app.signIn(email, PASSWORD), url });
  await ben.page.goto(`${url}/app/settings/teams`);
  await ben.page.getByRole('link', { name: /Billing.*1 member/ }).waitFor();
  expect(await ben.page.getByRole('link', { name: 'New team' }).count()).toBe(0);
});
