import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeAgent } from '../accounts.ts';
import { type Json, startTestApp, type TestApp, type TestSite } from '../app.ts';
import { openBrowser, type TestBrowser } from '../chromium.ts';
import { signInto } from '../desk-session.ts';
import { TestSocket } from '../sockets.ts';

// One person, one browser, several sites: a shop, and a bakery that the desk creates. The tests build on each other.

const SCREENSHOTS = fileURLToPath(new URL('../../../../screenshots/sites/', import.meta.url));
const PICTURED = process.env.SCREENSHOTS === 'true';
const SIZES = [
  [1440, 900],
  [1024, 768],
  [390, 844],
] as const;

let browser: TestBrowser;
let app: TestApp;
let shop: TestSite;
let cookie: string;
let context: BrowserContext;
/** Ada's tabs: the bakery's, once it exists, and the shop's. */
let page: Page;
let shopTab: Page;
/** A visitor's chat in the shop. */
let lampChat: string;
let bakery: { id: number; publicKey: string };

beforeAll(async () => {
  if (PICTURED) await mkdir(SCREENSHOTS, { recursive: true });
  [browser, app] = await Promise.all([openBrowser(), startTestApp()]);
  shop = await app.makeSite();
  cookie = await app.signIn(shop.admin.email);
  context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  await signInto(context, cookie, app.url);
  page = await context.newPage();
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

const siteMenu = (tab: Page, name: string) => tab.getByRole('button', { name: `Site: ${name}` });
const isAt = (tab: Page, name: string) => siteMenu(tab, name).filter({ visible: true }).waitFor();
const chats = (tab: Page) => tab.getByRole('list', { name: 'Chats and tickets' });
const reply = (tab: Page) => tab.getByRole('textbox', { name: 'Reply' });

/** Takes a screenshot for people to look at, if SCREENSHOTS=true. */
async function shot(tab: Page, name: string): Promise<void> {
  if (!PICTURED) return;
  for (const colorScheme of ['light', 'dark'] as const) {
    await tab.emulateMedia({ colorScheme });
    for (const [width, height] of SIZES) {
      await tab.setViewportSize({ width, height });
      await tab.screenshot({ path: join(SCREENSHOTS, `${name}-${colorScheme}-${width}.png`) });
    }
  }
  await tab.emulateMedia({ colorScheme: 'light' });
  await tab.setViewportSize({ width: 1440, height: 900 });
}

/** A visitor asks for a person. @returns the chat's session id */
async function ask(publicKey: string, text: string): Promise<string> {
  const { socket } = await TestSocket.visitor(app.url, publicKey);
  const said = { session_id: null, client_id: randomUUID(), text };
  const { session } = (await socket.call('chat.send', said)) as Json;
  await socket.call('chat.request_person', { session_id: session.session_id, client_id: randomUUID() });
  socket.cut();
  return session.session_id;
}

async function switchTo(tab: Page, from: string, to: string): Promise<void> {
  await siteMenu(tab, from).click();
  await tab.getByRole('menuitemradio', { name: to }).click();
}

const notice = (tab: Page) => tab.getByText('You can’t open that site');

it('an admin creates a second site in the desk, and starts with its first steps', async () => {
  await page.goto(`${app.url}/app/inbox`);
  await siteMenu(page, 'Lantern & Loom').click();
  await page.getByRole('menuitem', { name: 'New site' }).click();
  await page.getByLabel('Site name').fill('Bakery');
  await shot(page, 'new-site');
  await page.getByRole('button', { name: 'Create site' }).click();
  await page.waitForURL(`${app.url}/app/first-steps`);
  await isAt(page, 'Bakery');
  await page.getByRole('heading', { name: 'First steps' }).waitFor();
  const { body } = await app.desk(cookie, 'me.get');
  const { id } = body.data.sites.find(({ name }: Json) => name === 'Bakery');
  const me = (await app.desk(cookie, 'me.get', {}, id)).body.data;
  expect(me.agent.role).toBe('admin');
  bakery = { id, publicKey: me.site.public_key };
  await shot(page, 'first-steps');
});

it('two tabs show different sites, and each only its own live messages', async () => {
  shopTab = await context.newPage();
  await shopTab.goto(`${app.url}/app/inbox?site=${shop.site.id}`);
  await isAt(shopTab, 'Lantern & Loom');
  expect(shopTab.url()).toBe(`${app.url}/app/inbox`);
  await page.goto(`${app.url}/app/inbox`);
  await isAt(page, 'Bakery');
  await ask(bakery.publicKey, 'Do you bake rye bread?');
  lampChat = await ask(shop.publicKey, 'Does the lamp come with a bulb?');
  await chats(page).getByText('Do you bake rye bread?').waitFor();
  await chats(shopTab).getByText('Does the lamp come with a bulb?').waitFor();
  expect(await page.getByText('Does the lamp').count()).toBe(0);
  expect(await shopTab.getByText('Do you bake').count()).toBe(0);
  await shot(page, 'inbox');
  await page.reload();
  await shopTab.reload();
  await isAt(page, 'Bakery');
  await isAt(shopTab, 'Lantern & Loom');
  await expect.poll(() => page.title()).toContain('Inbox · Bakery');
});

it('a draft stays on its site while its author is on the other', async () => {
  await chats(shopTab).getByText('Does the lamp').click();
  await shopTab.getByRole('button', { name: 'Join chat' }).click();
  await reply(shopTab).fill('It does, a warm white one');
  await switchTo(shopTab, 'Lantern & Loom', 'Bakery');
  await isAt(shopTab, 'Bakery');
  await chats(shopTab).getByText('Do you bake rye bread?').waitFor();
  expect((await app.desk(cookie, 'drafts.list', {}, bakery.id)).body.data).toEqual([]);
  expect(await shopTab.getByText('It does').count()).toBe(0);
  await switchTo(shopTab, 'Bakery', 'Lantern & Loom');
  await isAt(shopTab, 'Lantern & Loom');
  await shopTab.goto(`${app.url}/app/inbox/${lampChat}`);
  await expect.poll(() => reply(shopTab).inputValue()).toBe('It does, a warm white one');
});

it('switching with a chosen file or an unsaved form opens a dialog', async () => {
  const file = { name: 'bulb.txt', mimeType: 'text/plain', buffer: Buffer.from('E27') };
  await shopTab.locator('input[type=file]').first().setInputFiles(file);
  await shopTab.getByText('bulb.txt').waitFor();
  await switchTo(shopTab, 'Lantern & Loom', 'Bakery');
  const question = shopTab.getByRole('alertdialog', { name: 'Discard chosen files?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await shopTab.getByText('bulb.txt').waitFor();
  await switchTo(shopTab, 'Lantern & Loom', 'Bakery');
  await question.getByRole('button', { name: 'Switch site' }).click();
  await isAt(shopTab, 'Bakery');

  await shopTab.goto(`${app.url}/app/settings/site`);
  await shopTab.getByLabel('Name', { exact: true }).fill('Bakery & Sons');
  await switchTo(shopTab, 'Bakery', 'Lantern & Loom');
  const leave = shopTab.getByRole('alertdialog', { name: 'Leave without saving?' });
  await leave.getByRole('button', { name: 'Stay' }).click();
  expect(await shopTab.getByLabel('Name', { exact: true }).inputValue()).toBe('Bakery & Sons');
  await switchTo(shopTab, 'Bakery', 'Lantern & Loom');
  await leave.getByRole('button', { name: 'Leave' }).click();
  await isAt(shopTab, 'Lantern & Loom');
});

it('the palette switches too, and a new tab opens the last opened site', async () => {
  await shopTab.keyboard.press('Control+K');
  await shopTab.getByRole('dialog').getByRole('combobox').waitFor();
  await shopTab.keyboard.type('Switch site bakery');
  await shopTab.getByRole('option', { name: 'Switch site · Bakery', selected: true }).waitFor();
  await shopTab.keyboard.press('Enter');
  await isAt(shopTab, 'Bakery');
  const next = await context.newPage();
  await next.goto(app.url);
  await isAt(next, 'Bakery');
  await next.close();
  await switchTo(shopTab, 'Bakery', 'Lantern & Loom');
  await isAt(shopTab, 'Lantern & Loom');
});

it('a link that is opened in a new tab stays on its site', async () => {
  await page.bringToFront();
  // On a busy machine Playwright sometimes never reports a tab that a click has opened.
  const cdp = await context.browser()?.newBrowserCDPSession();
  if (!cdp) throw new Error('the browser has ended');
  const tabs = async () =>
    (await cdp.send('Target.getTargets')).targetInfos.filter(({ type }) => type === 'page');
  const known = new Set((await tabs()).map(({ targetId }) => targetId));
  await chats(page)
    .getByText('Do you bake rye bread?')
    .click({ modifiers: ['ControlOrMeta'] });
  const beside = async () => (await tabs()).filter(({ targetId }) => !known.has(targetId));
  const titles = async () => (await beside()).map(({ title }) => title);
  await expect.poll(titles, { timeout: 60_000 }).toEqual([expect.stringContaining('Bakery')]);
  const [tab] = await beside();
  const { pathname, searchParams } = new URL(tab?.url ?? '');
  expect(pathname).toMatch(/^\/app\/inbox\/ses_/);
  expect(searchParams.has('site')).toBe(false);
  await cdp.send('Target.closeTarget', { targetId: tab?.targetId ?? '' });
  await cdp.detach();
  await isAt(page, 'Bakery');
});

it('an invitation to another site opens that site for a person who is signed in', async () => {
  const market = await app.makeSite();
  const theirs = await app.signIn(market.admin.email);
  await app.desk(theirs, 'site.update', { name: 'Market' });
  const invited = (await app.desk(theirs, 'agents.invite', { email: shop.admin.email, role: 'agent' })).body
    .data;
  const tab = await context.newPage();
  await tab.goto(invited.url.replace(/^https?:\/\/[^/]+/, app.url));
  await tab.getByLabel('Your name').fill('Ada');
  await tab.getByLabel('Password').fill('correct horse battery');
  await tab.getByRole('button', { name: 'Join' }).click();
  await isAt(tab, 'Market');
  await siteMenu(tab, 'Market').click();
  await shot(tab, 'menu');
  expect(await tab.getByRole('menuitemradio').allTextContents()).toEqual([
    'Lantern & Loom',
    'Bakery',
    'Market',
  ]);
  // Only admins create sites.
  expect(await tab.getByRole('menuitem', { name: 'New site' }).count()).toBe(0);

  const { agents } = (await app.desk(theirs, 'agents.list')).body.data;
  const { id } = agents.find(({ name, role }: Json) => name === 'Ada' && role === 'agent');
  await app.desk(theirs, 'agents.remove', { id });
  await notice(tab).waitFor();
  await isAt(tab, 'Lantern & Loom');
  await shot(tab, 'removed');
  await tab.reload();
  await isAt(tab, 'Lantern & Loom');
  expect(await notice(tab).count()).toBe(0);
  await tab.close();
});

it('a link to a foreign site opens your own first site, and says why', async () => {
  const foreign = await app.makeSite();
  const tab = await context.newPage();
  await tab.goto(`${app.url}/app/settings/agents?site=${foreign.site.id}`);
  await notice(tab).waitFor();
  await isAt(tab, 'Lantern & Loom');
  await tab.close();
});

it('people with one site see no site switcher, and agents can’t create sites', async () => {
  const email = `ben-${randomUUID()}@example.com`;
  await makeAgent(shop.operator, { email, name: 'Ben', role: 'agent' });
  const own = await browser.newPage();
  await own.goto(`${app.url}/app/inbox`);
  await own.getByLabel('Email').fill(email);
  await own.getByLabel('Password').fill('correct horse battery');
  await own.keyboard.press('Enter');
  await own.getByRole('heading', { name: 'Inbox' }).waitFor();
  await own.keyboard.press('Control+K');
  await own.getByRole('dialog').getByRole('combobox').waitFor();
  await own.keyboard.type('site');
  await own.getByRole('option').first().waitFor();
  expect(await own.getByRole('option', { name: /Switch site|Create site/ }).count()).toBe(0);
  expect(await siteMenu(own, 'Lantern & Loom').count()).toBe(0);
});
