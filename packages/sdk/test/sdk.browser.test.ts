import type { BrowserContext, Frame, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openBrowser, type TestBrowser } from '../../server/test/chromium.ts';
import { LOOK, type Service, type Shop, startService, startShop } from './shop.ts';

const STUB = 'window.svc=window.svc||function(){(svc.q=svc.q||[]).push(arguments)}';
const WAIT = { timeout: 10_000, interval: 20 };

let browser: TestBrowser;
let service: Service;
let shop: Shop;
let context: BrowserContext;

beforeAll(async () => {
  [browser, service, shop] = await Promise.all([openBrowser(), startService(), startShop()]);
});
afterAll(async () => {
  await browser?.close();
  await Promise.all([service?.stop(), shop?.stop()]);
});
beforeEach(async () => {
  service.received.length = 0;
  service.answers.length = 0;
  service.asked.length = 0;
  Object.assign(service.config, { consent: false, look: { ...LOOK } });
  context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
});
afterEach(() => context.close());

interface PageOptions {
  site?: string | null;
  /** Script before the snippet. */
  before?: string;
  /** Script between the stub and the SDK. */
  calls?: string;
  csp?: string;
  head?: string;
  stub?: string;
}

/** A page of the shop with the install snippet on it; fails the test on any error in the page. */
const openShop = async (options: PageOptions = {}): Promise<Page> => {
  const { site = 'pk_test', before = '', calls = '', csp, head = '', stub = STUB } = options;
  const attribute = site === null ? '' : ` data-site="${site}"`;
  shop.page.headers = csp ? { 'Content-Security-Policy': csp } : {};
  shop.page.html = `<!doctype html><title>Shop</title>${head}
    <script nonce="n">${before};${stub};${calls}</script>
    <script nonce="n" async src="${service.origin}/assets/js/visitor-sdk.js"${attribute}></script>
    <button id="own">Own</button><div>A shop</div>`;
  const page = await context.newPage();
  await page.addInitScript(() => {
    const faults: string[] = [];
    Object.assign(window, { faults });
    const note = (text: string) => faults.push(text);
    addEventListener('error', (event) => note(`error ${event.message}`));
    addEventListener('unhandledrejection', (event) => note(`rejection ${event.reason}`));
    addEventListener('securitypolicyviolation', (event) => note(`csp ${event.violatedDirective}`));
  });
  await page.goto(shop.origin);
  return page;
};
const faults = (page: Page): Promise<unknown> => page.evaluate('faults');
const launcher = (page: Page) => page.getByRole('button', { name: /^(Open|Close) chat/ });
const svc = (page: Page, ...args: unknown[]) => page.evaluate((list) => window.svc?.(...list), args);
const stored = (page: Page, name: string): Promise<unknown> =>
  page.evaluate((key) => JSON.parse(localStorage.getItem(key) ?? 'null'), name);

/** Polls from outside: `waitForFunction` waits for a frame to draw, and a hidden one never does. */
const widgetOf = async (page: Page): Promise<Frame> => {
  await expect
    .poll(
      () =>
        page
          .frames()[1]
          ?.evaluate<unknown>('window.got?.length > 0')
          .catch(() => false),
      WAIT,
    )
    .toBe(true);
  const frame = page.frames()[1];
  if (!frame) throw new Error('the widget went away');
  return frame;
};
const told = (frame: Frame): Promise<{ type: string; [name: string]: unknown }[]> => frame.evaluate('got');
const bodies = () => service.received.map(({ body }) => body);

