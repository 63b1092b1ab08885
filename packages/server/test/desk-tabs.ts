import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterEach } from 'vitest';
import type { TestApp } from './app.ts';
import type { TestBrowser } from './chromium.ts';
import { signInto } from './desk-session.ts';
import { DESKTOP, type Faces, facesOf } from './faces.ts';

const ROUTER = 'self.__TSR_ROUTER__';

/** Shorter than a test's time limit, so that the error names what was waited for. */
const DRAWN_WITHIN_MS = 60_000;

const WHERE = `(({ status, location, resolvedLocation }) =>
  'the router is ' + status + ' at ' + location.href + ' and has drawn ' + resolvedLocation?.href)(${ROUTER}.state)`;

const within = (path: string): string => `(async () => {
  const router = ${ROUTER};
  router.options.context.client.invalidateQueries({ refetchType: 'none' });
  let isLeft = false;
  const listened = router.history.subscribe(() => { isLeft = true; });
  router.history.push(${JSON.stringify(path)});
  // A form saves its draft before it is left, or asks.
  while (!isLeft) {
    await new Promise(requestAnimationFrame);
    if (!isLeft && document.querySelector('[role=alertdialog]')) throw new Error('The screen asks before it is left');
  }
  listened();
  do await new Promise(requestAnimationFrame);
  while (router.state.status !== 'idle' || router.state.resolvedLocation?.href !== router.state.location.href);
})()`;

/**
 * Goes to another address of the desk without a reload and waits until its screen is drawn, because the previous screen
 * may show the same words. Marks the desk's data as stale there, so that it is fetched again.
 */
export async function goWithin(page: Page, path: string): Promise<void> {
  const late = Promise.withResolvers<never>();
  // Not timed in the page: a test may have stopped its clock.
  const timer = setTimeout(async () => {
    const where = await page.evaluate<string>(WHERE).catch(String);
    late.reject(new Error(`${path} was not drawn within ${DRAWN_WITHIN_MS} ms: ${where}`));
  }, DRAWN_WITHIN_MS);
  await Promise.race([page.evaluate(within(path)), late.promise]).finally(() => clearTimeout(timer));
}

/** The desks of a file's tests; addresses are relative to `/app/`. */
export interface DeskTabs {
  /**
   * The agent's desk, kept open from test to test, at the address: loading a desk takes as much CPU as most of what a
   * test does there.
   * @param tab another desk of the same agent, in its own browser
   */
  open(email: string, path: string, tab?: string): Promise<Page>;
  /** The same desk with accessibility checks; what it logs from here to the end of the test counts. */
  faces(email: string, path: string): Promise<Faces>;
  /** A new desk, signed in and still blank, for a test of how a desk is loaded or closed. It ends with the test. */
  fresh(email: string): Promise<Page>;
}

/**
 * After each test the desks that are kept are online, have no routes, listeners or other pages, their own size, and no
 * toasts; after a failed test none are kept. A test itself resets anything else that it changes, such as an open
 * dialog, a preference or an unsaved form.
 */
export function keepDesks(
  parts: () => { browser: TestBrowser; app: Pick<TestApp, 'signIn'>; url: string },
  options: Omit<BrowserContextOptions, 'viewport'> = {},
): DeskTabs {
  const kept = new Map<string, Page>();

  const fresh = async (email: string): Promise<Page> => {
    const { browser, app, url } = parts();
    const context = await browser.newContext({
      viewport: DESKTOP,
      reducedMotion: 'reduce',
      ...options,
    });
    await signInto(context, await app.signIn(email), url);
    return context.newPage();
  };

  const pageOf = async (email: string, tab: string): Promise<Page> => {
    const key = `${email} ${tab}`;
    const page = kept.get(key) ?? (await fresh(email));
    kept.set(key, page);
    return page;
  };

  const go = async (page: Page, path: string): Promise<void> => {
    if (page.url() === 'about:blank') return void (await page.goto(`${parts().url}/app/${path}`));
    // If the focus stays on the old screen, keys are typed into it.
    await page.evaluate('document.activeElement?.blur()');
    await goWithin(page, `/app/${path}`);
  };

  const open = async (email: string, path: string, tab = ''): Promise<Page> => {
    const page = await pageOf(email, tab);
    await go(page, path);
    return page;
  };

  const faces = async (email: string, path: string): Promise<Faces> => {
    const looked = facesOf(await pageOf(email, ''));
    await go(looked.page, path);
    return looked;
  };

  const tidy = async (page: Page): Promise<void> => {
    for (const event of ['console', 'pageerror', 'request', 'response', 'dialog'])
      page.removeAllListeners(event);
    const context = page.context();
    const others = context.pages().filter((other) => other !== page);
    await Promise.all([page.unrouteAll(), context.unrouteAll(), context.setOffline(false)]);
    await Promise.all(others.map((other) => other.close()));
    await page.setViewportSize(DESKTOP);
    await page.evaluate(
      `document.querySelectorAll('button[aria-label="Dismiss"]').forEach((one) => one.click())`,
    );
    // A resting pointer would show a tooltip.
    await page.mouse.move(0, 0);
  };

  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') kept.clear();
    for (const [key, page] of kept) if (page.isClosed()) kept.delete(key);
    const pages = [...kept.values()];
    const left = parts()
      .browser.contexts()
      .filter((context) => !pages.some((page) => page.context() === context));
    await Promise.all([...left.map((context) => context.close()), ...pages.map(tidy)]);
  });

  return { open, faces, fresh };
}
