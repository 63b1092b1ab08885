import type { FrameLocator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type Shop, startShop } from '../../../sdk/test/shop.ts';
import { type Json, startTestApp, type TestApp, type TestSite } from '../app.ts';
import { openBrowser, type TestBrowser } from '../chromium.ts';
import { signInto } from '../desk-session.ts';
import { freePort } from '../foyer-process.ts';
import { until } from '../harness.ts';
import { snippetFor } from '../snippet.ts';

// An agent snoozes a chat; its anonymous visitor, on a page with the snippet of the docs, never notices, and ends the
// snooze by a message.

const HOUR_MS = 3_600_000;
let browser: TestBrowser;
let app: TestApp;
let site: TestSite;
let shop: Shop;
let url: string;
/** How far the server's clock is ahead. */
let aheadMs = 0;

beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  const now = (): Date => new Date(Date.now() + aheadMs);
  [browser, app, shop] = await Promise.all([
    openBrowser(),
    startTestApp({ PORT: String(port) }, { now }),
    startShop(),
  ]);
});
afterEach(async () => {
  aheadMs = 0;
  await Promise.all(browser.contexts().map((context) => context.close()));
});
afterAll(async () => {
  await browser.close();
  await shop.stop();
  await app.close();
});

interface Visitor {
  chat: FrameLocator;
  say(text: string): Promise<void>;
  /** Everything that the chat shows. */
  shown(): Promise<string>;
}

async function visit(): Promise<Visitor> {
  const snippet = snippetFor(url, site.publicKey);
  shop.page.html = `<!doctype html><title>Shop</title>${snippet}<p>A shop`;
  const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
  await page.goto(shop.origin);
  await page.getByRole('button', { name: 'Open chat' }).click();
  const chat = page.frameLocator('iframe[title=Chat]');
  await chat.getByRole('button', { name: /Send us a message/ }).click();
  const field = chat.getByPlaceholder('Write a message…');
  const log = chat.getByRole('region', { name: 'Chat', exact: true });
  return {
    chat,
    async say(text) {
      await field.fill(text);
      await field.press('Enter');
      await log.getByText(text, { exact: true }).waitFor();
    },
    shown: () => log.innerText(),
  };
}

const ask = async (operation: string, input: object): Promise<Json> => {
  const cookie = await app.signIn(site.admin.email);
  return (await app.desk(cookie, operation, input)).body.data;
};

/** The desk of the agent who has the visitor's chat, with that chat open. */
async function openStory(): Promise<{ visitor: Visitor; desk: Page; id: string }> {
  site = await app.makeSite();
  const visitor = await visit();
  await visitor.say('Do you repair lamps?');
  const found = async () => (await ask('sessions.list', { queue: 'all' }))[0]?.session_id;
  await until(async () => (await found()) !== undefined);
  const id: string = await found();
  await ask('sessions.accept', { session_id: id });
  await visitor.chat.getByText('Ada joined the chat').waitFor();
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
  });
  await signInto(context, await app.signIn(site.admin.email), url);
  const desk = await context.newPage();
  await desk.goto(`${url}/app/inbox/${id}?queue=mine`);
  await desk.getByRole('textbox', { name: 'Reply' }).waitFor();
  // Its key works once its button is visible.
  await desk.getByRole('button', { name: 'Snooze', exact: true }).waitFor();
  return { visitor, desk, id };
}

const rows = (desk: Page) => desk.getByRole('list', { name: 'Chats and tickets' }).getByRole('link');
const queue = (desk: Page, name: string) =>
  desk.getByRole('navigation', { name: 'Queues' }).getByRole('link', { name });
const banner = (desk: Page) =>
  desk.getByRole('region', { name: 'Chat', exact: true }).getByText(/^Snoozed until/);

async function snooze(desk: Page, text: string): Promise<void> {
  await desk.locator('body').press('z');
  await desk.getByLabel('Snooze until').fill(text);
  await desk.keyboard.press('Enter');
  await banner(desk).waitFor();
}

it('a chat that is snoozed by keyboard leaves the queue; Undo or a message of its visitor returns it', async () => {
  const { visitor, desk } = await openStory();
  await rows(desk).first().waitFor();
  const shown = await visitor.shown();
  await snooze(desk, 'next friday 9am');
  expect(await banner(desk).innerText()).toMatch(/Fri.*9:00/);
  await rows(desk).first().waitFor({ state: 'detached' });
  await queue(desk, 'Snoozed 1').waitFor();

  await desk.getByRole('button', { name: 'Undo' }).click();
  await rows(desk).first().waitFor();
  await banner(desk).waitFor({ state: 'detached' });

  await snooze(desk, 'in 3 hours');
  await rows(desk).first().waitFor({ state: 'detached' });
  await queue(desk, 'Snoozed 1').click();
  await rows(desk)
    .getByText(/Until /)
    .waitFor();
  expect(await visitor.shown()).toBe(shown);

  await queue(desk, 'Mine').click();
  await visitor.say('And could I bring it tomorrow?');
  await rows(desk).getByText('And could I bring it tomorrow?').waitFor();
  await queue(desk, 'Mine 1').waitFor();
  await banner(desk).waitFor({ state: 'detached' });
});

it('it returns automatically as unread when its time is over, and at once from its banner or menu', async () => {
  const { desk } = await openStory();
  await snooze(desk, 'in 1 hour');
  await desk.getByRole('button', { name: 'Unsnooze' }).click();
  await banner(desk).waitFor({ state: 'detached' });
  await rows(desk).first().waitFor();

  await desk.getByRole('button', { name: 'More chat actions' }).click();
  await desk.getByRole('menuitem', { name: 'Snooze' }).click();
  const box = desk.getByRole('dialog').getByRole('combobox');
  await box.fill('in 1 hour');
  await desk.keyboard.press('Enter');
  await banner(desk).waitFor();
  await desk.getByRole('button', { name: 'More chat actions' }).click();
  await desk.getByRole('menuitem', { name: 'Unsnooze' }).click();
  await banner(desk).waitFor({ state: 'detached' });

  await snooze(desk, 'in 1 hour');
  await rows(desk).first().waitFor({ state: 'detached' });
  // Goes to another queue, because an open chat counts as read.
  await queue(desk, 'Waiting').click();
  await desk.goto(`${url}/app/inbox?queue=mine`);
  await queue(desk, 'Snoozed 1').waitFor();
  aheadMs = HOUR_MS + 60_000;
  await rows(desk).first().getByRole('img', { name: 'Unread' }).waitFor();
});

it('several are snoozed together, and Undo returns them', async () => {
  const { desk } = await openStory();
  await rows(desk).first().waitFor();
  await desk.locator('body').press('x');
  await desk.getByRole('region', { name: 'Selection' }).getByText('1 selected').waitFor();
  await desk.locator('body').press('z');
  await desk.getByRole('dialog').getByRole('combobox').fill('tomorrow 9:00');
  await desk.keyboard.press('Enter');
  await desk.getByText(/^1 conversation snoozed until/).waitFor();
  await rows(desk).first().waitFor({ state: 'detached' });
  await desk.getByRole('button', { name: 'Undo' }).click();
  await rows(desk).first().waitFor();
});