test('on a page with a strict policy the launcher is in its corner and opens the panel', async () => {
  const { origin } = service;
  const page = await openShop({
    csp: `default-src 'none'; script-src 'nonce-n' ${origin}; style-src 'self'; connect-src ${origin}; frame-src ${origin}; require-trusted-types-for 'script'; trusted-types 'none'`,
  });
  await launcher(page).waitFor();
  expect(await launcher(page).boundingBox()).toEqual({ x: 1280 - 72, y: 900 - 72, width: 56, height: 56 });
  await launcher(page).click();
  const panel = page.locator('iframe[title=Chat]');
  await expect.poll(() => panel.evaluate((one) => getComputedStyle(one).opacity), WAIT).toBe('1');
  await expect
    .poll(() => panel.boundingBox(), WAIT)
    .toMatchObject({ width: 400, height: 640, x: 1280 - 416 });
  expect(await faults(page)).toEqual([]);
});

test('the icon’s colour is chosen to contrast with the site’s colour', async () => {
  const page = await openShop();
  await launcher(page).waitFor();
  const colors = await launcher(page).evaluate((one) => {
    const { backgroundColor, color } = getComputedStyle(one);
    return [backgroundColor, color];
  });
  expect(colors).toEqual(['rgb(255, 212, 0)', 'rgb(0, 0, 0)']);
});

test('below 480 px the panel fills the screen and the launcher is hidden', async () => {
  const page = await openShop();
  await page.setViewportSize({ width: 390, height: 800 });
  await launcher(page).click();
  const panel = page.locator('iframe[title=Chat]');
  // It opens with a short animation.
  await expect.poll(() => panel.boundingBox(), WAIT).toEqual({ x: 0, y: 0, width: 390, height: 800 });
  expect(await launcher(page).isVisible()).toBe(false);
});

test('values that are too large for the server are left out, and the rest is sent', async () => {
  await openShop({
    calls: `svc('identify',{user_id:'ada',bio:'好'.repeat(1000)});svc('track','seen',{text:'好'.repeat(5000)})`,
  });
  await expect.poll(bodies, WAIT).toHaveLength(2);
  const [event, identity] = bodies();
  expect(event).toMatchObject({ key: 'ada', events: [{ name: 'seen', properties: {} }] });
  expect(identity).toMatchObject({ key: 'ada', attributes: { user_id: 'ada' } });
  expect(JSON.stringify([event, identity])).not.toContain('好');
});

test('calls before the SDK has loaded run in order, in both forms of the queue', async () => {
  const page = await openShop({
    calls: `svc('identify',{plan:'free'});svc.q.push(['update',{plan:'pro',email:'a@b.test'}]);svc('track','seen',{n:1})`,
  });
  await expect.poll(bodies, WAIT).toHaveLength(2);
  const [event, identity] = bodies();
  expect(event).toMatchObject({ events: [{ name: 'seen', properties: { n: 1 } }] });
  expect(identity).toMatchObject({ attributes: { plan: 'pro', email: 'a@b.test' } });
  expect(await stored(page, 'svc.visitor')).toMatchObject({ attributes: { plan: 'pro', email: 'a@b.test' } });
  expect(await stored(page, 'svc.events')).toMatchObject([{ name: 'seen', properties: { n: 1 } }]);
  expect(service.received[0]?.headers['content-type']).toMatch(/^text\/plain/);
});

test('the page gets no global but svc', async () => {
  const page = await openShop({ before: 'window.before=Object.keys(window)' });
  await launcher(page).waitFor();
  const added = await page.evaluate('Object.keys(window).filter((name) => !before.includes(name))');
  expect(added).toEqual(['before', 'svc']);
});

