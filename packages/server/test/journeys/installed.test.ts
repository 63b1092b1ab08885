import type { Page, Route, Worker } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Json, startTestApp, type TestApp, type TestSite } from '../app.ts';
import { openBrowser, type TestBrowser } from '../chromium.ts';
import { signInto } from '../desk-session.ts';
import { freePort } from '../foyer-process.ts';
import { until } from '../harness.ts';

// The desk as an app: what browsers require of one, what it does offline, and its notifications.

let browser: TestBrowser;
let app: TestApp;
let site: TestSite;
let url: string;
let page: Page;
let cookie: string;

beforeAll(async () => {
  const port = await freePort();
  // Service workers need https, or this host name.
  url = `http://localhost:${port}`;
  [browser, app] = await Promise.all([
    openBrowser({ fetchesAhead: true }),
    startTestApp({ PORT: String(port) }),
  ]);
  site = await app.makeSite();
  const context = await browser.newContext();
  cookie = await app.signIn(site.admin.email);
  await signInto(context, cookie, url);
  page = await context.newPage();
  await page.goto(`${url}/app/inbox`);
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

/** Assigns a new ticket to Ada. */
const assignTicket = async (subject: string): Promise<number> => {
  const ticket = { subject, body: 'Look', requester: { key: 'user_1', name: 'Priya' } };
  const assignee_id = site.admin.agentId;
  const { body } = await app.rest(site.write, 'POST', '/v1/tickets', { ...ticket, assignee_id });
  return body.data.id;
};

describe('the installed desk', () => {
  it('can be installed, with all its icons', async () => {
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

  it('is never served by an outdated worker', async () => {
    const worker = await fetch(`${url}/app/service-worker.js`);
    expect(worker.headers.get('cache-control')).toBe('public, no-cache');
    expect(worker.headers.get('content-security-policy')).toContain(`connect-src 'self'`);
  });

  it('says that it is offline instead of showing an old inbox, and recovers when online', async () => {
    await page.reload();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    await page.context().setOffline(true);
    await page.reload();
    await page.getByRole('heading', { name: 'Can’t reach Foyer' }).waitFor();
    await page.context().setOffline(false);
    await page.getByRole('link', { name: 'Try again' }).click();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
  });

  it('says so in the desk’s last language, whatever the browser prefers', async () => {
    await app.desk(cookie, 'me.set_language', { language: 'de' });
    await page.reload();
    await page.getByRole('navigation', { name: 'Hauptmenü' }).waitFor();
    await page.context().setOffline(true);
    await page.reload();
    await page.getByRole('heading', { name: 'Foyer ist nicht erreichbar' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    await page.context().setOffline(false);
    await page.getByRole('link', { name: 'Erneut versuchen' }).click();
    await app.desk(cookie, 'me.set_language', { language: 'en' });
    await page.reload();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
  });

  it('waits for a missing part while offline, because browsers never request a failed one again', async () => {
    await page.context().setOffline(true);
    const asked = page.evaluate<number>(
      `fetch(document.querySelector('link[rel=stylesheet]').href + '?anew').then(({ status }) => status)`,
    );
    await page.getByText('You’re offline').waitFor();
    await page.context().setOffline(false);
    expect(await asked).toBe(200);
  });

  it('fetches other screens through its worker, even on the first visit', async () => {
    const context = await browser.newContext();
    await context.addCookies(await page.context().cookies());
    const first = await context.newPage();
    const asked = first.waitForResponse((response) => /\/SignInAgain-[^/]*\.js$/.test(response.url()));
    await first.goto(`${url}/app/inbox`);
    expect((await asked).fromServiceWorker()).toBe(true);
    await context.close();
  });

  it('caches immutable files, its language, and nothing else', async () => {
    const kept = await page.evaluate<string[]>(`caches.keys()
      .then((names) => Promise.all(names.map((name) => caches.open(name).then((cache) => cache.keys()))))
      .then((requests) => requests.flat().map(({ url }) => new URL(url).pathname))`);
    expect(kept.length).toBeGreaterThan(10);
    expect(kept.filter((path) => !/^\/app\/assets\/[^/]+-[\w-]{8}\.\w+$/.test(path))).toEqual([
      '/app/language',
    ]);
  });
});

describe('a push to an installed desk', () => {
  const push = { title: 'Priya waits', body: 'Hello', tag: 'ses_x', path: '/app/settings/notifications' };
  const workerOf = (): Worker => page.context().serviceWorkers()[0] ?? expect.fail('no worker runs');

  /** Headless Chromium shows no notifications: reads what it should show instead. */
  const deliver = async (data: string): Promise<Json> => {
    await workerOf().evaluate(`self.registration.showNotification = async (title, options) => {
      self.shown = { title, ...options };
    }`);
    const cdp = await page.context().newCDPSession(page);
    const registered = new Promise<string>((found) => {
      cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
        if (first) found(first.registrationId);
      });
    });
    await cdp.send('ServiceWorker.enable');
    const registrationId = await registered;
    await cdp.send('ServiceWorker.deliverPushMessage', { origin: url, registrationId, data });
    return workerOf().evaluate('self.shown');
  };

  it('is shown by the worker, with the tag of its conversation', async () => {
    const { path, ...said } = push;
    expect(await deliver(JSON.stringify(push))).toMatchObject({ ...said, data: { path } });
  });

  it('with invalid data is shown anyway, as browsers require, and leads to the inbox', async () => {
    for (const data of ['no JSON', '{"title":1}'])
      expect(await deliver(data)).toMatchObject({ title: 'Foyer', data: { path: '/app/inbox' } });
  });

  it('opens its conversation in the open desk, without a reload', async () => {
    await page.evaluate('sessionStorage.setItem("tab", String(performance.timeOrigin))');
    await workerOf().evaluate(`const clicked = new ExtendableEvent('notificationclick');
      clicked.notification = { data: { path: '${push.path}?site=${site.site.id}' }, close() {} };
      self.dispatchEvent(clicked)`);
    await page.getByRole('heading', { name: 'Push on this device' }).waitFor();
    expect(await page.evaluate('sessionStorage.getItem("tab") === String(performance.timeOrigin)')).toBe(
      true,
    );
  });

  it('is removed once its conversation was seen at any desk', async () => {
    const id = await assignTicket('A cracked shade');
    await page.getByRole('button', { name: 'Notifications, 1 new' }).waitFor();
    await page.evaluate(`ServiceWorkerRegistration.prototype.getNotifications = async ({ tag }) =>
      [{ close() { window.closed_tag = tag; } }]`);
    await app.desk(cookie, 'notifications.see', { ticket_id: id });
    await expect.poll(() => page.evaluate('window.closed_tag')).toBe(`ticket-${id}`);
    await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor();
  });
});

describe('an agent’s choices', () => {
  it('are stored on the server, and shown on the next device', async () => {
    const choices = async (): Promise<Json> =>
      (await app.desk(cookie, 'notification_settings.get')).body.data.choices;
    await page.goto(`${url}/app/settings/notifications`);
    const sound = page.getByRole('checkbox', { name: 'A chat is assigned to me: Sound' });
    await sound.waitFor();
    // When it is online again, the desk refetches: a response from before the choice arrives after it.
    const held = Promise.withResolvers<Route>();
    await page.route('**/notification_settings.get', held.resolve, { times: 1 });
    await page.context().setOffline(true);
    await page.getByText('You’re offline').waitFor();
    await page.context().setOffline(false);
    const asked = await held.promise;
    const old = await asked.fetch();
    await sound.click();
    await until(async () => !(await choices()).ways.chat_assigned.sound);
    await asked.fulfill({ response: old }).catch(() => undefined);
    await page.getByRole('switch', { name: 'Mute outside office hours' }).click();
    await until(async () => (await choices()).quiet_closed);
    expect(await sound.isChecked()).toBe(false);
    expect((await choices()).ways.chat_assigned).toEqual({ sound: false, push: true, mail: true });
    await page.reload();
    await page.getByRole('checkbox', { name: 'A chat is assigned to me: Sound', checked: false }).waitFor();
    await page.getByText('Email isn’t set up on this server.').waitFor();
  });

  it('include a sound to try, after which the audio context is suspended', async () => {
    await page.addInitScript(`self.sounds = []; self.AudioContext = class extends AudioContext {
      constructor() { super(); self.sounds.push(this); this.heard = []; this.onstatechange = () => this.heard.push(this.state); }
    }`);
    await page.reload();
    await page.getByRole('heading', { name: 'Notifications' }).first().click();
    await expect.poll(() => page.evaluate('self.sounds.map(({ state }) => state)')).toEqual(['suspended']);
    await page.evaluate('self.sounds[0].heard.length = 0');
    await page.getByRole('button', { name: 'Play sound' }).click();
    await expect.poll(() => page.evaluate('self.sounds[0].heard')).toEqual(['running', 'suspended']);
  });

  it('a notification in the list opens its conversation, which is then seen', async () => {
    const id = await assignTicket('Another one');
    await page.getByRole('button', { name: 'Notifications, 1 new' }).click();
    await page.getByRole('dialog', { name: 'Notifications' }).getByText('Another one').click();
    await page.waitForURL(`**/app/inbox/tickets/${id}`);
    await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor();
  });
});
