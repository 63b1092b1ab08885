import { createHmac } from 'node:crypto';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Shop, startShop } from '../../../sdk/test/shop.ts';
import { startTestApp, type TestApp, type TestSite } from '../app.ts';
import { openBrowser, type TestBrowser } from '../chromium.ts';
import { freePort } from '../foyer-process.ts';

// The built SDK on a page of another origin, with the real server and the real chat.

const STUB = 'window.svc=window.svc||function(){(svc.q=svc.q||[]).push(arguments)}';

let browser: TestBrowser;
let app: TestApp;
let shop: Shop;
/** The address for browsers: another site than the shop's 127.0.0.1. */
let url: string;
let site: TestSite;
let cookie: string;
let context: BrowserContext;

beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  [browser, app, shop] = await Promise.all([
    openBrowser(),
    startTestApp({ PORT: String(port), HOST: 'localhost' }),
    startShop(),
  ]);
});
beforeEach(async () => {
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
  context = await browser.newContext();
});
afterEach(() => context.close());
afterAll(async () => {
  await browser?.close();
  await Promise.all([app?.close(), shop?.stop()]);
});

const desk = async (operation: string, input: object = {}) => {
  const { status, body } = await app.desk(cookie, operation, input);
  if (status >= 300) throw new Error(`${operation}: ${JSON.stringify(body)}`);
  return body.data;
};
const visitor = async (key: string) => (await app.rest(site.read, 'GET', `/v1/visitors?key=${key}`)).body;

/** Exactly the policy in docs/install.md. */
const POLICY = () =>
  `default-src 'none'; script-src 'nonce-n' ${url}; connect-src ${url}; frame-src ${url}; require-trusted-types-for 'script'; trusted-types 'none'`;

const openShop = async (calls: string): Promise<{ page: Page; said: string[] }> => {
  shop.page.headers = { 'Content-Security-Policy': POLICY() };
  shop.page.html = `<!doctype html><title>Shop</title><script nonce="n">${STUB};${calls}</script>
    <script nonce="n" async src="${url}/assets/js/visitor-sdk.js" data-site="${site.publicKey}"></script><p>A shop`;
  const page = await context.newPage();
  const said: string[] = [];
  page.on('console', (message) => {
    if (message.type() !== 'info' && message.type() !== 'log') said.push(message.text());
  });
  page.on('pageerror', (error) => said.push(`${error}`));
  await page.goto(shop.origin);
  return { page, said };
};

/** Everything that a browser can store for a page. */
const LEFT = `(async () => [
  ...Object.keys(localStorage),
  ...Object.keys(sessionStorage),
  ...(await indexedDB.databases()).map(({ name }) => name),
  document.cookie,
].filter(Boolean))()`;
const leftOnPage = (page: Page): Promise<unknown> => page.evaluate(LEFT);
const leftInChat = async (page: Page): Promise<unknown> => page.frames()[1]?.evaluate(LEFT);