test('with a token, identify and track go to the REST address', async () => {
  const apiUrl = `${service.origin}/v1/api.ashx`;
  const page = await openShop({ site: null, calls: `svc('boot',{apiToken:'tok',apiUrl:'${apiUrl}'})` });
  await page.waitForFunction('svc.sdk');
  const anonymous = (await page.evaluate(
    'svc("identify",{});JSON.parse(localStorage["svc.visitor"]).key',
  )) as string;
  await svc(page, 'identify', { user_id: 'ada', name: 'Ada' });
  await svc(page, 'identify', { email: 'ada@b.test' });
  await svc(page, 'track', 'paid', { sum: 3 });
  await expect.poll(bodies, WAIT).toHaveLength(2);
  const [track, visitor] = service.received;
  expect(track).toMatchObject({
    path: '/v1/api.ashx?resource=track',
    body: { key: 'ada', name: 'paid', properties: { sum: 3 } },
  });
  expect(visitor).toMatchObject({
    path: '/v1/api.ashx?resource=visitors',
    body: { key: 'ada', name: 'Ada', email: 'ada@b.test', previous_key: anonymous },
  });
  expect(track?.headers.authorization).toBe('Bearer tok');
  expect(track?.headers['idempotency-key']).toMatch(/^[\da-f]{32}$/);
  expect(await launcher(page).count()).toBe(0);
});

test('a hostile page neither breaks it nor is broken by it', async () => {
  const page = await openShop({
    before: `Array.prototype.extra=function(){};Object.prototype.more=1;
      Array.prototype.toJSON=function(){return '['+this.map((x)=>JSON.stringify(x)).join(', ')+']'};
      Date.prototype.toJSON=function(){return '"'+this.getTime()+'"'};
      console.warn=()=>{throw new Error('no console')};
      window.name='{"svc":1}';
      [Object,Array,Function,String,Promise,Date,Map,Set,HTMLElement,Element,Node].forEach((one)=>Object.freeze(one.prototype))`,
    head: '<style nonce="n">div,iframe,button{display:none!important;opacity:0!important}</style>',
    calls: `svc('track','seen',{list:[1,['two']],at:new Date(0)});svc('constructor');svc('__proto__',1);svc();svc('track');svc('identify','x');svc('on','ready')`,
  });
  await launcher(page).click();
  const frame = await widgetOf(page);
  await expect.poll(() => told(frame).then((all) => all.map(({ type }) => type)), WAIT).toContain('opened');
  await expect
    .poll(bodies, WAIT)
    .toMatchObject([
      { events: [{ name: 'seen', properties: { list: [1, ['two']], at: '1970-01-01T00:00:00.000Z' } }] },
    ]);
  expect(await faults(page)).toEqual([]);
});

test.each([
  ['an object', 'window.svc={mine:1}'],
  ['a function', 'window.svc=function(){};svc.mine=1'],
])(
  'a svc of the page’s own that is %s is left alone, said once, and the chat is there all the same',
  async (_what, stub) => {
    const warnings: string[] = [];
    context.on('console', (message) => warnings.push(message.text()));
    const page = await openShop({ stub });
    await launcher(page).waitFor();
    expect(await page.evaluate('svc.mine')).toBe(1);
    expect(warnings).toEqual(['[svc] svc is taken']);
    expect(await faults(page)).toEqual([]);
  },
);

test('an element with the id `svc` does no harm', async () => {
  const page = await openShop({ head: '<meta id="svc">', stub: '' });
  await page.waitForFunction('svc.sdk');
  await svc(page, 'track', 'seen');
  await expect.poll(bodies, WAIT).toHaveLength(1);
});

test('loading the script twice makes one launcher', async () => {
  const page = await openShop({
    head: `<script async src="${service.origin}/assets/js/visitor-sdk.js" data-site="pk_test"></script>`,
  });
  await launcher(page).waitFor();
  await page.waitForLoadState('load');
  expect(await launcher(page).count()).toBe(1);
});

test('a reference to the stub still works after the SDK has loaded', async () => {
  const page = await openShop({ calls: 'window.held=svc;held("track","early");window.queue=svc.q' });
  await expect.poll(bodies, WAIT).toHaveLength(1);
  await page.evaluate('held("track","late");queue.push(["track","latest"])');
  await expect.poll(bodies, WAIT).toHaveLength(3);
});

test('an unknown command warns once', async () => {
  const warnings: string[] = [];
  const page = await openShop();
  page.on('console', (message) => warnings.push(message.text()));
  await launcher(page).waitFor();
  await svc(page, 'dance');
  await svc(page, 'dance');
  expect(warnings).toEqual(['[svc] unknown command dance']);
});

