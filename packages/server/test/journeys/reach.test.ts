import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Shop, startShop } from '../../../sdk/test/shop.ts';
import { startTestApp, type TestApp, type TestSite } from '../app.ts';
import { openBrowser, type TestBrowser } from '../chromium.ts';
import { type Faces, openFaces } from '../faces.ts';
import { freePort } from '../foyer-process.ts';
import { type Mailbox, startMailbox } from '../mailbox.ts';

// What an agent is told of a visitor who won't read the reply now.

let browser: TestBrowser;
let mailbox: Mailbox;
let shop: Shop;
let url: string;
let app: TestApp;
let site: TestSite;
let cookie: string;
/** How far the server's clock is ahead: who has just left a page may only be on the way to the next one. */
let aheadMs = 0;

beforeAll(async () => {
  [browser, mailbox, shop] = await Promise.all([openBrowser(), startMailbox(), startShop()]);
  const port = await freePort();
  url = `http://localhost:${port}`;
  const mail = { SMTP_URL: mailbox.url, FOYER_MAIL_FROM: 'help@shop.example' };
  const now = (): Date => new Date(Date.now() + aheadMs);
  app = await startTestApp({ PORT: String(port), ...mail }, { now });
});
beforeEach(async () => {
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
  shop.page.html = `<!doctype html><html lang="en"><title>Shop</title><script src="${url}/assets/js/visitor-sdk.js" data-site="${site.publicKey}" async></script><p>A shop`;
});
afterAll(async () => {
  await browser.close();
  await Promise.all([app.close(), mailbox.close(), shop.stop()]);
});

/** A visitor who writes and asks for a person; with an address where one is given. */
async function askForPerson(email?: string): Promise<Page> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(shop.origin);
  await page.getByRole('button', { name: 'Open chat' }).click();
  const chat = page.frameLocator('iframe[title=Chat]');
  await chat.getByRole('button', { name: 'Talk to a person' }).click();
  await chat.getByText('The team is away right now').first().waitFor();
  if (email !== undefined) {
    await chat.getByRole('textbox', { name: 'Your email address' }).fill(email);
    await chat.getByRole('button', { name: 'Save email' }).click();
    await chat.getByText(`We’ll write to ${email}`).waitFor();
  }
  return page;
}

async function leave(page: Page): Promise<void> {
  await page.goto('about:blank');
  aheadMs += 15_000;
}

/** An agent who joins the chat that waits. */
async function joinChat(): Promise<Faces> {
  const faces = await openFaces(browser, { url, cookie });
  faces.page.setDefaultTimeout(25_000);
  const { rows } = await app.app.database.pool.query(
    'select session_id from conversations where site_id = $1',
    [site.site.id],
  );
  await faces.page.goto(`${url}/app/inbox/${rows[0].session_id}`);
  await faces.page.getByRole('button', { name: 'Join chat' }).click();
  await faces.page.getByRole('textbox', { name: 'Reply' }).waitFor();
  return faces;
}

it('of one who has left it says that they see the reply when they come back, and until then nothing', async () => {
  const visitor = await askForPerson();
  const { page, context, look, found } = await joinChat();
  const left = page.getByText(/isn’t on the site and sees your reply when they come back\.$/);
  expect(await left.count()).toBe(0);
  await leave(visitor);
  await left.waitFor();
  await look('reach-left');
  expect(found).toEqual([]);
  await context.close();
});

it('of one who left an address it leads to the ticket, whose replies are emailed; of one who was erased it says so', async () => {
  const visitor = await askForPerson('priya@visitor.example');
  const { page, context, look, found } = await joinChat();
  await leave(visitor);
  const chat = page.url();
  const reach = page.getByText(/to email priya@visitor\.example/);
  await reach.waitFor();
  await look('reach-left-email');
  await reach.getByRole('link', { name: /^Ticket #/ }).click();
  await page.getByText('Replies are emailed to priya@visitor.example.').waitFor();
  const { rows } = await app.app.database.pool.query('select key from visitors where site_id = $1', [
    site.site.id,
  ]);
  await app.rest(site.write, 'DELETE', `/v1/visitors?key=${rows[0].key}`);
  const erased = page.getByText('This visitor’s data was erased. Nobody can read a reply.');
  const ticket = page.url();
  await page.goto(chat);
  await erased.waitFor();
  await page.goto(ticket);
  await erased.waitFor();
  expect(found).toEqual([]);
  await context.close();
});
