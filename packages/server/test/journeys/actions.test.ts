import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp, type TestSite } from '../app.ts';
import { openBrowser, type TestBrowser } from '../chromium.ts';
import { goWithin } from '../desk-tabs.ts';
import { openFaces } from '../faces.ts';
import { freePort } from '../foyer-process.ts';
import { answerWith, type Receiver, startReceiver } from '../receiver.ts';

// An admin describes an action at the desk, tests it, and a visitor on a page with the snippet uses it by its buttons.

let browser: TestBrowser;
let app: TestApp;
let site: TestSite;
let url: string;
let shop: Receiver;

beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  [browser, app] = await Promise.all([openBrowser(), startTestApp({ PORT: String(port) })]);
  site = await app.makeSite();
  shop = await startReceiver((response, request) =>
    (request.path === '/orders/1042'
      ? answerWith(200, JSON.stringify({ status: 'on its way', day: '<b>Friday</b>' }))
      : answerWith(404, '{}'))(response, request, 0),
  );
});
afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));
afterAll(async () => {
  await browser.close();
  await shop.close();
  await app.close();
});

it('an admin creates an action, and a visitor gets the status of an order by buttons', async () => {
  const cookie = await app.signIn(site.admin.email);
  const { page, look, found, allow } = await openFaces(browser, { cookie, url });
  allow(/404/);
  await page.goto(`${url}/app/knowledge/actions`);
  await page.getByText('No actions').waitFor();
  await look('actions-empty');
  await page.getByRole('link', { name: 'New action' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Order status');
  await page.getByLabel('Button', { exact: true }).fill('Track my order');
  await page.getByLabel('Questions').fill('Where is my order?');
  await page.getByLabel('Question', { exact: true }).fill('What is your order number?');
  await page.getByLabel('URL').fill(`${new URL(shop.url).origin}/orders/{{order}}`);
  await page.getByRole('button', { name: 'Add header' }).click();
  await page.getByLabel('Value', { exact: true }).fill('Bearer s3cret');
  await page
    .getByLabel('Text', { exact: true })
    .fill('Order **{{order}}** is {{result.status}}, {{result.day}}.');
  await look('action-new');
  await page.getByRole('button', { name: 'Create action' }).click();
  await page.getByRole('link', { name: 'Order status' }).click();
  await page.getByLabel('{{order}}', { exact: true }).fill('1042');
  await page.getByRole('button', { name: 'Run test' }).click();
  await page.getByText('{{result.status}} on its way').waitFor();
  await look('action-tested');

  const visitor = await (await browser.newContext({ viewport: { width: 1200, height: 900 } })).newPage();
  await visitor.goto(`${url}/demo`);
  await visitor.getByRole('button', { name: /chat/i }).click();
  const chat = visitor.frameLocator('iframe[src*="/widget/"]');
  await chat.getByRole('button', { name: /Send us a message/ }).click();
  const say = async (text: string): Promise<void> => {
    await chat.getByRole('textbox', { name: 'Write a message…' }).fill(text);
    await chat.getByRole('button', { name: 'Send', exact: true }).click();
  };
  await say('so, where is my order?');
  await chat.getByRole('button', { name: 'Track my order' }).click();
  await chat.getByText('What is your order number?', { exact: true }).waitFor();
  await say('7');
  await chat.getByRole('button', { name: 'Try again' }).waitFor();
  await chat.getByRole('button', { name: 'Try again' }).click();
  await chat.getByText('What is your order number?', { exact: true }).nth(1).waitFor();
  await say('1042');
  await chat.getByText('Order 1042 is on its way, <b>Friday</b>.', { exact: true }).waitFor();
  expect(await chat.getByRole('button', { name: 'Cancel' }).count()).toBe(0);

  await goWithin(page, '/app/knowledge/actions/log');
  await page.getByText('Order status').nth(2).click();
  await page.getByText('receiver answered').or(page.getByText('on its way')).first().waitFor();
  await look('action-log');
  const requests = shop.requests.map(({ path, headers }) => [path, headers.authorization]);
  expect(found).toEqual([]);
  expect(requests).toEqual([
    ['/orders/1042', 'Bearer s3cret'],
    ['/orders/7', 'Bearer s3cret'],
    ['/orders/1042', 'Bearer s3cret'],
  ]);
});
