import type { FrameLocator } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Shop, startShop } from '../../../sdk/test/shop.ts';
import { startTestApp, type TestApp, type TestSite } from '../app.ts';
import { openBrowser, type TestBrowser } from '../chromium.ts';
import { type Faces, openFaces } from '../faces.ts';
import { freePort } from '../foyer-process.ts';
import { type Mailbox, startMailbox } from '../mailbox.ts';

// What a site promises a new visitor, if it can send mail and if it can't.

let browser: TestBrowser;
let mailbox: Mailbox;
let shop: Shop;
let url: string;
let app: TestApp;
let site: TestSite;
let cookie: string;

beforeAll(async () => {
  [browser, mailbox, shop] = await Promise.all([openBrowser(), startMailbox(), startShop()]);
  const port = await freePort();
  url = `http://localhost:${port}`;
  app = await startTestApp({ PORT: String(port) });
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
  shop.page.html = `<!doctype html><html lang="en"><title>Shop</title><script src="${url}/assets/js/visitor-sdk.js" data-site="${site.publicKey}" async></script><p>A shop`;
});
afterAll(async () => {
  await browser.close();
  await Promise.all([app.close(), mailbox.close(), shop.stop()]);
});

const setUpMail = async (): Promise<void> => {
  const { hostname, port } = new URL(mailbox.url);
  const server = { host: hostname, port: Number(port), security: 'starttls', user: null, from_name: null };
  const { status } = await app.desk(cookie, 'mail.set', { ...server, from_address: 'help@shop.example' });
  expect(status).toBe(200);
};

/** A new visitor who requests a person while the team is away. */
async function askForPerson({ page }: Faces): Promise<FrameLocator> {
  await page.goto(shop.origin);
  await page.getByRole('button', { name: 'Open chat' }).click();
  const chat = page.frameLocator('iframe[title=Chat]');
  await chat.getByRole('button', { name: 'Talk to a person' }).click();
  await chat.getByText('The team is away right now').first().waitFor();
  return chat;
}
const canAskForMail = async (chat: FrameLocator): Promise<boolean> => {
  await chat.getByRole('button', { name: 'More' }).click();
  const count = await chat.getByRole('menuitem', { name: 'Email me this chat' }).count();
  await chat.getByRole('button', { name: 'More' }).press('Escape');
  return count > 0;
};

it('a site promises a new visitor an email only while it can send one', async () => {
  const faces = await openFaces(browser, { url });
  const chat = await askForPerson(faces);
  const here = chat.getByText(
    'Leave your email so the team knows who you are. You’ll get the answer here in the chat.',
  );
  const there = chat.getByText('Leave your email and we’ll reply there.');
  await here.waitFor();
  await faces.look('without-mail-away');
  expect(await there.count()).toBe(0);
  expect(await canAskForMail(chat)).toBe(false);

  await setUpMail();
  await there.waitFor();
  expect(await here.count()).toBe(0);
  expect(await canAskForMail(chat)).toBe(true);
  await faces.look('with-mail-away');

  await app.desk(cookie, 'mail.clear');
  await here.waitFor();
  await chat.getByRole('textbox', { name: 'Your email address' }).fill('priya@visitor.example');
  await chat.getByRole('button', { name: 'Save email' }).click();
  const known = 'The team knows you as priya@visitor.example now. You’ll get the answer here in the chat.';
  await chat.getByText(known).waitFor();
  await faces.look('without-mail-left');
  await setUpMail();
  await chat.getByText('We’ll write to priya@visitor.example if we miss you here.').waitFor();
  await app.desk(cookie, 'mail.clear');
  expect(faces.found).toEqual([]);
  await faces.context.close();
});
