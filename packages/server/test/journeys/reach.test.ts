import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Shop, startShop } from '../../../sdk/test/shop.ts';
import { startTestApp, type TestApp, type TestSite } from '../app.ts';
import { openBrowser, type TestBrowser } from '../chromium.ts';
import { type Faces, openFaces } from '../faces.ts';
import { freePort } from '../foyer-process.ts';
import { type Mailbox, shown, startMailbox } from '../mailbox.ts';
import { allow, mail, openMailDesk, PROVEN } from '../mails/mail-desk.ts';

// What an agent sees about a visitor who won't read the reply now.

let browser: TestBrowser;
let mailbox: Mailbox;
let shop: Shop;
let url: string;
let app: TestApp;
let site: TestSite;
let cookie: string;
/** How far the server's clock is ahead: a visitor who has just left a page may be on the way to the next one. */
let aheadMs = 0;

beforeAll(async () => {
  [browser, mailbox, shop] = await Promise.all([openBrowser(), startMailbox(), startShop()]);
  const port = await freePort();
  url = `http://localhost:${port}`;
  const sending = { SMTP_URL: mailbox.url, FOYER_MAIL_FROM: 'help@shop.example', FOYER_MAIL_DOMAINS: '*' };
  const now = (): Date => new Date(Date.now() + aheadMs);
  app = await startTestApp({ PORT: String(port), ...sending }, { now });
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

/** A visitor who writes, asks for a person, and leaves the address if one is given. */
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

const firstChat = async (): Promise<string> => {
  const { rows } = await app.app.database.pool.query(
    'select session_id from conversations where site_id = $1 order by id limit 1',
    [site.site.id],
  );
  return rows[0].session_id;
};

/** An agent who joins the waiting chat. */
async function joinChat(): Promise<Faces> {
  const faces = await openFaces(browser, { url, cookie });
  faces.page.setDefaultTimeout(25_000);
  await faces.page.goto(`${url}/app/inbox/${await firstChat()}`);
  await faces.page.getByRole('button', { name: 'Join chat' }).click();
  await faces.page.getByRole('textbox', { name: 'Reply' }).waitFor();
  return faces;
}

it('the desk says that a visitor who has left sees the reply when they come back; before that, nothing', async () => {
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

it('if a visitor left an address but unread replies aren’t emailed, the desk links to the ticket, whose replies are; if the visitor was erased, it says so', async () => {
  await app.desk(cookie, 'site.update', { email_replies_after_min: null });
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

it('a visitor who has left gets the replies in one email, answers it, and finds everything in the chat; a new one continues a closed one', async () => {
  const desk = await openMailDesk({ db: app.app.database.db, makeSite: async () => site.operator });
  allow(desk.zone, 'visitor.example');
  const address = 'maya@visitor.example';
  /** The visitor replies to the newest mail with a mail program. */
  const answer = async (body: string): Promise<void> => {
    const sent = mailbox.received.at(-1);
    const to = sent?.headers['reply-to'] ?? '';
    const raw = mail({ From: `Maya <${address}>`, To: to, Subject: `Re: ${sent?.headers.subject}` }, body);
    const row = await desk.receive(raw, { envelopeFrom: address, envelopeTo: to, ...PROVEN });
    expect(row.state).toBe('chat');
  };
  const visitor = await askForPerson(address);
  visitor.setDefaultTimeout(20_000);
  const { page, context, look, found } = await joinChat();
  await leave(visitor);
  await page.getByText(`Replies that stay unread are emailed to ${address}.`).waitFor();
  const write = page.getByRole('textbox', { name: 'Reply' });
  for (const text of ['Yes, we have three.', 'Shall I reserve one?']) {
    await write.fill(text);
    await write.press('Enter');
    await page.getByRole('log').getByText(text).waitFor();
  }
  aheadMs += 12 * 60_000;
  await page.getByRole('log').getByText(`Emailed to ${address}`, { exact: true }).waitFor();
  const mails = mailbox.received.filter(({ to }) => to.includes(address));
  expect(mails).toHaveLength(1);
  expect(mails[0] && shown(mails[0])).toMatch(/Yes, we have three\.[\s\S]+Shall I reserve one\?/);
  await answer('One, please.\n\nOn Mon, 2 Nov 2026 at 10:00, Ada wrote:\n> Shall I reserve one?');
  await page.getByRole('log').getByText('One, please.').waitFor();
  await page.getByRole('log').getByText('Received by email').waitFor();
  expect(await page.getByText('On Mon, 2 Nov 2026').isVisible()).toBe(false);
  await page.getByText('Quoted text').click();
  await page.getByText('On Mon, 2 Nov 2026').waitFor();
  await look('chat-by-email');

  await visitor.goto(shop.origin);
  const chat = visitor.frameLocator('iframe[title=Chat]');
  await visitor.getByRole('button', { name: 'Open chat' }).click();
  await chat.getByText('One, please.').waitFor();
  const session_id = await firstChat();
  await app.desk(cookie, 'sessions.close', { session_id });
  await answer('And a bulb.');
  await chat.getByText('This chat was handed over to the team').click();
  await chat.getByText('And a bulb.').waitFor();
  await page.getByRole('link', { name: 'Continued in a newer chat' }).click();
  await page.getByRole('log').getByText('And a bulb.', { exact: true }).waitFor();
  await look('chat-continued');
  await page.getByRole('link', { name: 'Continues an earlier chat' }).click();
  await page.waitForURL(`**/${session_id}**`);
  expect(found).toEqual([]);
  await context.close();
});
