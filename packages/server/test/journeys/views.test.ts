import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeAgent, PASSWORD } from '../accounts.ts';
import { type Json, startTestApp, type TestApp, type TestSite } from '../app.ts';
import { openBrowser, type TestBrowser } from '../chromium.ts';
import { goWithin } from '../desk-tabs.ts';
import { type Faces, openFaces, PHONE } from '../faces.ts';
import { until } from '../harness.ts';
import { TestSocket } from '../sockets.ts';

// The inbox of two agents: filters and orders, and private or shared views.

/** Words that identify the rows: three tickets and two chats. */
const WORDS = ['Lamp', 'Cable', 'Shade', 'basket', 'greeting'] as const;

let browser: TestBrowser;
let app: TestApp;
let site: TestSite;
let ada: Faces;
let ben: Faces;
beforeAll(async () => {
  [browser, app] = await Promise.all([openBrowser(), startTestApp()]);
  site = await app.makeSite();
  const email = `ben-${randomUUID()}@example.com`;
  const { id } = await makeAgent(site.operator, { email, name: 'Ben' });
  const cookie = await app.signIn(site.admin.email);
  await fill(cookie, id);
  const url = app.url;
  ada = await openFaces(browser, { cookie, url });
  ben = await openFaces(browser, { cookie: await app.signIn(email, PASSWORD), url });
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

interface Beginning {
  page_url: string;
  locale: string;
}

async function chat(cookie: string, text: string, from: Beginning, tags: string[]): Promise<void> {
  const { socket } = await TestSocket.visitor(app.url, site.publicKey, from);
  const { page_url } = from;
  const said = { session_id: null, client_id: randomUUID(), text, page_url };
  const { session } = (await socket.call('chat.send', said)) as Json;
  const { session_id } = session;
  await socket.call('chat.request_person', { session_id, client_id: randomUUID() });
  socket.cut();
  if (tags.length > 0) await app.desk(cookie, 'sessions.set_tags', { session_id, tags });
}

/** Three tickets and two chats, the oldest activity first. */
async function fill(cookie: string, benId: number): Promise<void> {
  const rule = { all: [{ attribute: 'plan', op: 'eq', value: 'pro' }] };
  await app.rest(site.write, 'POST', '/v1/visitors', { key: 'pro', attributes: { plan: 'pro' } });
  const made = await app.desk(cookie, 'segments.create', { name: 'Pro customers', rule });
  const requester = { key: 'priya', name: 'Priya', email: 'priya@visitor.example' };
  const asked = [
    { subject: 'Lamp', requester: { key: 'pro' }, priority: 'urgent', tags: ['vip'], assignee_id: benId },
    { subject: 'Cable', requester, priority: 'low', tags: ['vip'] },
    { subject: 'Shade', requester },
  ];
  for (const one of asked) {
    const { status } = await app.rest(site.write, 'POST', '/v1/tickets', { body: 'See above.', ...one });
    expect(status).toBe(201);
  }
  await chat(cookie, 'My basket is empty', { page_url: 'https://shop.example/cart', locale: 'de-DE' }, [
    'vip',
  ]);
  await chat(cookie, 'Only a greeting', { page_url: 'https://shop.example/', locale: 'en-GB' }, []);
  await until(async () => {
    const { body } = await app.desk(cookie, 'inbox.tickets', { segment: made.body.data.id, queue: 'open' });
    return body.data.length === 1;
  });
}

const rows = (page: Page) => page.getByRole('list', { name: 'Chats and tickets' }).getByRole('link');

/** The words of the rows, in their order. */
const listed = async (page: Page): Promise<string[]> =>
  (await rows(page).allInnerTexts()).map((text) => WORDS.find((word) => text.includes(word)) ?? text);
const shows = (page: Page, words: readonly string[]) => expect.poll(() => listed(page)).toEqual(words);
const showsAny = (page: Page, words: readonly string[]) =>
  expect.poll(async () => (await listed(page)).sort()).toEqual([...words].sort());

const inboxNav = (page: Page) => page.getByRole('navigation', { name: 'Queues' });
const group = (page: Page, name: 'Shared views' | 'My views') => inboxNav(page).getByRole('region', { name });
const viewNames = async (page: Page, name: 'Shared views' | 'My views'): Promise<string[]> =>
  group(page, name).getByRole('link').locator('bdi').allInnerTexts();
const title = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1 }).filter({ hasText: name }).waitFor();
const viewMenu = (page: Page, name: string) => page.getByRole('button', { name: `More actions for ${name}` });

