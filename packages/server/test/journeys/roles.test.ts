import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeAgent, PASSWORD } from '../accounts.ts';
import { startTestApp, type TestApp, type TestSite } from '../app.ts';
import { openBrowser, type TestBrowser } from '../chromium.ts';
import { goWithin } from '../desk-tabs.ts';
import { makeRecord } from '../examples.ts';
import { openFaces } from '../faces.ts';

// A read-only role, created at the desk, and what its agent sees.

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

it('an admin creates and assigns a role; its agent can read and write notes, and nothing else', {
  timeout: 120_000,
}, async () => {
  const email = `ben-${randomUUID()}@example.com`;
  await makeAgent(site.operator, { email, name: 'Ben' });
  const { url } = app;
  const { page, look, found } = await openFaces(browser, { cookie: await app.signIn(site.admin.email), url });
  await page.goto(`${url}/app/settings/roles`);
  await page.getByText('No custom roles').waitFor();
  await look('roles-none');
  await page.getByRole('link', { name: 'New role' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Auditor');
  await page.getByRole('checkbox', { name: 'Read the audit log' }).check();
  await look('role-new');
  await page.getByRole('button', { name: 'Create role' }).click();
  await page
    .getByRole('list', { name: 'Custom roles' })
    .getByRole('link', { name: /Auditor/ })
    .waitFor();

  await goWithin(page, '/app/settings/agents');
  await page.getByRole('button', { name: 'More for Ben' }).click();
  await page.getByRole('menuitem', { name: 'Change role…' }).click();
  await page.getByLabel('Role', { exact: true }).selectOption({ label: 'Auditor' });
  await look('role-dialog');
  await page.getByRole('button', { name: 'Change role' }).click();
  await page.getByRole('list', { name: 'Agents' }).getByText('Auditor').waitFor();
  await goWithin(page, '/app/settings/roles');
  await page.getByRole('link', { name: /Auditor.*1 agent/ }).waitFor();
  await look('roles');
  expect(found).toEqual([]);

  const [chat, ticket] = [await makeRecord.session(app, site), await makeRecord.ticket(app, site)];
  const ben = await openFaces(browser, { cookie: await app.signIn(email, PASSWORD), url });
  await ben.page.goto(`${url}/app/inbox/${chat}`);
  await ben.page.getByText('Your role lets you read and write notes, but not reply.').waitFor();
  await ben.look('role-reads-chat');
  const offered = (name: string | RegExp) => ben.page.getByRole('button', { name, exact: true });
  for (const name of ['Close chat', 'Join chat', 'Snooze', 'Create ticket'])
    expect(await offered(name).count(), name).toBe(0);
  const main = ben.page.getByRole('navigation', { name: 'Main' });
  await main.getByRole('link', { name: 'Settings' }).waitFor();
  expect(await main.getByRole('link', { name: 'Reports' }).count()).toBe(0);
  await ben.page.getByRole('tab', { name: 'Note' }).click();
  await ben.page.getByRole('textbox', { name: 'Note' }).fill('They called before.');
  await ben.page.keyboard.press('Enter');
  await ben.page.getByRole('log').getByText('They called before.').waitFor();

  await goWithin(ben.page, `/app/inbox/tickets/${ticket}`);
  await ben.page.getByText('Your role lets you read and write notes, but not reply.').waitFor();
  expect(await ben.page.getByLabel('Priority', { exact: true }).isDisabled()).toBe(true);
  expect(await offered('Solve').count()).toBe(0);
  await ben.look('role-reads-ticket');

  // What a role doesn't allow is not offered: people, articles, and shared lists.
  await goWithin(ben.page, `/app/inbox/${chat}`);
  await ben.page.getByRole('button', { name: 'Add tag' }).waitFor();
  expect(await offered('Add tag').isDisabled()).toBe(true);
  await goWithin(ben.page, `/app/visitors/${await makeRecord.visitor(app, site)}`);
  await ben.page.getByRole('button', { name: 'Attributes' }).waitFor();
  for (const name of ['Add attribute', 'More']) expect(await offered(name).count(), name).toBe(0);
  expect(await ben.page.getByRole('textbox', { name: 'Email' }).count()).toBe(0);
  await ben.look('role-reads-person');
  await goWithin(ben.page, `/app/knowledge/${await makeRecord.article(app, site)}`);
  await ben.page.getByText('Your role lets you read this, but not change it.').waitFor();
  expect(await ben.page.getByLabel('Title', { exact: true }).isDisabled()).toBe(true);
  await ben.page.getByRole('region', { name: 'Preview' }).getByText('Text', { exact: true }).waitFor();
  for (const name of ['Save', 'Delete']) expect(await offered(name).count(), name).toBe(0);
  await ben.look('role-reads-article');
  await makeRecord.macro(app, site);
  await goWithin(ben.page, '/app/settings/macros');
  await ben.page.getByRole('list', { name: 'Macros' }).getByRole('link').click();
  await ben.page.getByText('Your role lets you read this, but not change it.').waitFor();
  expect(await offered('Save').isDisabled()).toBe(true);

  await goWithin(ben.page, '/app/settings');
  await ben.page.getByRole('link', { name: 'Audit log' }).click();
  await ben.page.getByText('Auditor').first().waitFor();
  const settings = ben.page.getByRole('navigation', { name: 'Settings' });
  for (const name of ['Widget', 'Agents', 'Roles', 'Webhooks'])
    expect(await settings.getByRole('link', { name, exact: true }).count(), name).toBe(0);
  expect(ben.found).toEqual([]);
});
