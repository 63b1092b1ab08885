import type { BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Shop, startShop } from '../../../sdk/test/shop.ts';
import { startTestApp, type TestApp, type TestSite } from '../app.ts';
import { openBrowser, type TestBrowser } from '../chromium.ts';
import { goWithin } from '../desk-tabs.ts';
import { openFaces } from '../faces.ts';
import { freePort } from '../foyer-process.ts';
import { snippetFor } from '../snippet.ts';

// A proactive message on a shop's page, with the snippet of the docs and anonymous visitors.

/** The desk's first day of the week. */
const HOURS = [{ from: '09:00', to: '17:00' }];
const SCRIPT = '/assets/js/proactive.js';

let browser: TestBrowser;
let app: TestApp;
let shop: Shop;
let site: TestSite;
let url: string;
let id: number;

beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  [browser, app, shop] = await Promise.all([
    openBrowser(),
    startTestApp({ PORT: String(port) }),
    startShop(),
  ]);
  site = await app.makeSite();
  shop.page.html = `<!doctype html><html lang="en"><title>Shop</title>${snippetFor(url, site.publicKey)}<p>A shop`;
  const made = await app.rest(site.write, 'POST', '/v1/proactive_messages', {
    name: 'Pricing',
    texts: { en: 'Any **questions** about our prices?', ar: 'هل لديك **أسئلة** عن أسعارنا؟' },
    pages: ['/pricing'],
    after_s: 300,
    sender_id: site.admin.agentId,
    enabled: true,
  });
  id = made.body.data.id;
});
afterAll(async () => {
  await browser.close();
  await Promise.all([app.close(), shop.stop()]);
});

const countsOf = async (): Promise<number[]> => {
  const { seen, opened, answered } = (await app.rest(site.read, 'GET', `/v1/proactive_messages?id=${id}`))
    .body.data;
  return [seen, opened, answered];
};

/** A page of the shop whose clock the test moves. */
const open = async (context: BrowserContext, path: string) => {
  const page = await context.newPage();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.clock.install();
  await page.goto(shop.origin + path);
  await page.getByRole('button', { name: 'Open chat' }).waitFor();
  return { page, asked, bubble: page.getByRole('region', { name: 'Ada' }) };
};
/** Importing the script again waits until it is loaded and checks its messages. */
const isLooking = async ({ page, asked }: { page: Page; asked: string[] }) => {
  await expect.poll(() => asked).toContain(SCRIPT);
  await page.evaluate(`import('${url}${SCRIPT}').then(() => undefined)`);
};

it('a visitor sees a message once, on its page and after its time', { timeout: 120_000 }, async () => {
  const context = await browser.newContext();
  const first = await open(context, '/pricing/teams');
  await isLooking(first);
  await first.page.clock.runFor(200_000);
  expect(await first.bubble.count()).toBe(0);
  expect(await countsOf()).toEqual([0, 0, 0]);
  await first.page.clock.runFor(110_000);
  await first.bubble.getByText('Any questions about our prices?').waitFor();
  expect(await first.page.evaluate('document.activeElement === document.body')).toBe(true);
  expect(await countsOf()).toEqual([1, 0, 0]);

  await first.page.reload();
  const second = await open(context, '/pricing');
  for (const one of [first, second]) {
    await isLooking(one);
    await one.page.clock.runFor(400_000);
    expect(await one.bubble.count()).toBe(0);
  }
  expect(second.asked).not.toContain('/widget/proactive');
  expect(await countsOf()).toEqual([1, 0, 0]);
  await context.close();
});

it('another page loads nothing for it, and once closed it stays away', { timeout: 120_000 }, async () => {
  const context = await browser.newContext();
  const elsewhere = await open(context, '/about');
  await elsewhere.page.clock.runFor(400_000);
  expect(elsewhere.asked).not.toContain(SCRIPT);
  const here = await open(context, '/pricing');
  await isLooking(here);
  await here.page.clock.runFor(310_000);
  await here.bubble.waitFor();
  await here.page.keyboard.press('Escape');
  await here.bubble.waitFor({ state: 'detached' });
  const [seen] = await countsOf();
  await here.page.reload();
  await isLooking(here);
  await here.page.clock.runFor(400_000);
  expect(await here.bubble.count()).toBe(0);
  expect(await countsOf()).toEqual([seen, 0, 0]);
  await context.close();
});

