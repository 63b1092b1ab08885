import type { VisitorHere } from '@foyer/protocol';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Shop, startShop } from '../../../sdk/test/shop.ts';
import { startTestApp, type TestApp, type TestSite } from '../app.ts';
import { openBrowser, type TestBrowser } from '../chromium.ts';
import { openFaces } from '../faces.ts';
import { freePort } from '../foyer-process.ts';
import { snippetFor } from '../snippet.ts';

// A visitor who only views a page of another origin with the snippet of the docs, and an agent at the list of visitors.

let browser: TestBrowser;
let app: TestApp;
let shop: Shop;
/** The address for browsers: another site than the shop's 127.0.0.1. */
let url: string;
let site: TestSite;
let cookie: string;
let context: BrowserContext;
/** How far the server's clock is ahead. */
let aheadMs = 0;

beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  [browser, app, shop] = await Promise.all([
    openBrowser(),
    startTestApp({ PORT: String(port), HOST: 'localhost' }, { now: () => new Date(Date.now() + aheadMs) }),
    startShop(),
  ]);
});
beforeEach(async () => {
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
  context = await browser.newContext({ timezoneId: 'Europe/Vienna' });
  const snippet = snippetFor(url, site.publicKey);
  shop.page.html = `<!doctype html><title>Lamps</title>${snippet}<a href="/cart">Cart</a>`;
});
afterEach(() => context.close());
afterAll(async () => {
  await browser?.close();
  await Promise.all([app?.close(), shop?.stop()]);
});

const desk = async (operation: string, input: object = {}) =>
  (await app.desk(cookie, operation, input)).body.data;
const here = () => desk('visitors.here');
/** Records every request of a page; `calls`: those that may contain something about the visitor. */
const follow = (page: Page) => {
  const paths: string[] = [];
  page.on('request', (request) => paths.push(new URL(request.url()).pathname));
  return { calls: () => paths.filter((path) => /^\/widget\/(?!config)|^\/v1/.test(path)) };
};
const LEFT = `(async () => [
  ...Object.keys(localStorage),
  ...Object.keys(sessionStorage),
  ...(await indexedDB.databases()).map(({ name }) => name),
  document.cookie,
].filter(Boolean))()`;

it('an agent sees a visitor arrive, go to another page and leave without opening the chat', async () => {
  const { page: inDesk, found } = await openFaces(browser, { cookie, url });
  await inDesk.goto(`${url}/app/visitors/here`);
  await inDesk.getByText('Nobody on your site right now').waitFor();

  const page = await context.newPage();
  await page.goto(`${shop.origin}/lamps?order=secret`, { referer: 'https://search.example/find?q=lamps' });
  const row = inDesk.getByRole('listitem').filter({ hasText: 'Lamps' });
  await row.getByText('Austria').waitFor();
  await row.getByText('from search.example').waitFor();
  expect(await row.getByRole('link', { name: 'Lamps' }).getAttribute('href')).toBe(`${shop.origin}/lamps`);
  expect(await row.getByRole('button', { name: /^Message / }).count()).toBe(1);

  await page.evaluate(`history.pushState(null, '', '/desks'); document.title = 'Desks'`);
  const desks = inDesk.getByRole('listitem').filter({ hasText: 'Desks' });
  await desks.getByText('2 pages').waitFor();
  shop.page.html = shop.page.html.replace('<title>Lamps', '<title>Your cart');
  await page.getByRole('link', { name: 'Cart' }).click();
  const cart = inDesk.getByRole('listitem').filter({ hasText: 'Your cart' });
  await cart.getByText('3 pages').waitFor();
  await cart.getByText('from search.example').waitFor();
  expect(await inDesk.getByRole('listitem').filter({ hasText: 'On the site for' }).count()).toBe(1);
  expect(await page.evaluate(LEFT)).toEqual([]);

  await page.close();
  await expect.poll(async () => (await here()).length).toBe(1);
  aheadMs += 11_000;
  await inDesk.getByText('Nobody on your site right now').waitFor();
  expect(found).toEqual([]);
});

it('a visitor who opens the chat stays the same row, and can then be written to', async () => {
  const page = await context.newPage();
  await page.goto(`${shop.origin}/lamps`);
  await expect.poll(async () => (await here()).length).toBe(1);
  const [before] = await here();
  expect(before).toMatchObject({ has_chat: false, pages: 1, country: 'AT' });
  await page.getByRole('button', { name: 'Open chat' }).click();
  await expect.poll(async () => (await here())[0]?.has_chat).toBe(true);
  expect(await here()).toMatchObject([
    { since_utc: before.since_utc, visitor: before.visitor, country: 'AT' },
  ]);
  expect((await desk('visitors.count_here')).count).toBe(1);
});

const chats = async (): Promise<number> => {
  const { rows } = await app.app.database.pool.query(
    'select count(*)::int as count from conversations where site_id = $1',
    [site.site.id],
  );
  return rows[0].count;
};

/** An agent at the list writes to the visitor whose page has this title. */
async function write(inDesk: Page, title: string, text: string): Promise<void> {
  const row = inDesk.getByRole('listitem').filter({ hasText: title });
  await row.getByRole('button', { name: /^Message / }).click();
  await inDesk.getByRole('dialog').getByRole('textbox').fill(text);
  await inDesk.getByRole('button', { name: 'Send' }).click();
  await inDesk.getByRole('status').filter({ hasText: 'Connecting to the visitor’s page' }).waitFor();
}