test('an unknown site shows nothing', async () => {
  const page = await openShop({ site: 'unknown' });
  await page.waitForFunction('svc.sdk');
  await page.waitForLoadState('networkidle');
  expect(await launcher(page).count()).toBe(0);
  expect(await faults(page)).toEqual([]);
});

test('the widget receives the visitor’s identity, and its changes', async () => {
  const page = await openShop({
    calls: `svc('boot',{locale:'de',userHash:'h'});svc('identify',{plan:'pro'})`,
  });
  const frame = await widgetOf(page);
  const [init] = await told(frame);
  expect(init).toMatchObject({
    foyer: 1,
    type: 'init',
    attributes: { plan: 'pro' },
    locale: 'de',
    user_hash: 'h',
  });
  expect(init?.key).toMatch(/^anon_/);
  await svc(page, 'identify', { user_id: 'ada' });
  await svc(page, 'reset');
  await expect.poll(() => told(frame), WAIT).toHaveLength(3);
  const [, identify, reset] = await told(frame);
  expect(identify).toMatchObject({ type: 'identify', key: 'ada', previous_key: init?.key });
  expect(reset).toMatchObject({ type: 'reset', key: expect.stringMatching(/^anon_/) });
  expect(reset?.key).not.toBe(init?.key);
});

test('unread messages mark the launcher and the title, until they are read', async () => {
  const page = await openShop({
    calls: `window.heard=[];svc('on','unread',(n)=>heard.push(n));svc('on','message',(m)=>heard.push(m))`,
  });
  const frame = await widgetOf(page);
  await frame.evaluate(
    `say({type:'message',sender:'agent',text:'Hi'});say({type:'unread',count:2,label:'2 ungelesene Nachrichten'})`,
  );
  await page.getByRole('button', { name: 'Open chat, 2 ungelesene Nachrichten' }).waitFor();
  expect(await page.title()).toBe('(2) Shop');
  await page.evaluate('document.title = "(2) Shop, page 2"');
  await frame.evaluate(`say({type:'unread',count:0})`);
  await expect.poll(() => page.title(), WAIT).toBe('Shop, page 2');
  expect(await page.evaluate('heard')).toEqual([{ sender: 'agent', text: 'Hi' }, 2, 0]);
});

test('messages from another window or origin do nothing', async () => {
  const page = await openShop();
  await widgetOf(page);
  await page.evaluate(async (origin) => {
    // The right origin, but not the panel's window.
    const other = document.createElement('iframe');
    other.src = `${origin}/other`;
    const loaded = new Promise((resolve) => other.addEventListener('load', resolve));
    document.body.append(other);
    await loaded;
    postMessage({ foyer: 1, type: 'unread', count: 5 }, '*');
    postMessage({ foyer: 1, type: 'open' }, '*');
  }, service.origin);
  await page.frames()[2]?.evaluate(`say({type:'unread',count:7});say({type:'open'})`);
  // The real one arrives after them, so they have been handled by then.
  await page.frames()[1]?.evaluate(`say({type:'unread',count:1,label:'1 unread message'})`);
  await page.getByRole('button', { name: 'Open chat, 1 unread message' }).waitFor();
  expect(await page.title()).toBe('(1) Shop');
});

test('the page stores data for the widget if the frame’s storage is blocked, until the reset', async () => {
  const page = await openShop();
  await (await widgetOf(page)).evaluate(`say({type:'keep',kept:{token:'"t"'}})`);
  await expect.poll(() => stored(page, 'svc.widget'), WAIT).toEqual({ token: '"t"' });
  await page.reload();
  const [init] = await told(await widgetOf(page));
  expect(init).toMatchObject({ type: 'init', kept: { token: '"t"' } });
  await svc(page, 'reset');
  expect(await stored(page, 'svc.widget')).toBeNull();
});

