import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp, type TestSite } from '../app.ts';
import { openBrowser, type TestBrowser } from '../chromium.ts';
import { goWithin, keepDesks } from '../desk-tabs.ts';
import { freePort } from '../foyer-process.ts';

// German words are the desk's longest, and its narrowest panes are those of small laptops.

const LAPTOP = { width: 1024, height: 768 };
const DESKTOP = { width: 1440, height: 900 };

let browser: TestBrowser;
let app: TestApp;
let site: TestSite;
let url: string;
const desks = keepDesks(() => ({ browser, app, url }), { locale: 'de-DE' });

beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  [browser, app] = await Promise.all([openBrowser(), startTestApp({ PORT: String(port) })]);
  site = await app.makeSite();
  for (const [subject, tags] of [
    ['Rechnung', ['Rückerstattung']],
    ['Lieferung', ['Versandkosten']],
  ] as const) {
    const requester = { email: 'priya@visitor.example', name: 'Priya' };
    const assignee_id = site.admin.agentId;
    const asked = { subject, body: 'Wann kommt sie?', requester, tags, assignee_id };
    const { status } = await app.rest(site.write, 'POST', '/v1/tickets', asked);
    expect(status).toBe(201);
  }
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

/** Code for the page, whose types tests don't have. */
const inPage = <T>(code: string) => new Function('element', code) as (element: unknown) => T;

/** The truncated texts in a part of the page. */
const cutIn = (part: Locator): Promise<string[]> =>
  part.evaluate(
    inPage<string[]>(`
      const { bottom } = element.getBoundingClientRect();
      return [...element.querySelectorAll('*')]
        .filter((one) => [...one.childNodes].some((child) => child.nodeType === 3 && child.data.trim()))
        .filter((one) => getComputedStyle(one).overflowX !== 'visible' && one.scrollWidth > one.clientWidth + 1)
        .filter((one) => one.clientWidth > 1 && one.getBoundingClientRect().top < bottom)
        .map((one) => one.textContent);`),
  );

const openInbox = async (): Promise<Page> => {
  const page = await desks.open(site.admin.email, 'inbox?queue=open');
  await page.getByRole('link', { name: /Lieferung/ }).waitFor();
  return page;
};

it('shows the actions of a selection in full words', async () => {
  const page = await openInbox();
  await page.keyboard.press('Control+a');
  const selection = page.getByRole('region', { name: 'Auswahl' });
  await selection.getByText('Zurückstellen').waitFor();
  for (const size of [LAPTOP, DESKTOP]) {
    await page.setViewportSize(size);
    expect(await cutIn(selection)).toEqual([]);
    expect(await selection.evaluate(inPage('return element.scrollWidth <= element.clientWidth'))).toBe(true);
  }
  await page.keyboard.press('Escape');
});

it('names the notifications beside their number', async () => {
  const page = await openInbox();
  const bell = page.getByRole('button', { name: /^Benachrichtigungen, \d+ neue$/ });
  await bell.waitFor();
  expect(await cutIn(bell)).toEqual([]);
});

it('shows until when a ticket is snoozed, and a toast without breaking its words', async () => {
  const page = await openInbox();
  await page.getByRole('link', { name: /Rechnung/ }).click();
  await page.getByRole('button', { name: 'Zurückstellen' }).click();
  await page.getByLabel('Zurückstellen bis').fill('in 3 hours');
  await page.keyboard.press('Enter');
  const toast = page.getByRole('region', { name: 'Meldungen' });
  await toast.getByText(/^Zurückgestellt bis/).waitFor();
  for (const size of [LAPTOP, DESKTOP]) {
    await page.setViewportSize(size);
    const title = toast.getByText(/^Zurückgestellt bis/);
    const linesOfFirstWord = inPage(`
      const range = document.createRange();
      range.setStart(element.firstChild, 0);
      range.setEnd(element.firstChild, 'Zurückgestellt'.length);
      return range.getClientRects().length;`);
    expect(await title.evaluate(linesOfFirstWord)).toBe(1);
  }
  await page.setViewportSize(LAPTOP);
  await goWithin(page, '/app/inbox?queue=snoozed');
  await page.getByRole('link', { name: /Rechnung/ }).waitFor();
  const row = page.getByRole('listitem').filter({ hasText: 'Rechnung' });
  // A tag gets the remaining room.
  expect(await cutIn(row)).toEqual(['Rückerstattung']);
  expect((await row.getByText('Rückerstattung').boundingBox())?.width).toBeGreaterThan(39);
});

it('says which keys send a reply, or nothing', async () => {
  const page = await openInbox();
  await page.getByRole('link', { name: /Lieferung/ }).click();
  const reply = page.getByRole('textbox', { name: 'Antwort', exact: true });
  await reply.fill('Morgen.');
  const hint = page.getByText('Strg + Eingabe zum Senden');
  await hint.waitFor({ state: 'attached' });
  for (const size of [LAPTOP, DESKTOP]) {
    await page.setViewportSize(size);
    const place = await hint.evaluate(
      inPage(`
        const { top: start, bottom: end } = element.parentElement.getBoundingClientRect();
        const { top, bottom, height } = element.getBoundingClientRect();
        return { whole: top >= start - 1 && bottom <= end + 1, hidden: top >= end - 1, height };`),
    );
    const { whole, hidden, height } = place as { whole: boolean; hidden: boolean; height: number };
    expect(whole || hidden).toBe(true);
    expect(height).toBeLessThan(24);
  }
});
