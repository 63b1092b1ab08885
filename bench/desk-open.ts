/** From an agent's input to a conversation's messages on the screen: by a sudden click, by a pointer, by keys. */
import type { Page } from 'playwright-core';
import { type Figure, median, NONE } from './figures.ts';

/** How many of each kind, none twice. */
const OPENED = 12;
/** A person reads what was opened; loads in the background must not count for the next one. */
const LOOKED_AT_MS = 1_000;
/** How long a hand takes from a row to the button, and how long it holds it. */
const HAND_MS = 100;
const MESSAGES = 12;

const row = (at: number): string => `document.querySelector('li[aria-posinset="${at}"]')`;

/** Milliseconds from the next event of this type to the frame in which the messages of that row are in the page. */
const opening = (type: string, at: number): string => `new Promise((resolve, reject) => {
  const id = ${row(at)}.dataset.row;
  const look = (from) => {
    if (document.querySelector('[role=log]')?.textContent.includes('${MESSAGES} of ' + id)) resolve(performance.now() - from);
    else if (performance.now() - from > 10000) reject(new Error('it did not open'));
    else requestAnimationFrame(() => look(from));
  };
  addEventListener('${type}', ({ timeStamp }) => requestAnimationFrame(() => look(timeStamp)), { once: true, capture: true });
})`;

async function open(
  page: Page,
  at: number,
  type: 'click' | 'keydown',
  act: () => Promise<unknown>,
): Promise<number> {
  // A key may be faster than a concurrent evaluation, so the listener is added first.
  await page.evaluate(`window.opened = ${opening(type, at)}; 0`);
  await act();
  const took = await page.evaluate<number>('window.opened');
  await page.waitForTimeout(LOOKED_AT_MS);
  return took;
}

async function byPointer(page: Page, at: number): Promise<void> {
  await page.locator(`li[aria-posinset="${at}"] a`).hover();
  await page.waitForTimeout(HAND_MS);
  await page.mouse.down();
  await page.waitForTimeout(HAND_MS);
  await page.mouse.up();
}

/** The same messages fetched by one request and drawn as one paragraph each, without a framework or a list. */
const bareOpening = (at: number): string => `(async () => {
  const from = performance.now();
  const place = document.body.appendChild(document.createElement('div'));
  const asked = await fetch('/app/api/transcripts.get', { method: 'POST', headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ sessionId: ${row(at)}.dataset.row }) });
  for (const { text } of (await asked.json()).data.messages) place.appendChild(document.createElement('p')).textContent = text;
  await new Promise((resolve) => requestAnimationFrame(resolve));
  const took = performance.now() - from;
  place.remove();
  return took;
})()`;

/** @param page shows the list from its beginning, and nothing open */
export async function openConversations(page: Page): Promise<Figure[]> {
  let at = 1;
  const click = (): Promise<number> => {
    const own = at++;
    return open(page, own, 'click', () => page.evaluate(`${row(own)}.querySelector('a').click()`));
  };
  // The first one loads the code of the screen.
  await click();
  const seen: { name: string; ours: number[]; bare: number[] }[] = [];
  const measure = async (name: string, once: () => Promise<number>): Promise<void> => {
    const ours: number[] = [];
    const bare: number[] = [];
    for (let count = 0; count < OPENED; count++) {
      ours.push(await once());
      bare.push(await page.evaluate<number>(bareOpening(at)));
    }
    seen.push({ name, ours, bare });
  };
  await measure('by a click out of nowhere', click);
  await measure('by a pointer that comes over it', () => {
    const own = at++;
    return open(page, own, 'click', () => byPointer(page, own));
  });
  await measure('by j', () => open(page, at++, 'keydown', () => page.keyboard.press('j')));
  const ms = (times: number[]): string =>
    `${median(times).toFixed(0)} ms, longest ${Math.max(...times).toFixed(0)} ms`;
  return seen.map(({ name, ours, bare }) => ({
    what: `desk: conversation opened to its messages, 100,000 in the site, ${name}`,
    ours: ms(ours),
    bare: ms(bare),
    ratio: bare.length > 0 ? `${(median(ours) / median(bare)).toFixed(1)} ×` : NONE,
    wanted: '< 100 ms',
  }));
}