it('in Arabic the bubble reads from right to left', { timeout: 120_000 }, async () => {
  const { page, look, found, context } = await openFaces(browser, { url: shop.origin, locale: 'ar' });
  await page.clock.install();
  await page.goto(`${shop.origin}/pricing`);
  const script = await page.waitForRequest((request) => request.url().endsWith(SCRIPT));
  await page.evaluate(`import('${script.url()}').then(() => undefined)`);
  await page.clock.runFor(310_000);
  const bubble = page.getByRole('region', { name: 'Ada' });
  const text = bubble.getByText('هل لديك أسئلة عن أسعارنا؟');
  await text.waitFor();
  for (const part of [bubble, text, bubble.getByRole('textbox')])
    expect(await part.evaluate((one) => one.computedStyleMap().get('direction')?.toString())).toBe('rtl');
  await bubble.getByRole('textbox').focus();
  await look('proactive-bubble-arabic');
  const leftOf = async (part: Locator): Promise<number> => (await part.boundingBox())?.x ?? Number.NaN;
  const [face, dismiss] = [bubble.locator('header > :first-child'), bubble.getByRole('button').first()];
  expect(await leftOf(dismiss)).toBeLessThan(await leftOf(face));
  expect(await leftOf(bubble.getByRole('button').last())).toBeLessThan(
    await leftOf(bubble.getByRole('textbox')),
  );
  expect(found).toEqual([]);
  await context.close();
});

it('an answer becomes a chat that begins with the message, at the desk too', {
  timeout: 120_000,
}, async () => {
  const { page, look, found, context } = await openFaces(browser, { url: shop.origin });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.clock.install();
  const [before = 0, opened = 0] = await countsOf();
  await page.goto(`${shop.origin}/pricing`);
  await page.getByRole('button', { name: 'Open chat' }).waitFor();
  await isLooking({ page, asked });
  await page.clock.runFor(310_000);
  const bubble = page.getByRole('region', { name: 'Ada' });
  await bubble.waitFor();
  await look('proactive-bubble');
  await bubble.getByRole('textbox', { name: 'Write a message…' }).fill('Do you ship to Norway?');
  await look('proactive-answer');
  await bubble.getByRole('button', { name: 'Send' }).click();
  await bubble.waitFor({ state: 'detached' });
  const chat = page.frameLocator('iframe[title=Chat]');
  await expect
    .poll(
      async () => {
        await page.clock.runFor(1_000);
        return chat.locator('.bubble').allInnerTexts();
      },
      {
        timeout: 60_000,
      },
    )
    .toEqual(expect.arrayContaining(['Any questions about our prices?', 'Do you ship to Norway?']));
  expect((await chat.locator('.bubble').allInnerTexts()).slice(0, 2)).toEqual([
    'Any questions about our prices?',
    'Do you ship to Norway?',
  ]);
  expect(await countsOf()).toEqual([before + 1, opened + 1, 1]);
  expect(found).toEqual([]);
  await context.close();

  const cookie = await app.signIn(site.admin.email);
  const { page: desk, look: lookAtDesk, found: foundAtDesk } = await openFaces(browser, { cookie, url });
  const { body } = await app.rest(site.read, 'GET', '/v1/conversations');
  const [{ session_id }] = body.data;
  await desk.goto(`${url}/app/inbox/${session_id}`);
  await desk.getByText('· Proactive message').waitFor();
  await desk.getByText('Any questions about our prices?').first().waitFor();
  await lookAtDesk('proactive-chat');

  await goWithin(desk, '/app/settings/proactive');
  const row = desk.getByRole('list', { name: 'Proactive messages' }).getByRole('link');
  await row.filter({ hasText: `${before + 1} seen · ${opened + 1} opened · 1 answered` }).waitFor();
  await lookAtDesk('proactive');
  await row.click();
  await desk.getByLabel('Text in English').fill('Any *other* questions?');
  await desk.locator('figure em').filter({ hasText: 'other' }).waitFor();
  await desk.getByRole('switch', { name: 'Only at certain hours of the week' }).click();
  const week = desk.getByRole('group', { name: 'Only at certain hours of the week' });
  await week.getByRole('checkbox', { name: 'Saturday' }).check();
  await week.getByRole('textbox', { name: 'Saturday, until' }).fill('13:30');
  await lookAtDesk('proactive-edit');
  await desk.getByRole('switch', { name: 'Show this message' }).click();
  await desk.getByRole('button', { name: 'Save' }).click();
  await desk.getByText('Saved', { exact: true }).waitFor();
  const { body: stored } = await app.rest(site.read, 'GET', `/v1/proactive_messages?id=${id}`);
  expect(stored.data).toMatchObject({
    enabled: false,
    texts: { en: 'Any *other* questions?' },
    after_s: 300,
    weekly: { monday: HOURS, saturday: [{ from: '09:00', to: '13:30' }], sunday: [] },
  });
  expect(foundAtDesk).toEqual([]);
});
