import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp, type TestSite } from '../app.ts';
import { openBrowser, type TestBrowser } from '../chromium.ts';
import { goWithin, keepDesks } from '../desk-tabs.ts';
import { openFaces } from '../faces.ts';
import { until } from '../harness.ts';
import { openChat } from '../stand.ts';

// An agent who reads the reports.

let browser: TestBrowser;
let app: TestApp;
let site: TestSite;
let cookie: string;
const desks = keepDesks(() => ({ browser, app, url: app.url }));
beforeAll(async () => {
  [browser, app] = await Promise.all([openBrowser(), startTestApp()]);
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

const open = (path: string) => desks.faces(site.admin.email, path);
const ticket = (more: object = {}) =>
  app.rest(site.write, 'POST', '/v1/tickets', {
    subject: 'Broken lamp',
    body: 'It fell.',
    requester: { email: 'ada@b.example' },
    tags: ['fragile'],
    ...more,
  });
const counted = (tickets: number) =>
  expect.poll(async () => (await app.desk(cookie, 'reports.volume')).body.data.now.tickets).toBe(tickets);

it('a chart has an axis and dates, and shows each day’s figures by pointer and by arrow keys', async () => {
  for (const _ of [1, 2, 3]) await openChat({ url: app.url, publicKey: site.publicKey }, 'Hello');
  await ticket();
  await counted(1);
  const { page, found } = await open('reports');
  const chart = page.getByRole('region', { name: 'Volume' });
  await chart.getByText('3 chats').waitFor();
  for (const line of ['0', '1', '2', '3', '4'])
    await chart.getByText(line, { exact: true }).locator('visible=true').first().waitFor();

  const slider = chart.getByRole('slider', { name: 'By day' });
  const spoken = () => slider.getAttribute('aria-valuetext');
  const today = await spoken();
  expect(today).toMatch(/Chats: 3, Tickets: 1$/);
  await chart.getByText('View as table').focus();
  await page.keyboard.press('Shift+Tab');
  const tip = chart.locator('[data-point-tip]');
  await tip.getByText('3', { exact: true }).waitFor();
  await page.keyboard.press('ArrowLeft');
  await expect.poll(spoken).toMatch(/Chats: 0, Tickets: 0$/);
  await page.keyboard.press('End');
  await expect.poll(spoken).toBe(today);
  await page.keyboard.press('Escape');
  await tip.waitFor({ state: 'detached' });

  const box = await chart.getByRole('img').boundingBox();
  if (!box) throw new Error('no chart');
  await page.mouse.move(box.x + box.width - 3, box.y + 20);
  await tip.getByText('3', { exact: true }).waitFor();
  await page.mouse.move(box.x + 3, box.y + 20);
  await expect.poll(() => tip.getByText('0', { exact: true }).count()).toBe(2);
  await page.mouse.move(0, 0);
  await tip.waitFor({ state: 'detached' });
  expect(found).toEqual([]);
});

it('a bar opens its chats and tickets, by click and by Enter', async () => {
  const { page, found } = await open('reports');
  const chart = page.getByRole('region', { name: 'Volume' });
  await chart.getByText('3 chats').waitFor();
  const box = await chart.getByRole('img').boundingBox();
  if (!box) throw new Error('no chart');
  await page.mouse.click(box.x + box.width - 3, box.y + 20);
  const list = page.getByRole('dialog').getByRole('listitem');
  await expect.poll(() => list.count()).toBe(4);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await chart.getByText('View as table').focus();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await list.filter({ hasText: 'Broken lamp' }).getByRole('link').click();
  await page.getByRole('heading', { name: 'Broken lamp' }).waitFor();
  expect(found).toEqual([]);
});

it('a tag opens the inbox with its chats and tickets', async () => {
  const { page, found } = await open('reports?report=tags');
  await page.getByRole('link', { name: 'fragile' }).click();
  const list = page.getByRole('list', { name: 'Chats and tickets' });
  await list.getByRole('link', { name: /Broken lamp/ }).waitFor();
  expect(new URL(page.url()).searchParams.get('tag')).toBe('fragile');
  expect(found).toEqual([]);
});

/** Opens a list, and returns to the report with Escape. @returns the number of its rows */
async function listedBy(page: Page, open: () => Promise<void>): Promise<number> {
  await open();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('listitem').first().waitFor();
  const count = await dialog.getByRole('listitem').count();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(new URL(page.url()).searchParams.has('show')).toBe(false);
  return count;
}

describe('with chats that were handed over, answered, closed and rated', () => {
  let rated = '';
  beforeAll(async () => {
    for (const rating of [5, 5, 2]) {
      const words = 'I want to talk to a person';
      const { socket, id } = await openChat({ url: app.url, publicKey: site.publicKey }, words);
      await until(
        async () =>
          (await app.desk(cookie, 'sessions.get', { session_id: id })).body.data.status === 'waiting',
      );
      await app.desk(cookie, 'sessions.accept', { session_id: id });
      await app.desk(cookie, 'sessions.reply', { session_id: id, client_id: randomUUID(), text: 'Hello' });
      await app.desk(cookie, 'sessions.close', { session_id: id });
      await socket.call('chat.rate', { session_id: id, rating });
      rated = id;
    }
    await until(async () => (await app.desk(cookie, 'reports.satisfaction')).body.data.now.count === 3);
  });

  it.each(['volume', 'responses', 'hours', 'bot', 'satisfaction', 'agents', 'tags'])(
    '%s: every number of conversations leads to as many, by click and by Enter',
    async (report) => {
      const { page, found } = await open(`reports?report=${report}&range=today`);
      const links = page.locator('a[href*="show="]:visible');
      await links.first().waitFor();
      const seen: number[] = [];
      for (const link of await links.all()) {
        const [number] = /^\d+(?=$| chats?$| tickets?$| ratings?$)/.exec(await link.innerText()) ?? [];
        // There are more messages and handoffs than chats.
        if (!number || /show=(bot_turns|chat_calls)/.test((await link.getAttribute('href')) ?? '')) continue;
        expect(await listedBy(page, () => link.click())).toBe(Number(number));
        await link.focus();
        expect(await listedBy(page, () => page.keyboard.press('Enter'))).toBe(Number(number));
        seen.push(Number(number));
      }
      expect(seen.length).toBeGreaterThan(0);
      expect(found).toEqual([]);
    },
    60_000,
  );

  it.each([
    ['responses', 'First response time for chats', 3],
    ['bot', 'Bot resolution rate', 3],
    ['satisfaction', 'Customer satisfaction', 3],
  ] as const)('%s: a bar leads to its conversations, by click and by Enter', async (report, title, count) => {
    const { page, found } = await open(`reports?report=${report}&range=today`);
    const chart = page.getByRole('region', { name: title });
    const box = await chart.getByRole('img').boundingBox();
    if (!box) throw new Error('no chart');
    const click = () => page.mouse.click(box.x + box.width / 2, box.y + 20);
    expect(await listedBy(page, click)).toBe(count);
    await chart.getByText('View as table').focus();
    await page.keyboard.press('Shift+Tab');
    expect(await listedBy(page, () => page.keyboard.press('Enter'))).toBe(count);
    expect(found).toEqual([]);
  });

  it('a listed chat can be opened, and Back returns to the list over the report, which also has an address', async () => {
    const { page, found } = await open('reports?report=satisfaction&range=today');
    await page.getByRole('link', { name: '3 ratings', exact: true }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Rated chats' });
    await dialog.getByRole('listitem').first().getByRole('link').click();
    await page.waitForURL(new RegExp(rated));
    await page.goBack();
    await expect.poll(() => dialog.getByRole('listitem').count()).toBe(3);
    await page.reload();
    await expect.poll(() => dialog.getByRole('listitem').count()).toBe(3);
    expect(found).toEqual([]);
  });
});

it('Refresh shows newer data', async () => {
  const { page } = await open('reports');
  const before = (await app.desk(cookie, 'reports.volume')).body.data.now.tickets;
  await page.getByText(`${before} ticket`).waitFor();
  await ticket();
  await counted(before + 1);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page.getByText(`${before + 1} tickets`).waitFor();
});

it('a team in the comparison links to its own figures, and they link only to its conversations', async () => {
  const { id: team_id } = (await app.desk(cookie, 'teams.create', { name: 'Billing' })).body.data;
  const before = (await app.desk(cookie, 'reports.volume')).body.data.now.tickets;
  await ticket();
  await counted(before + 1);
  // A desk that has already shown the volume may be a minute old.
  const { page, found, look } = await openFaces(browser, { cookie, url: app.url });
  await page.goto(`${app.url}/app/reports?report=teams`);
  await page.getByRole('row', { name: /^Billing 0 0 / }).waitFor();
  await page.getByText('No chats or tickets of a team in this period.').waitFor();
  await ticket({ team_id, subject: 'The bill' });
  await counted(before + 2);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page.getByRole('row', { name: /^Billing 0 1 / }).waitFor();
  await page.getByText('Most for Billing: 0 chats and 1 ticket.').waitFor();
  await look('reports-teams');
  await page.getByRole('row', { name: /^No team \d+ \d+ / }).waitFor();
  expect(await page.getByLabel('Team', { exact: true }).count()).toBe(0);
  await page.getByRole('link', { name: 'Billing' }).click();
  const volume = page.getByRole('region', { name: 'Volume' });
  await volume.getByRole('link', { name: '1 ticket', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Tickets' });
  await dialog.getByText('The bill').waitFor();
  expect(await dialog.getByRole('listitem').count()).toBe(1);
  await page.keyboard.press('Escape');
  await page.getByLabel('Team', { exact: true }).selectOption({ label: 'All teams' });
  await volume.getByRole('link', { name: `${before + 2} tickets`, exact: true }).waitFor();
  expect(found).toEqual([]);
});

it('the content of every page begins at the same place', async () => {
  const { page } = await open('visitors');
  const startOf = async (path: string): Promise<number | undefined> => {
    await goWithin(page, `/app/${path}`);
    const title = page.getByRole('heading', { level: 1 });
    await title.waitFor();
    return (await title.boundingBox())?.x;
  };
  const startsOf = async (paths: string[]) => {
    const starts = new Set<number | undefined>();
    for (const path of paths) starts.add(await startOf(path));
    return [...starts];
  };
  for (const width of [1600, 1280]) {
    await page.setViewportSize({ width, height: 700 });
    const pages = [
      'visitors',
      'reports',
      'knowledge',
      'knowledge/bot',
      'knowledge/evaluation',
      'knowledge/gaps',
    ];
    expect(await startsOf([...pages, 'knowledge/import', 'knowledge/synonyms'])).toHaveLength(1);
    expect(await startsOf(['settings/site', 'settings/widget', 'settings/plan'])).toHaveLength(1);
  }
});