it('under the policy of the docs a visitor chats, and a reset leaves nothing on either origin', async () => {
  const { page, said } = await openShop(`svc('identify',{user_id:'ada',email:'ada@b.example'})`);
  await page.getByRole('button', { name: 'Open chat' }).click();
  const chat = page.frameLocator('iframe[title=Chat]');
  await chat.getByRole('button', { name: /Send us a message/ }).click();
  await chat.getByRole('textbox', { name: 'Write a message…' }).fill('Hello there');
  await chat.getByRole('button', { name: 'Send', exact: true }).click();
  await expect.poll(async () => (await visitor('ada')).data?.email).toBe('ada@b.example');
  await chat
    .locator('input[type=file]')
    .setInputFiles([{ name: 'receipt.txt', mimeType: 'text/plain', buffer: Buffer.from('paid') }]);
  await chat.getByText('Ready to send').waitFor();
  await chat.getByRole('textbox', { name: 'Write a message…' }).fill('Unsent');
  await chat.getByRole('button', { name: 'More' }).click();
  await chat.getByRole('menuitem', { name: 'Turn sound off' }).click();
  const names = ['token', 'key', 'drafts', 'muted', 'files'].map((name) => `foyer.${site.publicKey}.${name}`);
  await expect.poll(() => leftInChat(page)).toEqual(expect.arrayContaining(names));
  // Another frame of the same page is not the page: the chat ignores its messages.
  const before = await leftInChat(page);
  await page.evaluate(`document.body.append(document.createElement('iframe'))`);
  await page.frames()[2]?.evaluate(`(() => {
    const hosts = [...parent.document.querySelectorAll('*')].filter((one) => one.shadowRoot?.querySelector('iframe'));
    const chat = hosts[0].shadowRoot.querySelector('iframe').contentWindow;
    chat.postMessage({ foyer: 1, type: 'reset', key: 'anon_other' }, '*');
  })()`);
  await chat.getByRole('textbox', { name: 'Write a message…' }).fill('Heard after it');
  expect(await leftInChat(page)).toEqual(before);
  await page.evaluate(`svc('reset')`);
  await expect.poll(() => leftInChat(page)).toEqual([]);
  expect(await leftOnPage(page)).toEqual([]);
  expect((await context.cookies()).map(({ name }) => name)).toEqual([]);
  expect(said).toEqual([]);
});

it('a browser token of this page’s origin can write visitors and events; one of another origin is refused', async () => {
  const { token, id } = await desk('browser_tokens.create', { name: 'shop', allowed_origins: [shop.origin] });
  const { secret } = await desk('identity_secret.rotate');
  const userHash = createHmac('sha256', secret).update('ada').digest('hex');
  const calls = (hash: string) =>
    `svc('boot',{apiToken:'${token}'});svc('track','before');svc('identify',{user_id:'ada',userHash:'${hash}',plan:'pro'});svc('track','paid',{sum:3})`;
  await openShop(calls(userHash));
  await expect
    .poll(async () => (await visitor('ada')).data)
    .toMatchObject({ attributes: { plan: 'pro' }, event_count: 2 });
  await desk('browser_tokens.update', { id, allowed_origins: ['https://elsewhere.example'] });
  const { said } = await openShop(`svc('boot',{apiToken:'${token}'});svc('track','again')`);
  await expect.poll(() => said.join('\n')).toContain('[svc] refused: 403');
  expect((await visitor('ada')).data.event_count).toBe(2);
});

it('if the site asks for consent, the page sends nothing until it is given', async () => {
  await desk('site.update', { consent: true });
  const { page, said } = await openShop(`svc('track','early')`);
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  await page.getByRole('button', { name: 'Open chat' }).waitFor();
  await page.waitForLoadState('networkidle');
  expect([await leftOnPage(page), page.frames().length]).toEqual([[], 1]);
  expect(requests.filter((path) => /collect|socket|^\/v1/.test(path))).toEqual([]);
  await page.evaluate(`svc('boot')`);
  const key = async () =>
    page.evaluate<string>(`JSON.parse(localStorage.getItem('svc.visitor')??'{"key":""}').key`);
  await expect.poll(async () => (await visitor(await key())).data?.event_count).toBe(1);
  expect(said).toEqual([]);
});

it('on a page that the site does not allow, no chat is shown and nothing is accepted', async () => {
  await desk('site.update', { allowed_origins: ['https://elsewhere.example'] });
  const { page, said } = await openShop(`svc('boot',{});svc('identify',{user_id:'eve'})`);
  await page.getByRole('button', { name: 'Open chat' }).click();
  await expect.poll(() => said.join('\n')).toMatch(/frame-ancestors/);
  await expect.poll(() => said.join('\n')).toContain('[svc] refused: 403');
  expect((await visitor('eve')).error.code).toBe('not_found');
});
