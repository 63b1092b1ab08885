import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterEach } from 'vitest';
import type { TestApp } from './app.ts';
import type { TestBrowser } from './chromium.ts';
import { signInto } from './desk-session.ts';
import { DESKTOP, type Faces, facesOf } from './faces.ts';

const ROUTER = 'self.__TSR_ROUTER__';

/** Less than a test may take, so that what is waited for is named. */
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
 * Goes to another address within the dashboard, which need not be loaded again, and waits until its screen is drawn: its
 * words may stand on the screen before it too. What the desk knows counts as old there, and is asked for again.
 */
export async function goWithin(page: Page, path: string): Promise<void> {
  const late = Promise.withResolvers<never>();
  // Not counted in the page: a test may have stopped its clock.
  const timer = setTimeout(async () => {
    const where = await page.evaluate<string>(WHERE).catch(String);
    late.reject(new Error(`${path} was not drawn within ${DRAWN_WITHIN_MS} ms: ${where}`));
  }, DRAWN_WITHIN_MS);
  await Promise.race([page.evaluate(within(path)), late.promise]).finally(() => clearTimeout(timer));
}

/** The desks of a file's tests; addresses begin beneath `/app/`. */
export interface DeskTabs {
  /**
   * The desk that an agent keeps open from one test to the next, gone on to the address: to load one takes as much of
   * the processor as most of what a test does there.
   * @param tab another desk of the same agent, in a browser of its own
   */
  open(email: string, path: string, tab?: string): Promise<Page>;
  /** The same desk, to look at; what it logs from here to the end of the test counts. */
  faces(email: string, path: string): Promise<Faces>;
  /** One of its own, signed in and still blank, for a test of how a desk is loaded or closed. It ends with the test. */
  fresh(email: string): Promise<Page>;
}

/**
 * After each test the desks that are kept are online, have no routes, listeners or other pages, their own size, and no
 * messages over them; a test that failed keeps none. What else a test changes there, such as a dialog that it opens, a
 * preference or a form that would be asked for, it puts back by itself.
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
    // Where the focus stays in what is left, keys are typed into it.
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
    // A pointer that rests on something shows its tip.
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
