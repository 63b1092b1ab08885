import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp, type TestSite } from '../app.ts';
import { openBrowser, type TestBrowser } from '../chromium.ts';
import { goWithin } from '../desk-tabs.ts';
import { openFaces } from '../faces.ts';

// A field, set up at the desk and filled in beside a ticket.

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

it('an admin adds a required field, and a ticket is solved once it is filled in', {
  timeout: 120_000,
}, async () => {
  const rest = async (path: string, body: object) =>
    (await app.rest(site.write, 'POST', `/v1/${path}`, body)).body.data;
  const key = `user_${randomUUID()}`;
  const ticket = await rest('tickets', {
    subject: 'A broken lamp',
    body: 'It is broken.',
    requester: { key },
  });
  const { url } = app;
  const { page, look, found, allow } = await openFaces(browser, {
    cookie: await app.signIn(site.admin.email),
    url,
  });
  allow(/status of 400/);
  await page.goto(`${url}/app/settings/fields`);
  await page.getByText('No fields').waitFor();
  await page.getByRole('link', { name: 'New field' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Cause');
  await page.getByLabel('Type').selectOption({ label: 'Choice' });
  await page.getByLabel('Choices').fill('Carrier\nSupplier\nUs');
  await page.getByRole('switch', { name: 'Required to solve' }).click();
  await look('field-new');
  await page.getByRole('button', { name: 'Create field' }).click();
  await page.getByRole('list', { name: 'Tickets' }).getByRole('link', { name: /Cause/ }).waitFor();
  for (const [name, kind, choices] of [
    ['Order number', 'text', undefined],
    ['Weight', 'number', undefined],
    ['Delivered', 'date', undefined],
    ['Parts', 'choices', ['Shade', 'Cable']],
    ['Insured', 'yes_no', undefined],
    ['Tracking', 'link', undefined],
  ] as const)
    await rest('fields', { applies_to: 'tickets', name, kind, ...(choices && { choices }) });
  await rest('fields', { applies_to: 'people', name: 'Plan', kind: 'text' });
  await page.reload();
  await page.getByRole('link', { name: /Tracking/ }).waitFor();
  await look('fields');

  await goWithin(page, `/app/inbox/tickets/${ticket.id}`);
  const part = page.getByRole('region', { name: 'Ticket fields' });
  await part.getByText('Required to solve').waitFor();
  await page.getByLabel('Status', { exact: true }).selectOption({ label: 'Solved' });
  await page.getByText('Missing values: Cause').waitFor();
  await part.getByLabel('Tracking').fill('nowhere');
  await part.getByLabel('Tracking').press('Enter');
  await part
    .getByText(/Tracking/)
    .last()
    .waitFor();
  await part.getByLabel('Order number').fill('A-1042');
  await part.getByLabel('Order number').press('Enter');
  await part.getByLabel('Parts').selectOption('Cable');
  await part.getByRole('button', { name: 'Remove Cable' }).waitFor();
  await part.getByLabel('Cause').selectOption('Carrier');
  await part.getByText('Required to solve').waitFor({ state: 'detached' });
  await look('ticket-fields');
  await page.getByLabel('Status', { exact: true }).selectOption({ label: 'Solved' });
  await page.getByText('Status set to Solved').waitFor();
  const read = await app.rest(site.read, 'GET', `/v1/tickets?id=${ticket.id}`);
  expect(read.body.data).toMatchObject({
    fields: { cause: 'Carrier', order_number: 'A-1042', parts: ['Cable'] },
  });
  expect(found).toEqual([]);
});

it('an agent filters the inbox by fields, and saves that as a view', { timeout: 120_000 }, async () => {
  const own = await app.makeSite('growth');
  const rest = async (path: string, body: object) =>
    (await app.rest(own.write, 'POST', `/v1/${path}`, body)).body.data;
  const of = { applies_to: 'tickets' };
  await rest('fields', { ...of, name: 'Cause', kind: 'choice', choices: ['Carrier', 'Us'] });
  await rest('fields', { ...of, name: 'Order number', kind: 'text' });
  await rest('fields', { ...of, name: 'Weight', kind: 'number' });
  await rest('fields', { ...of, name: 'Delivered', kind: 'date' });
  await rest('fields', { ...of, applies_to: 'chats', name: 'Insured', kind: 'yes_no' });
  for (const [subject, fields] of [
    ['A broken lamp', { cause: 'Carrier', order_number: 'A-1042' }],
    ['A missing cable', { cause: 'Us', order_number: 'A-2000' }],
    ['A scratch', {}],
  ] as const) {
    const requester = { key: `user_${randomUUID()}`, name: 'Priya' };
    await rest('tickets', { subject, body: 'Hello', requester, fields });
  }
  const cookie = await app.signIn(own.admin.email);
  const { page, look, found } = await openFaces(browser, { cookie, url: app.url });
  await page.goto(`${app.url}/app/inbox?queue=open`);
  const rows = page.getByRole('link', { name: /A (broken lamp|missing cable|scratch)/ });
  await rows.nth(2).waitFor();
  await page.getByRole('button', { name: 'Filters' }).click();
  const menu = page.getByRole('dialog', { name: 'Filters' });
  await menu.getByLabel('Order number contains').fill('a-');
  await menu.getByLabel('Order number contains').press('Enter');
  await page.getByRole('button', { name: 'Remove filter “Order number contains “a-””' }).waitFor();
  await rows.nth(2).waitFor({ state: 'detached' });
  await menu.getByLabel('Cause').selectOption('Us');
  await rows.nth(1).waitFor({ state: 'detached' });
  await look('field-filters');
  await page.keyboard.press('Escape');
  await look('field-chips');
  expect(await rows.allTextContents()).toEqual([expect.stringContaining('A missing cable')]);
  await page.reload();
  await page.getByRole('button', { name: 'Remove filter “Cause: Us”' }).waitFor();
  await rows.first().waitFor();
  await page.getByRole('button', { name: 'Save as view' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Our fault');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('link', { name: /Our fault/ }).waitFor();
  await page.getByRole('button', { name: 'Remove filter “Cause: Us”' }).click();
  await rows.nth(1).waitFor();
  const { views } = (await app.desk(cookie, 'inbox_views.list', {})).body.data;
  expect(views[0].list.fields).toEqual([
    { custom_field: 'order_number', op: 'contains', value: 'a-' },
    { custom_field: 'cause', op: 'eq', value: 'Us' },
  ]);
  expect(found).toEqual([]);
});
