import type { FrameLocator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type Shop, startShop } from '../../../sdk/test/shop.ts';
import { type Json, startTestApp, type TestApp, type TestSite } from '../app.ts';
import { openBrowser, type TestBrowser } from '../chromium.ts';
import { signInto } from '../desk-session.ts';
import { goWithin } from '../desk-tabs.ts';
import { openFaces } from '../faces.ts';
import { freePort } from '../foyer-process.ts';
import { until } from '../harness.ts';
import { snippetFor } from '../snippet.ts';

// An agent marks a chat as spam; its visitor, on a page with the snippet of the docs, never notices.

let browser: TestBrowser;
let app: TestApp;
let site: TestSite;
let shop: Shop;
let url: string;

beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  [browser, app, shop] = await Promise.all([
    openBrowser(),
    startTestApp({ PORT: String(port) }),
    startShop(),
  ]);
});
afterEach(async () => {
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
  await visitor.say('Buy cheap backlinks');
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
  // Its key works once the menu is loaded.
  await desk.getByRole('button', { name: 'More chat actions' }).waitFor();
  return { visitor, desk, id };
}

const rows = (desk: Page) => desk.getByRole('list', { name: 'Chats and tickets' }).getByRole('link');
const queue = (desk: Page, name: string | RegExp) =>
  desk.getByRole('navigation', { name: 'Queues' }).getByRole('link', { name });
const banner = (desk: Page) =>
  desk.getByRole('region', { name: 'Chat', exact: true }).getByText('Ada marked this as spam');

it('a chat that is marked by key moves to Spam, its visitor keeps writing without notifying anybody, and Undo restores it', async () => {
  const { visitor, desk } = await openStory();
  await rows(desk).first().waitFor();
  const shown = await visitor.shown();
  await desk.locator('body').press('!');
  await desk.getByText('marked as spam', { exact: false }).first().waitFor();
  await banner(desk).waitFor();
  await rows(desk).first().waitFor({ state: 'detached' });
  await queue(desk, 'Spam 1').waitFor();
  expect(await queue(desk, /^Mine/).innerText()).toBe('Mine');
  expect(await visitor.shown()).toBe(shown);
  await desk.getByText('This is spam. The sender doesn’t know.').waitFor();
  await desk.getByRole('button', { name: 'Undo' }).click();
  await rows(desk).first().waitFor();
  await banner(desk).waitFor({ state: 'detached' });
  await desk.getByRole('textbox', { name: 'Reply' }).waitFor();
});

it('from the menu it is marked, found in Spam with the visitor’s later messages, and unmarked', async () => {
  const { visitor, desk } = await openStory();
  await desk.getByRole('button', { name: 'More chat actions' }).click();
  await desk.getByRole('menuitem', { name: 'Mark as spam' }).click();
  await banner(desk).waitFor();
  await visitor.say('Are you there?');
  await queue(desk, 'Spam 1').click();
  await rows(desk).getByText('Are you there?').waitFor();
  await rows(desk)
    .getByText(/^Marked/)
    .waitFor();
  expect(await desk.title()).not.toContain('(');

  await rows(desk).first().click();
  await desk.getByRole('button', { name: 'Not spam' }).click();
  await banner(desk).waitFor({ state: 'detached' });
  await rows(desk).first().waitFor({ state: 'detached' });
  await desk.getByText('No spam', { exact: true }).waitFor();
  await queue(desk, 'Mine 1').click();
  await rows(desk).getByText('Are you there?').waitFor();
});

it('several are marked together from the selection and the palette finds the command; a ticket is marked at its details', async () => {
  const { desk } = await openStory();
  await rows(desk).first().waitFor();
  await desk.locator('body').press('x');
  await desk.getByRole('region', { name: 'Selection' }).getByText('1 selected').waitFor();
  await desk.getByRole('button', { name: 'Mark 1 conversation as spam' }).click();
  await desk.getByText('1 conversation marked as spam').waitFor();
  await rows(desk).first().waitFor({ state: 'detached' });
  await desk.getByRole('button', { name: 'Undo' }).click();
  await rows(desk).first().waitFor();

  const ticket = { subject: 'Cheap backlinks', body: 'Buy', requester: { email: 'x@spam.example' } };
  const { id } = await ask('tickets.create', ticket);
  await goWithin(desk, `/app/inbox/tickets/${id}?queue=open`);
  await desk.getByRole('button', { name: 'Mark as spam' }).click();
  await desk.getByText('Ada marked this as spam').waitFor();
  await desk.getByText('marked the ticket as spam').waitFor();
  await desk.getByRole('button', { name: 'Not spam' }).first().click();
  await desk.getByText('Ada marked this as spam').waitFor({ state: 'detached' });
  await desk.locator('body').press('Control+k');
  await desk.getByRole('dialog').getByRole('combobox').fill('spam');
  await desk
    .getByRole('option', { name: /Mark as spam/ })
    .first()
    .click();
  await desk.getByText('Ada marked this as spam').waitFor();
});

it('the sender of spam is blocked where it is marked, with Undo, and Settings lists, adds and removes blocks', async () => {
  const { desk } = await openStory();
  const ticket = { subject: 'Cheap backlinks', body: 'Buy', requester: { email: 'x@spam.example' } };
  const { id } = await ask('tickets.create', ticket);
  await ask('spam.set', { ticket_id: id, spam: true });
  await goWithin(desk, `/app/inbox/tickets/${id}?queue=spam`);
  const blocked = async () => ((await ask('blocks.list', {})) as Json[]).map(({ value }) => value);
  await desk.getByRole('button', { name: 'Block sender' }).click();
  await desk.getByText('x@spam.example blocked').waitFor();
  expect(await blocked()).toEqual(['x@spam.example']);
  await desk.getByRole('button', { name: 'Block sender' }).waitFor({ state: 'detached' });
  await desk.getByRole('button', { name: 'Undo' }).click();
  await until(async () => (await blocked()).length === 0);
  await desk.getByRole('button', { name: 'Block sender' }).waitFor();

  // An existing block stays, and has nothing to undo.
  const before = (await ask('blocks.create', {
    kind: 'email',
    value: 'x@spam.example',
    ticket_id: id,
  })) as Json;
  expect(before).toMatchObject({ existed: false, ticket_id: id });
  await desk.getByRole('button', { name: 'Block sender' }).click();
  await desk.getByText('Already blocked').waitFor();
  expect(await blocked()).toEqual(['x@spam.example']);
  expect(await desk.getByRole('button', { name: 'Undo' }).count()).toBe(0);
  await goWithin(desk, '/app/settings/blocked');
  await desk.getByRole('link', { name: `From ticket #${id}` }).waitFor();
  await ask('blocks.delete', { id: before.id });

  await goWithin(desk, '/app/settings/account');
  await goWithin(desk, '/app/settings/blocked');
  await desk.getByText('Nothing is blocked').waitFor();
  await desk.getByRole('button', { name: 'Block', exact: true }).click();
  const dialog = desk.getByRole('dialog');
  await dialog.getByLabel('Kind').selectOption('IP address or range');
  await dialog.getByLabel('IP address or range').fill('203.0.113');
  await dialog.getByRole('button', { name: 'Block', exact: true }).click();
  await dialog.getByText('must be an IP address or a range', { exact: false }).waitFor();
  await dialog.getByLabel('IP address or range').fill('203.0.113.9/24');
  await dialog.getByLabel('Ends').selectOption('In a week');
  await dialog.getByLabel('Note').fill('Floods the chat');
  await dialog.getByRole('button', { name: 'Block', exact: true }).click();
  const row = desk.getByRole('listitem').filter({ hasText: '203.0.113.0/24' });
  await row.getByText('Floods the chat').waitFor();
  await row.getByText(/Blocked by Ada .* · 0 hits · Ends/).waitFor();
  await row.getByRole('button', { name: 'More for 203.0.113.0/24' }).click();
  await desk.getByRole('menuitem', { name: 'Remove' }).click();
  await row.waitFor({ state: 'detached' });
  await desk.getByRole('button', { name: 'Undo' }).click();
  await row.getByText('Floods the chat').waitFor();
});

it('a visitor who was blocked by mistake is unblocked by Undo', { timeout: 60_000 }, async () => {
  site = await app.makeSite();
  const { key } = (await app.rest(site.write, 'POST', '/v1/visitors', { key: 'user_7', name: 'Priya' })).body
    .data;
  const { page: desk } = await openFaces(browser, { cookie: await app.signIn(site.admin.email), url });
  const isBlocked = async (): Promise<boolean> =>
    ((await ask('visitors.open', { key })) as Json).blocked_utc !== null;
  await desk.goto(`${url}/app/visitors/${key}`);
  await desk.getByRole('button', { name: 'More', exact: true }).click();
  await desk.getByRole('menuitem', { name: 'Block' }).click();
  await desk.getByRole('alertdialog').getByRole('button', { name: 'Block' }).click();
  await desk.getByText('Visitor blocked').waitFor();
  expect(await isBlocked()).toBe(true);
  await desk.getByRole('button', { name: 'Undo' }).click();
  await desk.getByText('Visitor unblocked').waitFor();
  expect(await isBlocked()).toBe(false);
});
