import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterEach } from 'vitest';
import type { TestApp } from './app.ts';
import type { TestBrowser } from './chromium.ts';
import { signInto } from './desk-session.ts';

const ROUTER = 'self.__TSR_ROUTER__';

/**
 * Goes to another address within the dashboard, which need not be loaded again, and waits until its screen is drawn: its
 * words may stand on the screen before it too.
 */
export const goWithin = (page: Page, path: string): Promise<void> =>
  page.evaluate(`(async () => {
    const router = ${ROUTER};
    router.history.push(${JSON.stringify(path)});
    do await new Promise(requestAnimationFrame);
    while (router.state.status !== 'idle' || router.state.resolvedLocation?.href !== router.state.location.href);
  })()`);

/** The desks of a file's tests; addresses begin beneath `/app/`. */
export interface DeskTabs {
  /**
   * The desk that an agent keeps open from one test to the next, gone on to the address: to load one takes as much of
   * the processor as most of what a test does there.
   * @param tab another desk of the same agent, in a browser of its own
   */
  open(email: string, path: string, tab?: string): Promise<Page>;
  /** One of its own, signed in and still blank, for a test of how a desk is loaded or closed. It ends with the test. */
  fresh(email: string): Promise<Page>;
}

/**
 * After each test the desks that are kept have their line and their routes back and no messages over them, and one that
 * failed keeps none. What else a test changes there, such as a dialog that it opens or a preference, it puts back by
 * itself.
 */
export function keepDesks(
  parts: () => { browser: TestBrowser; app: Pick<TestApp, 'signIn'>; url: string },
  options: BrowserContextOptions = {},
): DeskTabs {
  const kept = new Map<string, Page>();

  const fresh = async (email: string): Promise<Page> => {
    const { browser, app, url } = parts();
    const context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      reducedMotion: 'reduce',
      ...options,
    });
    await signInto(context, await app.signIn(email), url);
    return context.newPage();
  };

  const open = async (email: string, path: string, tab = ''): Promise<Page> => {
    const key = `${email} ${tab}`;
    const page = kept.get(key);
    if (page) {
      // Where the focus stays in what is left, keys are typed into it.
      await page.evaluate('document.activeElement?.blur()');
      await goWithin(page, `/app/${path}`);
      return page;
    }
    const loaded = await fresh(email);
    await loaded.goto(`${parts().url}/app/${path}`);
    kept.set(key, loaded);
    return loaded;
  };

  const tidy = async (page: Page): Promise<void> => {
    await Promise.all([page.unrouteAll(), page.context().unrouteAll(), page.context().setOffline(false)]);
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

  return { open, fresh };
}
