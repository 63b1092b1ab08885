import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RunOptions } from 'axe-core';
import type { BrowserContext, Page } from 'playwright-core';
import { violationsIn } from './axe.ts';
import type { TestBrowser } from './chromium.ts';
import { signInto } from './desk-session.ts';

const SCREENSHOTS = fileURLToPath(new URL('../../../screenshots/faces/', import.meta.url));
/** Screenshots are for people, and take a fifth of the time of these tests. */
const PICTURED = process.env.SCREENSHOTS === 'true';
/** Dark mode changes only colours, and a phone only sizes of targets: names, roles and order are checked once. */
const LIGHT = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** Also landmarks and headings, which screen readers navigate by; not for shops' pages, which aren't Foyer's. */
const DASHBOARD = [...LIGHT, 'best-practice'];
const DARK: RunOptions = { runOnly: { type: 'rule', values: ['color-contrast'] } };
const PRESSED: RunOptions = { runOnly: { type: 'rule', values: ['target-size'] } };
export const DESKTOP = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };
/** Everything must fit this without scrolling in two directions (WCAG 2.2, 1.4.10). */
const NARROWEST = { width: 320, height: 640 };
/** Elements wider than their place: the page, and anything that scrolls both ways. Tables of figures may. */
const WIDER = `() => [...document.querySelectorAll('*:not(:has(> table))')]
  .filter((one) => one.scrollWidth > one.clientWidth + 1)
  .filter((one) => {
    if (one === document.documentElement) return true;
    const { overflowX, overflowY } = getComputedStyle(one);
    const scrolls = [overflowX, overflowY].every((way) => /auto|scroll/.test(way));
    return scrolls && one.scrollHeight > one.clientHeight + 1;
  })
  .map((one) => one.scrollWidth + ' px wide: ' + one.cloneNode().outerHTML)`;
/** In frames, because a busy machine draws late. */
const PLACED_FRAMES = 60;
/** Popovers are positioned again one frame after the page has become narrow. */
const STILL_WIDER = `(async () => {
  const wider = ${WIDER};
  for (let frame = 0; frame < ${PLACED_FRAMES} && wider().length > 0; frame++)
    await new Promise(requestAnimationFrame);
  return wider();
})()`;
const ROUTER = 'self.__TSR_ROUTER__';

/** Ids of the dashboard's routes that this file's tests have checked. */
export const lookedAt = new Set<string>();

/** Every route of the dashboard with a screen, from the router of an open page. */
export const screensOf = (page: Page): Promise<string[]> =>
  page.evaluate(
    `Object.values(${ROUTER}.routesByPath).filter(({ options }) => options.component).map(({ id }) => id)`,
  );

/** Checks a page in every state that a test brings it into, and collects what is wrong. */
export interface Faces {
  page: Page;
  context: BrowserContext;
  /** Everything that axe or the browser's console reported, as lines that name the state. */
  found: string[];
  /** Checks the state in light and dark, and whether it fits a narrow phone; screenshots it with SCREENSHOTS=true. */
  look(name: string): Promise<void>;
  /** Ignores one kind of console message, for a state that is about a refusal. */
  allow(message: RegExp): void;
}

export async function openFaces(
  browser: TestBrowser,
  { cookie, url, locale }: { cookie?: string; url: string; locale?: string },
): Promise<Faces> {
  const context = await browser.newContext({
    viewport: DESKTOP,
    reducedMotion: 'reduce',
    ...(locale ? { locale } : {}),
  });
  if (cookie) {
    await signInto(context, cookie, url);
  }
  return facesOf(await context.newPage());
}

/** Checks an open page of the desk's size; what it logs from now on counts. */
export function facesOf(page: Page): Faces {
  const found: string[] = [];
  const allowed: RegExp[] = [];
  let state = 'start';
  page.on('console', (message) => {
    const text = message.text();
    if (message.type() === 'error' && !allowed.some((one) => one.test(text)))
      found.push(`${state}: console: ${text}`);
  });
  page.on('pageerror', (error) => found.push(`${state}: ${error.message}`));

  const picture = async (name: string): Promise<void> => {
    if (!PICTURED) return;
    await mkdir(SCREENSHOTS, { recursive: true });
    await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) });
  };

  const check = async (as: string, rules: RunOptions): Promise<void> => {
    // Targets half under an open popover are reachable once that is closed.
    const isPopoverOpen = (await page.locator('[data-popup-open]').count()) > 0;
    for (const { id, help, nodes } of await violationsIn(page, rules))
      for (const { target, html, failureSummary = '' } of nodes)
        if (
          !(isPopoverOpen && failureSummary.includes('partially obscured')) &&
          // A tooltip belongs to its element, wherever it is drawn; on a busy machine one may still be visible.
          !(id === 'region' && html.startsWith('<div role="tooltip"'))
        )
          found.push(
            `${state}, ${as}: ${id}: ${help}\n  ${target.join(' ')}\n  ${html.slice(0, 200)}\n  ${failureSummary}`,
          );
  };

  return {
    page,
    context: page.context(),
    found,
    allow: (message) => void allowed.push(message),
    async look(name) {
      state = name;
      const screen = await page.evaluate<string | undefined>(`${ROUTER}?.state.matches.at(-1)?.routeId`);
      if (screen) lookedAt.add(screen);
      await check('light', { runOnly: screen ? DASHBOARD : LIGHT });
      await picture(`${name}-light`);
      await page.emulateMedia({ colorScheme: 'dark' });
      await check('dark', DARK);
      await picture(`${name}-dark`);
      await page.emulateMedia({ colorScheme: 'light' });
      if (PICTURED) {
        await page.setViewportSize(PHONE);
        await picture(`${name}-phone`);
      }
      await page.setViewportSize(NARROWEST);
      const wider = await page.evaluate<string[]>(STILL_WIDER);
      found.push(...wider.map((one) => `${name}, ${NARROWEST.width} px: ${one}`));
      await check('phone', PRESSED);
      await page.setViewportSize(DESKTOP);
    },
  };
}
