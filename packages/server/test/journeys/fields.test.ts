import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp, type TestSite } from '../app.ts';
import { openBrowser, type TestBrowser } from '../chromium.ts';
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

  await page.goto(`${url}/app/inbox/tickets/${ticket.id}`);
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
