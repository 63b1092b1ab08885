import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Shop, startShop } from '../../../sdk/test/shop.ts';
import { type Json, startTestApp, type TestApp, type TestSite } from '../app.ts';
import { openBrowser, type TestBrowser } from '../chromium.ts';
import { goWithin } from '../desk-tabs.ts';
import { openFaces } from '../faces.ts';
import { freePort } from '../foyer-process.ts';
import { snippetFor } from '../snippet.ts';

// A rule from its template to its first run, which a visitor triggers in the widget.

let browser: TestBrowser;
let app: TestApp;
let shop: Shop;
let site: TestSite;
let url: string;

beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  [browser, app, shop] = await Promise.all([
    openBrowser(),
    startTestApp({ PORT: String(port) }),
    startShop(),
  ]);
  site = await app.makeSite('growth');
});
afterAll(async () => {
  await browser.close();
  await Promise.all([app.close(), shop.stop()]);
});

/** An anonymous visitor asks something on a page of the shop. */
async function ask(path: string, text: string): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  await page.goto(`${shop.origin}${path}`);
  await page.getByRole('button', { name: 'Open chat' }).click();
  const chat = page.frameLocator('iframe[title=Chat]');
  await chat.getByRole('button', { name: /Send us a message/ }).click();
  await chat.getByPlaceholder('Write a message…').fill(text);
  await chat.getByPlaceholder('Write a message…').press('Enter');
  await chat.locator('.bubble-own').getByText(text).waitFor();
  await context.close();
}

/** The chats in order of their start: page, tags, and whether the bot has them. */
async function chats(): Promise<[path: string, tags: string[], isWithBot: boolean][]> {
  const { body } = await app.rest(site.read, 'GET', '/v1/conversations');
  return body.data
    .toSorted((one: Json, other: Json) => (one.started_utc < other.started_utc ? -1 : 1))
    .map((one: Json) => [one.page_url.slice(shop.origin.length), one.tags, one.status === 'bot']);
}

it('an admin creates a rule from a template, tries and enables it, and sees in its log what it did', {
  timeout: 180_000,
}, async () => {
  shop.page.html = `<!doctype html><title>Shop</title>${snippetFor(url, site.publicKey)}<p>A shop`;
  await ask('/checkout', 'Is this safe?');
  const { page, look, found } = await openFaces(browser, { cookie: await app.signIn(site.admin.email), url });
  await page.goto(`${url}/app/settings/rules`);
  await page.getByText('No rules yet').waitFor();
  await look('rules-none');
  await page.getByRole('link', { name: 'Help at the checkout' }).click();

  // An error is shown beside the missing value.
  await page.getByLabel('Value').fill(' ');
  await page.getByRole('button', { name: 'Create rule' }).click();
  await page.getByText('Value is missing').waitFor();
  await look('rule-new');
  await page.getByLabel('Value').fill('/checkout');
  await page.getByRole('button', { name: 'Try on the last 500 chats' }).click();
  await page.getByText('1 of 1 would match').waitFor();
  await page.getByText(/^In each chat, it would call a person and add the tag .?checkout.?\.$/).waitFor();
  await page.getByText(/^Because the page contains .?\/checkout.?$/).waitFor();
  await look('rule-tried');
  await page.getByRole('button', { name: 'Create rule' }).click();
  const enabled = page.getByRole('switch', { name: 'Enabled' });
  await page.getByText('No runs yet').waitFor();
  expect(await enabled.isChecked()).toBe(false);

  // It does nothing until it is enabled, and then nothing to earlier chats.
  await ask('/checkout', 'Are you there?');
  await enabled.click();
  await expect
    .poll(async () => (await app.rest(site.read, 'GET', '/v1/rules')).body.data[0].enabled)
    .toBe(true);
  await ask('/about', 'Who are you?');
  await ask('/checkout?step=2', 'May I pay later?');
  await expect.poll(chats).toEqual([
    ['/checkout', [], true],
    ['/checkout', [], true],
    ['/about', [], true],
    ['/checkout?step=2', ['checkout'], false],
  ]);

  await page.reload();
  const log = page.getByRole('list', { name: 'Rule log' }).getByRole('listitem');
  await log.getByText(/^Ran when a chat starts, because the page contains .?\/checkout.?\./).waitFor();
  await look('rule');
  expect(await log.count()).toBe(1);
  await log.getByRole('link', { name: 'Chat' }).click();
  await page.getByText('May I pay later?').first().waitFor();

  await app.rest(site.write, 'POST', '/v1/rules', {
    name: 'Old',
    trigger: { on: 'ticket_created' },
    conditions: { all: [{ tag: 'gone' }] },
    actions: [{ type: 'set_priority', priority: 'low' }],
    final: true,
  });
  await goWithin(page, '/app/settings/rules');
  const rows = page.getByRole('list', { name: 'Rules', exact: true });
  await rows.getByText(/the tag .?gone.?, which no longer exists/).waitFor();
  await rows.getByText('last ran').waitFor();
  await look('rules');
  await rows.getByRole('link', { name: /^Old/ }).focus();
  await page.keyboard.press('Alt+ArrowUp');
  await page.getByText('Old moved to position 1 of 2').waitFor();
  await expect
    .poll(async () =>
      (await app.rest(site.read, 'GET', '/v1/rules?order=asc')).body.data.map(({ name }: Json) => name),
    )
    .toEqual(['Old', 'Help at the checkout']);
  await page.getByRole('link', { name: 'Rule log' }).click();
  const all = page.getByRole('list', { name: 'Rule log' });
  await all.getByRole('link', { name: 'Help at the checkout' }).waitFor();
  await look('rule-log');
  expect(found).toEqual([]);
});