async function choose(page: Page, view: string, item: string): Promise<void> {
  await viewMenu(page, view).click();
  await page.getByRole('menuitem', { name: item }).click();
}

async function save(page: Page, name: string, who: 'Only me' | 'Everyone'): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'New view' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Visible to').selectOption(who);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
}

it('every filter and every order of the inbox, by clicks and keys', { timeout: 120_000 }, async () => {
  const { page, found } = ada;
  await page.goto(`${app.url}/app/inbox?queue=open`);
  await shows(page, ['greeting', 'basket', 'Shade', 'Cable', 'Lamp']);
  const popover = page.getByRole('dialog', { name: 'Filters' });
  const clear = popover.getByRole('button', { name: 'Clear filters' });
  const choices = [
    ['Channel', 'Ticket', ['Shade', 'Cable', 'Lamp']],
    ['Channel', 'Chat', ['greeting', 'basket']],
    ['Status', 'Waiting for an agent', ['greeting', 'basket']],
    ['Priority', 'Urgent', ['Lamp']],
    ['Assignee', 'Ben', ['Lamp']],
    ['Assignee', 'Unassigned', ['greeting', 'basket', 'Shade', 'Cable']],
    ['Tag', 'vip', ['basket', 'Cable', 'Lamp']],
    ['Last activity', 'Last 24 hours', ['greeting', 'basket', 'Shade', 'Cable', 'Lamp']],
    ['Created', 'Last 7 days', ['greeting', 'basket', 'Shade', 'Cable', 'Lamp']],
    ['Visitor’s language', 'Deutsch', ['basket']],
    ['Segment', 'Pro customers', ['Lamp']],
  ] as const;
  // The key works once the code of the filters is loaded.
  await page.getByRole('button', { name: 'Filters' }).waitFor();
  await page.locator('body').press('f');
  for (const [label, option, expected] of choices) {
    await popover.getByLabel(label, { exact: true }).selectOption(option);
    await shows(page, expected);
    await clear.click();
    await shows(page, ['greeting', 'basket', 'Shade', 'Cable', 'Lamp']);
  }
  await popover.getByLabel('Page contains').fill('/CART');
  await popover.getByLabel('Page contains').press('Enter');
  await shows(page, ['basket']);
  await popover.getByText('Search in').waitFor();
  await clear.click();

  // Two filters at once; a chip removes one, and the address keeps the rest.
  await popover.getByLabel('Tag', { exact: true }).selectOption('vip');
  await popover.getByLabel('Priority').selectOption('Low');
  await shows(page, ['Cable']);
  await page.keyboard.press('Escape');
  await page.getByText('Only tickets have a priority.').waitFor();
  await page.getByRole('button', { name: 'Remove filter “Low”' }).click();
  await shows(page, ['basket', 'Cable', 'Lamp']);
  expect(new URL(page.url()).search).toBe('?queue=open&tag=vip');
  await page.reload();
  await shows(page, ['basket', 'Cable', 'Lamp']);
  await page.getByRole('button', { name: 'Remove filter “Tagged vip”' }).click();

  // The orders of a queue, by mouse; then by keys.
  const orders = [
    ['Oldest activity', ['Lamp', 'Cable', 'Shade', 'basket', 'greeting']],
    ['Priority', ['Lamp', 'greeting', 'basket', 'Shade', 'Cable']],
    ['Waiting longest', ['basket', 'greeting', 'Lamp', 'Cable', 'Shade']],
  ] as const;
  for (const [order, expected] of orders) {
    await page.getByRole('button', { name: /^Sort: / }).click();
    await page.getByRole('menuitemradio', { name: order }).click();
    await shows(page, expected);
  }
  await page.locator('body').press('o');
  await page.getByRole('option', { name: 'Newest activity' }).waitFor();
  await page.keyboard.type('oldest');
  await page.keyboard.press('Enter');
  await shows(page, ['Lamp', 'Cable', 'Shade', 'basket', 'greeting']);
  // A chosen order is kept for the queue.
  await page.goto(`${app.url}/app/inbox?queue=open`);
  await shows(page, ['Lamp', 'Cable', 'Shade', 'basket', 'greeting']);
  await page.getByRole('button', { name: 'Sort: Oldest activity' }).waitFor();
  await page.locator('body').press('o');
  await page.getByRole('option', { name: 'Newest activity' }).click();
  await shows(page, ['greeting', 'basket', 'Shade', 'Cable', 'Lamp']);
  expect(found).toEqual([]);
});