it('an agent’s message reaches a visitor who never opened the chat, and the answer is a chat with that agent', async () => {
  const { page: inDesk, found, allow } = await openFaces(browser, { cookie, url });
  // Until the page has connected.
  allow(/409/);
  await inDesk.goto(`${url}/app/visitors/here`);
  const page = await context.newPage();
  await page.goto(`${shop.origin}/lamps`);
  await page.frameLocator('iframe[title=Chat]').locator('#app').waitFor({ state: 'attached' });
  await write(inDesk, 'Lamps', 'Shall I help you choose?');
  expect(await page.evaluate(LEFT)).toEqual([]);
  // A change of page sends the next report at once.
  await page.evaluate(`history.pushState(null, '', '/desks')`);
  await inDesk.waitForURL(/inbox/);
  await page.getByRole('button', { name: /1 unread/ }).waitFor();
  expect(await page.getByRole('button', { name: /Close chat/ }).count()).toBe(0);

  // Unanswered, it is also on the same visitor's next page.
  await page.getByRole('link', { name: 'Cart' }).click();
  await page.getByRole('button', { name: /1 unread/ }).waitFor();
  const key = await page.evaluate(`JSON.parse(localStorage.getItem('svc.visitor') ?? '{}').key`);
  expect((await here()).map(({ visitor }: VisitorHere) => visitor.key)).toEqual([key]);
  await page.getByRole('button', { name: /1 unread/ }).click();
  const chat = page.frameLocator('iframe[title=Chat]');
  await chat.getByText('Shall I help you choose?').last().click();
  await chat.getByRole('textbox').fill('Yes, please');
  await chat.getByRole('textbox').press('Enter');
  await inDesk.getByText('Yes, please').last().waitFor();
  const [person] = await here();
  expect(person).toMatchObject({ recorded: true, chat: { status: 'active', agent: { name: 'Ada' } } });
  expect(found).toEqual([]);
});

it('a visitor who leaves before gets no message, and the agent sees that', async () => {
  const { page: inDesk } = await openFaces(browser, { cookie, url });
  await inDesk.goto(`${url}/app/visitors/here`);
  const page = await context.newPage();
  await page.goto(`${shop.origin}/lamps`);
  await write(inDesk, 'Lamps', 'Shall I help you choose?');
  await page.close();
  await expect
    .poll(async () => {
      aheadMs += 11_000;
      return (await here()).length;
    })
    .toBe(0);
  await inDesk.getByText('This visitor has left the site. Nothing was sent.').waitFor();
  expect((await here()).filter(({ recorded }: VisitorHere) => recorded)).toEqual([]);
  expect(await chats()).toBe(0);
  expect(await inDesk.getByRole('dialog').getByRole('textbox').inputValue()).toBe('Shall I help you choose?');
});

it('an agent who cancels while the page connects sends nothing', async () => {
  const { page: inDesk } = await openFaces(browser, { cookie, url });
  await inDesk.goto(`${url}/app/visitors/here`);
  const page = await context.newPage();
  await page.goto(`${shop.origin}/lamps`);
  await page.frameLocator('iframe[title=Chat]').locator('#app').waitFor({ state: 'attached' });
  await write(inDesk, 'Lamps', 'Shall I help you choose?');
  await inDesk.getByRole('button', { name: 'Cancel' }).click();
  await page.evaluate(`history.pushState(null, '', '/desks')`);
  await expect.poll(async () => (await here())[0]?.has_chat).toBe(true);
  expect((await here()).filter(({ recorded }: VisitorHere) => recorded)).toEqual([]);
  expect(await chats()).toBe(0);
  await page.getByRole('button', { name: 'Open chat', exact: true }).waitFor();
});

it('if live visitors are off, no page reports anything', async () => {
  await desk('site.update', { live_visitors: false });
  const page = await context.newPage();
  const { calls } = follow(page);
  await page.goto(shop.origin);
  await page.getByRole('button', { name: 'Open chat' }).waitFor();
  await page.frameLocator('iframe[title=Chat]').locator('#app').waitFor({ state: 'attached' });
  await page.waitForLoadState('networkidle');
  expect(
    calls().filter((path) => !path.startsWith(`/widget/${site.publicKey}`) && !path.includes('assets')),
  ).toEqual([]);
  expect(await here()).toEqual([]);
});

it('if the site asks for consent, a page reports nothing before it is given', async () => {
  await desk('site.update', { consent: true });
  const page = await context.newPage();
  const { calls } = follow(page);
  await page.goto(shop.origin);
  await page.getByRole('button', { name: 'Open chat' }).waitFor();
  await page.waitForLoadState('networkidle');
  expect(calls()).toEqual([]);
  expect(await here()).toEqual([]);
  await page.evaluate(`svc('boot')`);
  await expect.poll(async () => (await here()).length).toBe(1);
});

it.each(['doNotTrack', 'globalPrivacyControl'])(
  'a browser that asks by %s not to be followed isn’t listed',
  async (sign) => {
    const value = sign === 'doNotTrack' ? "'1'" : 'true';
    const page = await context.newPage();
    await page.addInitScript(
      `Object.defineProperty(Navigator.prototype, '${sign}', { get: () => ${value} })`,
    );
    const { calls } = follow(page);
    await page.goto(shop.origin);
    await page.frameLocator('iframe[title=Chat]').locator('#app').waitFor({ state: 'attached' });
    await page.waitForLoadState('networkidle');
    expect(calls()).not.toContain('/widget/live');
    expect(await here()).toEqual([]);
  },
);
