import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContext, Page } from 'playwright-core';

const SCREENSHOTS = fileURLToPath(new URL('../../../screenshots/faces/', import.meta.url));
/** Pictures are for whoever looks at them, and a fifth of the time of these tests. */
const PICTURED = process.env.SCREENSHOTS === 'true';
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const SCHEMES = ['light', 'dark'] as const;
const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

/** Looks at a page in every state that a test brings it into, and keeps what is wrong with it. */
export interface Faces {
  page: Page;
  context: BrowserContext;
  /** Everything that axe or the browser's console found, as lines that name the state. */
  found: string[];
  /** Checks the state in light and dark, and its width on a phone; with pictures of all three where SCREENSHOTS=true. */
  look(name: string): Promise<void>;
  /** Lets one kind of console message pass, for a state that is about a refusal. */
  allow(message: RegExp): void;
}

export async function openFaces(
  browser: Browser,
  { cookie, url, locale }: { cookie?: string; url: string; locale?: string },
): Promise<Faces> {
  if (PICTURED) await mkdir(SCREENSHOTS, { recursive: true });
  const context = await browser.newContext({
    viewport: DESKTOP,
    reducedMotion: 'reduce',
    ...(locale ? { locale } : {}),
  });
  if (cookie) {
    const parts = cookie.split('; ').map((pair) => pair.split('='));
    await context.addCookies(parts.map(([name = '', ...value]) => ({ name, value: value.join('='), url })));
  }
  const page = await context.newPage();
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
    if (PICTURED) await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) });
  };

  const check = async (scheme: (typeof SCHEMES)[number]): Promise<void> => {
    // Frames of the same origin are looked into in this mode too, and no page is opened for each result.
    const axe = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ['violations'] });
    // Light or dark changes nothing but colours: names, roles and order are checked once.
    const { violations } = await (scheme === 'light'
      ? axe.withTags(RULES)
      : axe.withRules('color-contrast')
    ).analyze();
    for (const { id, help, nodes } of violations)
      for (const node of nodes)
        found.push(
          `${state}, ${scheme}: ${id}: ${help}\n  ${node.target.join(' ')}\n  ${node.html.slice(0, 200)}\n  ${node.failureSummary ?? ''}`,
        );
  };

  return {
    page,
    context,
    found,
    allow: (message) => void allowed.push(message),
    async look(name) {
      state = name;
      for (const colorScheme of SCHEMES) {
        await page.emulateMedia({ colorScheme });
        await check(colorScheme);
        await picture(`${name}-${colorScheme}`);
      }
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize(PHONE);
      await picture(`${name}-phone`);
      // What hangs on a button is placed anew a frame after the page has become narrow.
      await page
        .waitForFunction(`document.documentElement.scrollWidth <= ${PHONE.width}`, null, { timeout: 2_000 })
        .catch(async () => {
          const width = await page.evaluate<number>('document.documentElement.scrollWidth');
          // On a busy machine the frame comes after the wait: what counts is how wide it is then.
          if (width > PHONE.width) found.push(`${name}: ${width} px wide on a phone of ${PHONE.width}`);
        });
      await page.setViewportSize(DESKTOP);
    },
  };
}