it('a private view is only for its agent, in each of their tabs', { timeout: 120_000 }, async () => {
  const { page, context, look, found } = ada;
  const second = await context.newPage();
  await Promise.all([second.goto(`${app.url}/app/inbox`), ben.page.goto(`${app.url}/app/inbox?queue=open`)]);
  await ben.page.getByRole('heading', { level: 1 }).waitFor();
  await goWithin(page, '/app/inbox?queue=open&tag=vip&sort=oldest');
  await shows(page, ['Lamp', 'Cable', 'basket']);
  await page.getByRole('button', { name: 'Save as view' }).click();
  await page.getByRole('dialog', { name: 'New view' }).getByLabel('Name').fill('   ');
  await look('view-new');
  await save(page, 'VIP <b>first</b>', 'Only me');
  await title(page, 'VIP <b>first</b>');
  expect(new URL(page.url()).search).toMatch(/^\?view=\d+$/);
  await shows(page, ['Lamp', 'Cable', 'basket']);
  await expect.poll(() => group(page, 'My views').innerText()).toContain('3');
  await expect.poll(() => viewNames(second, 'My views')).toEqual(['VIP <b>first</b>']);
  await look('view-private');

  // Ben sees the later shared view, and no other; the private one's address finds nothing for him.
  await goWithin(ben.page, page.url().slice(app.url.length));
  await ben.page.getByText('View not found').waitFor();
  await ben.look('view-not-found');
  await ben.page.getByRole('link', { name: 'Go to the inbox' }).click();
  await goWithin(page, '/app/inbox?queue=open&channel=chat');
  await shows(page, ['greeting', 'basket']);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('save as view');
  await page.getByRole('option', { name: 'Save as view' }).click();
  await save(page, 'Open chats', 'Everyone');
  await expect.poll(() => viewNames(ben.page, 'Shared views')).toEqual(['Open chats']);
  expect(await viewNames(ben.page, 'My views')).toEqual([]);
  expect(await ben.page.getByText('first</b>').count()).toBe(0);
  await second.close();
  expect([...found, ...ben.found]).toEqual([]);
});

it('a shared view changes live for a colleague, and two agents don’t overwrite each other', async () => {
  const { page } = ada;
  const { page: other, look, found, allow } = ben;
  allow(/status of 409/);
  await group(other, 'Shared views')
    .getByRole('link', { name: /Open chats/ })
    .click();
  await shows(other, ['greeting', 'basket']);
  await choose(page, 'Open chats', 'Rename view');
  await page.getByRole('dialog', { name: 'Rename view' }).getByLabel('Name').fill('Chats');
  await page.keyboard.press('Enter');
  await title(other, 'Chats');

  // Both change it; the second one gets a warning, and uses the other's version or their own.
  for (const [one, tag] of [
    [page, 'Tag'],
    [other, 'Assignee'],
  ] as const) {
    await one.getByRole('button', { name: /^Filters/ }).click();
    await one
      .getByRole('dialog', { name: 'Filters' })
      .getByLabel(tag, { exact: true })
      .selectOption(tag === 'Tag' ? 'vip' : 'Unassigned');
    await one.keyboard.press('Escape');
    await one.getByRole('button', { name: 'Save changes' }).waitFor();
  }
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('View “Chats” saved').waitFor();
  await shows(page, ['basket']);
  await other.getByText('Someone else changed this view in the meantime.').waitFor();
  await shows(other, ['greeting', 'basket']);
  expect(await inboxNav(other).locator('[aria-current]').allInnerTexts()).toEqual([
    expect.stringContaining('Chats'),
  ]);
  await look('view-changed-by-another');
  await other.getByRole('button', { name: 'Save changes' }).click();
  await other.getByText(/Compare it with yours/).waitFor();
  await shows(page, ['basket']);
  await other.getByRole('button', { name: 'Save changes' }).click();
  await other.getByText('View “Chats” saved').waitFor();
  await shows(page, ['greeting', 'basket']);

  // Discarding a change leaves the view as it was.
  await other.getByRole('button', { name: 'Remove filter “Unassigned”' }).click();
  await choose(other, 'Chats', 'Discard changes');
  await other.getByRole('button', { name: 'Remove filter “Unassigned”' }).waitFor();
  await expect.poll(() => other.getByRole('button', { name: 'Save changes' }).count()).toBe(0);
  expect(found).toEqual([]);
});

