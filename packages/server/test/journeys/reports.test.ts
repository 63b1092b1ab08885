import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp, type TestSite } from '../app.ts';
import { openBrowser, type TestBrowser } from '../chromium.ts';
import { openFaces } from '../faces.ts';
import { openChat } from '../stand.ts';

// An agent who reads the reports.

let browser: TestBrowser;
let app: TestApp;
let site: TestSite;
let cookie: string;
beforeAll(async () => {
  [browser, app] = await Promise.all([openBrowser(), startTestApp()]);
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
});
afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));
afterAll(async () => {
  await browser.close();
  await app.close();
});

const open = async (path: string) => {
  const faces = await openFaces(browser, { cookie, url: app.url });
  await faces.page.goto(`${app.url}/app/${path}`);
  return faces;
};
const ticket = () =>
  app.rest(site.write, 'POST', '/v1/tickets', {
    subject: 'Broken lamp',
    body: 'It fell.',
    requester: { email: 'ada@b.example' },
    tags: ['fragile'],
  });
const counted = (tickets: number) =>
  expect.poll(async () => (await app.desk(cookie, 'reports.volume')).body.data.now.tickets).toBe(tickets);

it('a chart has an axis and dates, and tells each day’s figures by pointer and by arrow keys', async () => {
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

it('a bar leads to the chats and tickets behind it, by click and by Enter', async () => {
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

it('a tag leads to the inbox with what has it', async () => {
  const { page, found } = await open('reports?report=tags');
  await page.getByRole('link', { name: 'fragile' }).click();
  const list = page.getByRole('list', { name: 'Chats and tickets' });
  await list.getByRole('link', { name: /Broken lamp/ }).waitFor();
  expect(new URL(page.url()).searchParams.get('tag')).toBe('fragile');
  expect(found).toEqual([]);
});

it('Refresh shows what has come in since', async () => {
  const { page } = await open('reports');
  const before = (await app.desk(cookie, 'reports.volume')).body.data.now.tickets;
  await page.getByText(`${before} ticket`).waitFor();
  await ticket();
  await counted(before + 1);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page.getByText(`${before + 1} tickets`).waitFor();
});

it('the content of every page begins at the same place', async () => {
  const { page } = await open('visitors');
  const startOf = async (path: string): Promise<number | undefined> => {
    await page.goto(`${app.url}/app/${path}`);
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
