import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Shop, startShop } from '../../../sdk/test/shop.ts';
import { type Json, startTestApp, type TestApp, type TestSite } from '../app.ts';
import { openBrowser, type TestBrowser } from '../chromium.ts';
import { openFaces } from '../faces.ts';
import { freePort } from '../foyer-process.ts';
import { snippetFor } from '../snippet.ts';

// What a visitor agrees to before a chat: asked in the widget, stored with its wording, shown at the desk.

const WORDING = 'I agree to the [privacy policy](https://shop.example/privacy).';

let browser: TestBrowser;
let app: TestApp;
let shop: Shop;
let site: TestSite;
let url: string;
let cookie: string;

beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  [browser, app, shop] = await Promise.all([
    openBrowser(),
    startTestApp({ PORT: String(port) }),
    startShop(),
  ]);
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
});
afterAll(async () => {
  await browser.close();
  await Promise.all([app.close(), shop.stop()]);
});

it('an admin asks for consent, a visitor agrees, and the profile shows the wording', {
  timeout: 120_000,
}, async () => {
  const { page: desk } = await openFaces(browser, { cookie, url });
  await desk.goto(`${url}/app/settings/widget`);
  await desk.getByRole('button', { name: 'Consent', exact: true }).click();
  await desk.getByLabel('Wording').fill(WORDING);
  await desk.getByRole('button', { name: 'Save' }).click();
  await desk.getByText('Saved').first().waitFor();

  shop.page.html = `<!doctype html><title>Shop</title>${snippetFor(url, site.publicKey)}<p>A shop`;
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  await page.goto(shop.origin);
  await page.getByRole('button', { name: 'Open chat' }).click();
  const chat = page.frameLocator('iframe[title=Chat]');
  await chat.getByRole('button', { name: /Send us a message/ }).click();
  const box = chat.getByRole('checkbox', { name: 'I agree to the privacy policy.' });
  await box.waitFor();
  expect(await chat.getByRole('link', { name: 'privacy policy' }).getAttribute('href')).toBe(
    'https://shop.example/privacy',
  );
  // It is required.
  await chat.getByRole('button', { name: 'Start chat' }).click();
  await chat.getByRole('alert').waitFor();
  await box.check();
  await chat.getByRole('button', { name: 'Start chat' }).click();
  await chat.getByPlaceholder('Write a message…').fill('Hello');
  await chat.getByPlaceholder('Write a message…').press('Enter');
  await chat.locator('.bubble-own').getByText('Hello').waitFor();

  const { body } = await app.rest(site.read, 'GET', '/v1/visitors');
  const [{ key }]: Json[] = body.data;
  await desk.goto(`${url}/app/visitors/${key}`);
  await desk.getByRole('link', { name: 'privacy policy' }).waitFor();
  await desk.getByText(/^Agreed /).waitFor();
  await context.close();
});