test('by keyboard: Enter opens, Escape in the panel closes it and returns the focus', async () => {
  const page = await openShop();
  const frame = await widgetOf(page);
  await launcher(page).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Close chat' }).waitFor();
  await frame.locator('#field').focus();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Open chat' }).waitFor();
  expect(
    await launcher(page).evaluate((one) => (one.getRootNode() as ShadowRoot).activeElement === one),
  ).toBe(true);
});

test('if the page opened it, closing returns the focus to where it was', async () => {
  const page = await openShop();
  await widgetOf(page);
  await page.locator('#own').focus();
  await svc(page, 'open');
  await page.getByRole('button', { name: 'Close chat' }).waitFor();
  await svc(page, 'close');
  await expect.poll(() => page.evaluate('document.activeElement.id'), WAIT).toBe('own');
});

test('hide removes everything, show restores it, launcher: false has no button', async () => {
  const page = await openShop();
  await launcher(page).waitFor();
  await svc(page, 'hide');
  expect(await launcher(page).isVisible()).toBe(false);
  await svc(page, 'show');
  expect(await launcher(page).isVisible()).toBe(true);
  const bare = await openShop({ calls: `svc('boot',{launcher:false})` });
  await widgetOf(bare);
  expect(await launcher(bare).isVisible()).toBe(false);
});

test.each([
  ['open', 'close', { hidden: false, open: false }],
  ['open', 'show', { hidden: false, open: true }],
  ['hide', 'close', { hidden: true, open: false }],
  ['hide', 'open', { hidden: false, open: true }],
  ['open', 'hide', { hidden: true, open: false }],
])('%s and %s before the launcher is there have the same result as after', async (first, then, wanted) => {
  service.config.consent = true;
  const page = await openShop({ calls: `svc('${first}');svc('${then}')` });
  const button = page.locator('button[aria-expanded]');
  await button.waitFor({ state: wanted.hidden ? 'hidden' : 'visible' });
  await expect.poll(() => button.getAttribute('aria-expanded'), WAIT).toBe(`${wanted.open}`);
  expect(await button.isHidden()).toBe(wanted.hidden);
  // The visitor is remembered only once the chat is opened.
  expect(await kept(page)).toEqual(wanted.open ? [expect.anything()] : []);
});

test('without storage it works in memory', async () => {
  const page = await openShop({
    before: `Object.defineProperty(window,'localStorage',{get(){throw new DOMException('no','SecurityError')}})`,
    calls: `svc('identify',{plan:'pro'});svc('track','seen')`,
  });
  await expect.poll(bodies, WAIT).toHaveLength(2);
  const [track, visitor] = bodies();
  expect(track?.key).toBe(visitor?.key);
  expect(await faults(page)).toEqual([]);
});

test('leaving the page sends what is waiting', async () => {
  const page = await openShop();
  // Before the site's settings have arrived, nothing may be stored or sent.
  await launcher(page).waitFor();
  shop.page.html = '<!doctype html><title>Elsewhere</title>';
  await svc(page, 'identify', { plan: 'leaving' });
  await page.goto(`${shop.origin}/elsewhere`);
  await expect.poll(bodies, WAIT).toMatchObject([{ attributes: { plan: 'leaving' } }]);
});

test('a failed request is sent again, with the same id', async () => {
  service.answers.push(503);
  await openShop({ calls: `svc('track','kept')` });
  await expect.poll(bodies, WAIT).toHaveLength(2);
  const [first, second] = bodies();
  expect(first).toEqual(second);
});

test('two tabs agree on who the visitor is', async () => {
  const one = await openShop();
  const two = await openShop();
  const frame = await widgetOf(two);
  await widgetOf(one);
  await svc(one, 'identify', { user_id: 'ada' });
  await expect
    .poll(() => told(frame), WAIT)
    .toContainEqual(expect.objectContaining({ type: 'identify', key: 'ada' }));
});

