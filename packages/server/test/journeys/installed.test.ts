import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp, type TestSite } from '../app.ts';
import { launchChromium } from '../chromium.ts';
import { freePort } from '../foyer-process.ts';

// The desk as an app: what browsers ask of one, and what it does without a line.

let browser: Browser;
let app: TestApp;
let site: TestSite;
let url: string;
let page: Page;

beforeAll(async () => {
  const port = await freePort();
  // Service workers are for https, and for this name.
  url = `http://localhost:${port}`;
  [browser, app] = await Promise.all([launchChromium(), startTestApp({ PORT: String(port) })]);
  site = await app.makeSite();
  const context = await browser.newContext();
  const cookie = await app.signIn(site.admin.email);
  await context.addCookies(
    cookie.split('; ').map((pair) => {
      const [name = '', value = ''] = pair.split('=');
      return { name, value, url };
    }),
  );
  page = await context.newPage();
  await page.goto(`${url}/app/inbox`);
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

describe('the installed desk', () => {
  it('is what a browser can install, with all its icons', async () => {
    const session = await page.context().newCDPSession(page);
    const { data, errors } = await session.send('Page.getAppManifest');
    expect(errors).toEqual([]);
    const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
    expect(installabilityErrors.map(({ errorId }) => errorId)).toEqual([]);
    const { icons } = JSON.parse(data ?? '{}');
    for (const { src, type } of icons) {
      const icon = await fetch(url + src);
      expect([icon.status, icon.headers.get('content-type')], src).toEqual([200, type]);
    }
  });

  it('is never served by a worker that is out of date', async () => {
    const worker = await fetch(`${url}/app/service-worker.js`);
    expect(worker.headers.get('cache-control')).toBe('no-cache');
    expect(worker.headers.get('content-security-policy')).toContain(`connect-src 'self'`);
  });

  it('says that there is no line instead of showing an old inbox, and is back with it', async () => {
    await page.reload();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    await page.context().setOffline(true);
    await page.reload();
    await page.getByRole('heading', { name: 'Foyer can’t be reached' }).waitFor();
    await page.context().setOffline(false);
    await page.getByRole('link', { name: 'Try again' }).click();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
  });

  it('keeps files that never change, and nothing else', async () => {
    const kept = await page.evaluate<string[]>(`caches.keys()
      .then((names) => Promise.all(names.map((name) => caches.open(name).then((cache) => cache.keys()))))
      .then((requests) => requests.flat().map(({ url }) => new URL(url).pathname))`);
    expect(kept.length).toBeGreaterThan(10);
    expect(kept.filter((path) => !/^\/app\/assets\/[^/]+-[\w-]{8}\.\w+$/.test(path))).toEqual([]);
  });
});
