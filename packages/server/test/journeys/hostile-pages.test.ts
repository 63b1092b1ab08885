import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Shop, startShop } from '../../../sdk/test/shop.ts';
import { PASSWORD, startTestApp, type TestApp, type TestSite } from '../app.ts';
import { openBrowser, type TestBrowser } from '../chromium.ts';
import { freePort } from '../foyer-process.ts';

// What a page, a link and a file can do to the browser that opens them.

let browser: TestBrowser;
let app: TestApp;
let shop: Shop;
let site: TestSite;
let url: string;

beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  [browser, app, shop] = await Promise.all([
    openBrowser(),
    startTestApp({ PORT: String(port) }),
    startShop(),
  ]);
  site = await app.makeSite();
});
afterAll(async () => {
  await browser.close();
  await Promise.all([app.close(), shop.stop()]);
});

const ODD = [
  'null',
  '"init"',
  '[]',
  '{}',
  '{foyer:1}',
  '{foyer:2,type:"init",key:"anon_x",attributes:{},page_url:""}',
  '{foyer:1,type:"opened"}',
  '{foyer:1,type:"connect"}',
  '{foyer:1,type:"identify",key:"user_1",attributes:{}}',
  '{foyer:1,type:"reset",key:"user_1"}',
  '{foyer:1,type:"__proto__"}',
  '{foyer:1,type:"page",page_url:"javascript:hit()"}',
];

it('the widget sends nothing to its page before `init`, and malformed commands do nothing', async () => {
  shop.page.html = `<!doctype html><title>Shop</title>
    <script>window.told = []; window.hit = () => told.push('hit');
      addEventListener('message', ({ data }) => told.push(data));</script>
    <iframe src="${url}/widget/${site.publicKey}"></iframe>`;
  const context = await browser.newContext();
  const page = await context.newPage();
  const sockets: string[] = [];
  const faults: string[] = [];
  page.on('websocket', (socket) => sockets.push(socket.url()));
  page.on('pageerror', (error) => faults.push(String(error)));
  await page.goto(shop.origin);
  const say = (text: string): Promise<unknown> => page.evaluate(`frames[0].postMessage(${text}, '*')`);
  for (const text of ODD) await say(text);
  // Later messages are handled after them.
  await say('{foyer:1,type:"init",key:"anon_1",attributes:{__proto__:{x:1}},page_url:"javascript:hit()"}');
  await page.waitForFunction('told.length > 0');
  for (const text of ODD) await say(text.replace('"reset"', '"odd"').replace('"identify"', '"odd"'));
  expect(await page.evaluate('told[0]')).toEqual({ foyer: 1, type: 'here' });
  await page.waitForFunction('told.some(({ type }) => type === "ready")');
  const told = await page.evaluate<{ type?: string }[]>('told');
  expect(told.filter((one) => !['here', 'ready', 'unread', 'keep'].includes(one.type ?? ''))).toEqual([]);
  expect(faults).toEqual([]);
  expect(sockets.every((address) => address.startsWith(url.replace('http', 'ws')))).toBe(true);
  await context.close();
});

const NEXT = [
  'https://evil.example/app/inbox',
  '//evil.example/app/inbox',
  '/\\evil.example/app/inbox',
  '/%2f/evil.example',
  'javascript:alert(1)',
  '/app/../..//evil.example/',
  '/app/\\..\\..\\/evil.example',
  '/app/%2e%2e//evil.example',
  '\t//evil.example',
];

async function signInAt(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.getByLabel('Email').fill(site.admin.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL((at) => !at.pathname.startsWith('/app/sign-in'));
}

it('a sign-in redirects only to the desk, whatever its address names', { timeout: 120_000 }, async () => {
  for (const next of NEXT) {
    const context = await browser.newContext();
    const page = await context.newPage();
    const elsewhere: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('evil.example') && !request.url().startsWith(url))
        elsewhere.push(request.url());
    });
    page.on('dialog', (dialog) => {
      elsewhere.push(dialog.message());
      void dialog.dismiss();
    });
    await signInAt(page, `${url}/app/sign-in?next=${encodeURIComponent(next)}`);
    expect([next, new URL(page.url()).origin, elsewhere]).toEqual([next, url, []]);
    await context.close();
  }
});

it('a file that is a script doesn’t run at the desk’s address', async () => {
  const context = await browser.newContext({ acceptDownloads: false });
  const page = await context.newPage();
  await signInAt(page, `${url}/app/sign-in`);
  const ticket = await app.rest(site.write, 'POST', '/v1/tickets', {
    subject: 'The lamp',
    body: 'It broke.',
    requester: { name: 'Priya' },
  });
  const { body } = await app.rest(site.write, 'POST', '/v1/ticket_reply', {
    ticket_id: ticket.body.data.id,
    type: 'public',
    body: 'See the files.',
    attachments: ['lamp.js', 'lamp.mjs', 'lamp.html', 'lamp.json'].map((name) => ({
      name,
      content: Buffer.from('self.hit = true; document.title = "hit"').toString('base64'),
    })),
  });
  const addresses: string[] = body.data.attachments.map((file: { url: string }) => file.url);
  // The strongest attack: injected markup in a page of this origin that has no policy of its own.
  const bare = `${url}/app/none-${randomUUID()}.txt`;
  await page.route(bare, (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
  await page.goto(bare);
  for (const address of addresses) {
    const outcome = await page.evaluate(
      `new Promise((resolve) => {
        const script = document.createElement('script');
        script.src = ${JSON.stringify(address)};
        script.onload = () => resolve('ran');
        script.onerror = () => resolve('refused');
        document.body.append(script);
      })`,
    );
    expect([address, outcome, await page.evaluate('self.hit')]).toEqual([address, 'refused', undefined]);
  }
  await context.close();
});