/** What is stored at the page's origin. */
const kept = (page: Page): Promise<unknown> =>
  page.evaluate(
    '[...Object.keys(localStorage), ...Object.keys(sessionStorage), document.cookie].filter(Boolean)',
  );

test('reset leaves nothing on the device, and what is waiting is still sent', async () => {
  const page = await openShop();
  await widgetOf(page);
  await svc(page, 'identify', { user_id: 'ada', email: 'ada@b.test' });
  await svc(page, 'track', 'x');
  await page.frames()[1]?.evaluate(`say({type:'keep',kept:{token:'"t"'}})`);
  await expect.poll(() => stored(page, 'svc.widget'), WAIT).not.toBeNull();
  await svc(page, 'reset');
  await expect.poll(() => kept(page), WAIT).toEqual([]);
  await expect.poll(bodies, WAIT).toHaveLength(2);
  expect(bodies().map((body) => body.key)).toEqual(['ada', 'ada']);
  expect(await kept(page)).toEqual([]);
});

test('a reset before the chat is loaded reaches it too', async () => {
  const page = await openShop({ before: 'window.requestIdleCallback=()=>{}' });
  await launcher(page).waitFor();
  expect(page.frames()).toHaveLength(1);
  await svc(page, 'reset');
  const frame = await widgetOf(page);
  expect(await told(frame)).toMatchObject([{ type: 'init', forget: true }]);
  await expect.poll(() => kept(page), WAIT).toEqual([]);
});

test('a reset that could not reach the chat on one page reaches it on the next', async () => {
  await context.route('**/widget/pk_test', (route) => route.abort());
  const page = await openShop({ calls: `svc('track','x')` });
  await launcher(page).waitFor();
  await svc(page, 'reset');
  await context.unroute('**/widget/pk_test');
  await page.goto(`${shop.origin}/next`);
  await launcher(page).click();
  const [init] = await told(await widgetOf(page));
  expect(init).toMatchObject({ type: 'init', forget: true });
  await expect.poll(() => stored(page, 'svc.reset'), WAIT).toBeNull();
  await page.reload();
  expect((await told(await widgetOf(page)))[0]).toMatchObject({ type: 'init', forget: false });
});

test('the key is stored when the chat is opened, and not before', async () => {
  const page = await openShop();
  const [init] = await told(await widgetOf(page));
  expect(await kept(page)).toEqual([]);
  await launcher(page).click();
  await expect.poll(() => stored(page, 'svc.visitor'), WAIT).toEqual({ key: init?.key, attributes: {} });
  await page.reload();
  expect((await told(await widgetOf(page)))[0]?.key).toBe(init?.key);
});

test('an invalid visitor in storage does not prevent anything from being sent', async () => {
  const nonsense = `localStorage.setItem('svc.visitor', '{"key":"","attributes":{}}')`;
  const page = await openShop({ before: nonsense, calls: `svc('track','x')` });
  await expect.poll(bodies, WAIT).toMatchObject([{ key: expect.stringMatching(/^anon_/) }]);
  await expect.poll(() => kept(page), WAIT).toEqual(['svc.events', 'svc.visitor']);
});

/** The launcher's box in the window. */
const corner = (page: Page) => launcher(page).boundingBox();

test.each([
  [
    'the body',
    'document.body.replaceWith(Object.assign(document.createElement("body"), { innerHTML: "<p>Next" }))',
  ],
  ['all that is in the body', 'document.body.innerHTML = "<p>Next"'],
])('a page that replaces %s keeps the launcher, and an open panel as it was', async (_what, replace) => {
  const page = await openShop();
  await launcher(page).click();
  const frame = await widgetOf(page);
  await frame.locator('#field').fill('half a thought');
  await page.evaluate(replace);
  await page.getByText('Next').waitFor();
  expect(await page.getByRole('button', { name: 'Close chat' }).count()).toBe(1);
  expect(await frame.locator('#field').inputValue()).toBe('half a thought');
  await launcher(page).click();
  await expect.poll(async () => (await told(frame)).at(-1)?.type, WAIT).toBe('closed');
});