it('views are duplicated, shared and reordered, and say which of their records are gone', async () => {
  const { page, look, found } = ada;
  const { page: other } = ben;
  await choose(page, 'Chats', 'Duplicate view');
  await page.getByRole('dialog', { name: 'New view' }).getByRole('button', { name: 'Save' }).click();
  await title(page, 'Copy of Chats');
  expect(await viewNames(page, 'My views')).toEqual(['VIP <b>first</b>', 'Copy of Chats']);
  // The page shows the new order at once, and has saved it when it fetches the views again.
  const reread = page.waitForResponse('**/api/inbox_views.list');
  await group(page, 'My views')
    .getByRole('link', { name: /Copy of Chats/ })
    .press('Alt+ArrowUp');
  await expect.poll(() => viewNames(page, 'My views')).toEqual(['Copy of Chats', 'VIP <b>first</b>']);
  await reread;
  await page.reload();
  await expect.poll(() => viewNames(page, 'My views')).toEqual(['Copy of Chats', 'VIP <b>first</b>']);

  await group(page, 'My views').getByRole('link', { name: /VIP/ }).click();
  await choose(page, 'VIP <b>first</b>', 'Share view');
  const sharing = page.getByRole('dialog', { name: 'Share view' });
  await sharing.getByLabel('Visible to').selectOption('Everyone');
  await sharing.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => viewNames(other, 'Shared views')).toEqual(['Chats', 'VIP <b>first</b>']);

  const { rows: tags } = await app.app.database.pool.query(
    `select id from tags where site_id = $1 and name = 'vip'`,
    [site.site.id],
  );
  await app.desk(await app.signIn(site.admin.email), 'tags.delete', { id: tags[0].id });
  await page.reload();
  await page.getByText('The tag “vip” was deleted.').waitFor();
  await page.getByText('Nothing in this view').waitFor();
  await look('view-missing-tag');
  await page.getByRole('button', { name: 'Remove filter “Tagged vip”' }).click();
  await shows(page, ['Lamp', 'Cable', 'Shade', 'basket', 'greeting']);
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('View “VIP <b>first</b>” saved').waitFor();
  await shows(page, ['Lamp', 'Cable', 'Shade', 'basket', 'greeting']);

  await choose(page, 'VIP <b>first</b>', 'Delete view');
  await page.getByText('This deletes the view for everyone who sees it.').waitFor();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete view' }).click();
  await expect.poll(() => viewNames(other, 'Shared views')).toEqual(['Chats']);
  // Opening the next view shows no dialog.
  await group(page, 'My views')
    .getByRole('link', { name: /Copy of Chats/ })
    .click();
  await viewMenu(page, 'Copy of Chats').waitFor();
  expect(await page.getByRole('alertdialog').count()).toBe(0);
  expect(found).toEqual([]);
});

it('on a phone, views are opened from the title, and saved and moved beside it', async () => {
  const { page, found } = ada;
  await page.setViewportSize(PHONE);
  await goWithin(page, '/app/inbox?queue=open');
  await page.getByRole('button', { name: 'All open: choose a queue' }).click();
  await page
    .getByRole('dialog')
    .getByRole('link', { name: /Copy of Chats/ })
    .click();
  await showsAny(page, ['greeting', 'basket']);
  await page.getByRole('button', { name: /^Filters/ }).click();
  await page.getByLabel('Page contains').fill('cart');
  await page.getByLabel('Page contains').press('Enter');
  await shows(page, ['basket']);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('View “Copy of Chats” saved').waitFor();
  await choose(page, 'Copy of Chats', 'Delete view');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete view' }).click();
  await page.getByRole('button', { name: 'Waiting: choose a queue' }).waitFor();
  expect(found).toEqual([]);
});