test.each([
  ['the document’s content', 'document.documentElement.innerHTML = "<head></head><body><p>Next</body>"'],
  [
    'the document’s root',
    'document.documentElement.replaceWith(new DOMParser().parseFromString("<p>Next", "text/html").documentElement)',
  ],
])('a page that replaces %s gets launcher and chat back', async (_what, replace) => {
  const page = await openShop();
  await widgetOf(page);
  // Twice: the code that restores it must survive the replacement.
  for (let turn = 0; turn < 2; turn++) {
    await page.evaluate(replace);
    await launcher(page).click();
    const types = async () => (await told(await widgetOf(page))).map(({ type }) => type);
    await expect.poll(types, WAIT).toEqual(['init', 'opened']);
    await launcher(page).click();
  }
  expect(await page.evaluate('document.documentElement.children.length')).toBe(3);
});

test('a transformed body leaves the launcher in the corner of the window', async () => {
  const page = await openShop({ head: '<style>body{transform:translateX(0);height:3000px}</style>' });
  await launcher(page).waitFor();
  expect(await corner(page)).toEqual({ x: 1280 - 72, y: 900 - 72, width: 56, height: 56 });
});

test('in the tab order the launcher comes after everything on the page', async () => {
  const page = await openShop();
  await launcher(page).waitFor();
  await page.locator('#own').focus();
  await page.keyboard.press('Tab');
  expect(
    await launcher(page).evaluate((one) => (one.getRootNode() as ShadowRoot).activeElement === one),
  ).toBe(true);
});

test('three tabs: each event is sent once, and a reset in one is a reset in all', async () => {
  const tabs = [await openShop(), await openShop(), await openShop()];
  const [one, two] = tabs;
  if (!one || !two) throw new Error('no tabs');
  for (const tab of tabs) await widgetOf(tab);
  await svc(one, 'identify', { user_id: 'ada' });
  for (const tab of tabs) {
    await expect
      .poll(async () => told(await widgetOf(tab)), WAIT)
      .toContainEqual(expect.objectContaining({ type: 'identify', key: 'ada' }));
  }
  await Promise.all(
    tabs.map((tab, at) =>
      tab.evaluate((n) => {
        for (let i = 0; i < 10; i++) window.svc?.('track', `t${n}-${i}`);
      }, at),
    ),
  );
  const names = () =>
    bodies().flatMap(({ events }) => (Array.isArray(events) ? events.map(({ name }) => name) : []));
  await expect.poll(names, WAIT).toHaveLength(30);
  expect(new Set(names()).size).toBe(30);
  await svc(two, 'reset');
  for (const tab of tabs) {
    const frame = await widgetOf(tab);
    await expect.poll(() => told(frame).then((all) => all.map(({ type }) => type)), WAIT).toContain('reset');
    await expect.poll(() => kept(tab), WAIT).toEqual([]);
  }
});

test('if the site asks for consent, nothing is stored, sent or loaded before boot; then earlier calls count', async () => {
  service.config.consent = true;
  const page = await openShop({ calls: `svc('identify',{plan:'pro'});svc('track','early')` });
  await launcher(page).waitFor();
  await page.waitForLoadState('networkidle');
  expect(await kept(page)).toEqual([]);
  expect(page.frames()).toHaveLength(1);
  expect(service.asked.filter((path) => !path.startsWith('/assets/'))).toEqual([
    '/widget/config?site=pk_test&lang=',
  ]);
  await svc(page, 'boot', {});
  await expect.poll(bodies, WAIT).toHaveLength(2);
  await widgetOf(page);
  expect(await stored(page, 'svc.visitor')).toMatchObject({ attributes: { plan: 'pro' } });
  // A visitor who is remembered has agreed.
  await page.reload();
  await widgetOf(page);
});

test('opening the chat is consent too', async () => {
  service.config.consent = true;
  const page = await openShop({ calls: `svc('track','early')` });
  await launcher(page).click();
  await widgetOf(page);
  await expect.poll(bodies, WAIT).toHaveLength(1);
});

test('calls before the SDK knows whether consent is needed are not lost if it is not', async () => {
  await openShop({ calls: `svc('track','early')` });
  await expect.poll(bodies, WAIT).toHaveLength(1);
});

test('the launcher follows the site’s settings: text, logo, side; options of the page win', async () => {
  Object.assign(service.config.look, {
    color: '#0f5e5a',
    position: 'left',
    launcher_text: 'Ask us',
    logo_url: `${service.origin}/logo.png`,
  });
  const page = await openShop();
  const button = page.getByRole('button', { name: 'Open chat: Ask us' });
  await button.getByText('Ask us').waitFor();
  await button.locator('img').waitFor();
  expect(await button.locator('i').isVisible()).toBe(false);
  expect((await button.boundingBox())?.x).toBe(16);
  await button.click();
  expect(await page.getByRole('button', { name: 'Close chat: Ask us' }).locator('i').isVisible()).toBe(true);
  const other = await openShop({ calls: `svc('boot',{position:'right',color:'#ffffff'})` });
  const box = await other.getByRole('button', { name: /Open chat/ }).boundingBox();
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBe(1280 - 16);
  expect(await faults(page)).toEqual([]);
});

test('the button and the frame have the site’s names in the visitor’s language', async () => {
  const words = { chat: 'Czat', open: 'Otwórz czat', close: 'Zamknij czat' };
  Object.assign(service.config.look, { words });
  const page = await openShop();
  await page.getByRole('button', { name: words.open }).click();
  await page.getByRole('button', { name: words.close }).waitFor();
  await page.getByTitle(words.chat).waitFor();
});

test('if the page’s policy blocks the logo, the icon stays', async () => {
  service.config.look.logo_url = `${service.origin}/logo.png`;
  const page = await openShop({ csp: "img-src 'none'" });
  await launcher(page).waitFor();
  await expect.poll(() => faults(page), WAIT).toEqual(['csp img-src']);
  expect(await launcher(page).locator('i').isVisible()).toBe(true);
});

test('the title is restored exactly, and a page without one gets none', async () => {
  const page = await openShop({ head: '<title>  Two   spaces </title>' });
  const raw = () => page.evaluate('document.querySelector("title").textContent');
  const before = await raw();
  const frame = await widgetOf(page);
  await frame.evaluate(`say({type:'unread',count:3})`);
  await expect.poll(() => page.title(), WAIT).toMatch(/^\(3\) /);
  await frame.evaluate(`say({type:'unread',count:0})`);
  await expect.poll(raw, WAIT).toBe(before);
  await page.evaluate('document.querySelectorAll("title").forEach((one)=>one.remove())');
  await frame.evaluate(`say({type:'unread',count:1,label:'1 unread message'})`);
  await page.getByRole('button', { name: 'Open chat, 1 unread message' }).waitFor();
  expect(await page.evaluate('document.querySelector("title")')).toBeNull();
});

test('if the last requests of a page are too small for all events, the next page sends the rest', async () => {
  const page = await openShop();
  await page.waitForFunction('svc.sdk');
  await launcher(page).waitFor();
  await page.evaluate(() => {
    for (let i = 0; i < 20; i++) window.svc?.('track', `big${i}`, { text: '漢'.repeat(8000) });
  });
  await page.reload();
  await expect
    .poll(
      () =>
        new Set(
          bodies().flatMap(({ events }) => (Array.isArray(events) ? events.map(({ name }) => name) : [])),
        ).size,
      {
        ...WAIT,
        timeout: 20_000,
      },
    )
    .toBe(20);
});
