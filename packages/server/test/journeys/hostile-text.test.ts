import { randomUUID } from 'node:crypto';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Shop, startShop } from '../../../sdk/test/shop.ts';
import { type Json, startTestApp, type TestApp, type TestSite } from '../app.ts';
import { openBrowser, type TestBrowser } from '../chromium.ts';
import { signInto } from '../desk-session.ts';
import { goWithin } from '../desk-tabs.ts';
import { freePort } from '../foyer-process.ts';
import { snippetFor } from '../snippet.ts';
import { TestSocket } from '../sockets.ts';

// Text that would run if any page treated it as markup, in everything that strangers, customers and colleagues write.

/** A word in all of them, to check that a page shows it. */
const MARK = 'mark7f3';
const ATTACKS = [
  '<img src=x onerror=hit()>',
  '<svg/onload=hit()>',
  '"><script>hit()</script>',
  "'onmouseover='hit()",
  '</title></textarea><script>hit()</script>',
  '<iframe srcdoc="<script>parent.hit()</script>"></iframe>',
  '<math><mtext></form><form><mglyph><style></math><img src onerror=hit()>',
  '[m](javascript:hit())',
  '<a href="javascript:hit()">m</a>',
  '![m](x"onerror="hit())',
  '<img src=//canary.invalid/x>',
  '![m](https://canary.invalid/y)',
  '<style>@import "//canary.invalid/z"</style>',
];
let next = 0;
/** A different one each time, short enough for a name. */
const name = (): string => `${MARK} ${ATTACKS[next++ % ATTACKS.length]}`.slice(0, 80);
const text = ATTACKS.map((attack) => `${MARK} ${attack}`).join('\n\n');

let browser: TestBrowser;
let app: TestApp;
let shop: Shop;
let site: TestSite;
let url: string;
let cookie: string;
let context: BrowserContext;

beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  [browser, app, shop] = await Promise.all([
    openBrowser(),
    startTestApp({ PORT: String(port) }),
    startShop(),
  ]);
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
  context = await browser.newContext({ reducedMotion: 'reduce' });
});
afterAll(async () => {
  await browser.close();
  await Promise.all([app.close(), shop.stop()]);
});

async function rest(resource: string, body: object): Promise<Json> {
  const answer = await app.rest(site.write, 'POST', `/v1/${resource}`, body);
  if (answer.status >= 300) throw new Error(`${resource}: ${JSON.stringify(answer.body)}`);
  return answer.body.data;
}

async function desk(operation: string, input: object): Promise<Json> {
  const answer = await app.desk(cookie, operation, input);
  if (answer.status >= 300) throw new Error(`${operation}: ${JSON.stringify(answer.body)}`);
  return answer.body.data;
}

/** Effects on a page that only markup can have, as lines. */
async function watched(): Promise<{ page: Page; faults: () => Promise<string[]> }> {
  const page = await context.newPage();
  const seen: string[] = [];
  await page.addInitScript('self.hits = []; self.hit = () => self.hits.push(document.title)');
  page.on('dialog', (dialog) => {
    seen.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (request.url().includes('canary.invalid') || /\/x"?$/.test(request.url())) seen.push(request.url());
  });
  // A policy that stops a script has found markup that should have been text.
  page.on('console', (message) => {
    if (/Content Security Policy|Refused to/.test(message.text())) seen.push(message.text());
  });
  const faults = async (): Promise<string[]> => {
    for (const frame of page.frames()) {
      seen.push(...(await frame.evaluate<string[]>('(self.hits ?? []).splice(0).map((at) => "hit: " + at)')));
      const nodes = '[onerror], [onload], [onmouseover], [srcdoc*="hit"], a[href^="javascript:"], mglyph';
      const made = await frame.locator(nodes).evaluateAll((all) => all.map(String));
      seen.push(...made.map((node) => `${frame.url()}: ${node}`));
    }
    return seen.splice(0);
  };
  return { page, faults };
}

/** An anonymous visitor ends a chat with an agent, and leaves feedback. */
async function rateChat(): Promise<void> {
  const { socket } = await TestSocket.visitor(app.url, site.publicKey);
  const sent: Json = await socket.call('chat.send', {
    session_id: null,
    client_id: randomUUID(),
    text: 'Hello',
  });
  const id: string = sent.session.session_id;
  await socket.call('chat.request_person', { session_id: id, client_id: randomUUID() });
  await desk('sessions.accept', { session_id: id });
  await desk('sessions.reply', { session_id: id, client_id: randomUUID(), text: 'Here I am.' });
  await desk('sessions.close', { session_id: id });
  await socket.call('chat.rate', { session_id: id, rating: 1, comment: text.slice(0, 900) });
  socket.cut();
}

async function fillSite(): Promise<{ sessionId: string; ticketId: number; portal: string }> {
  await desk('site.update', {
    name: name(),
    greeting: text.slice(0, 300),
    launcher_text: '<b>hit</b>',
    pre_chat: [],
  });
  await desk('me.set_signature', { signature: text.slice(0, 900) });
  await rateChat();
  const key = `user_${randomUUID()}`;
  await rest('visitors', { key, name: name(), email: 'mark7f3@example.com', plan: name(), [name()]: name() });
  await rest('track', { key, name: name(), properties: { [name()]: name() } });
  const { socket } = await TestSocket.visitor(app.url, site.publicKey, {
    page_url: 'https://shop.example/<img src=x onerror=hit()>',
    page_title: name(),
  });
  const sent: Json = await socket.call('chat.send', {
    session_id: null,
    client_id: randomUUID(),
    text: text.slice(0, 2_000),
  });
  const sessionId = sent.session.session_id;
  await socket.call('chat.request_person', { session_id: sessionId, client_id: randomUUID() });
  await desk('sessions.accept', { session_id: sessionId });
  await desk('sessions.reply', { session_id: sessionId, client_id: randomUUID(), text });
  await desk('sessions.note', { session_id: sessionId, client_id: randomUUID(), text });
  const ticket = await rest('tickets', { subject: name(), body: text, requester: { key }, tags: [name()] });
  for (const type of ['public', 'note'])
    await rest('ticket_reply', { ticket_id: ticket.id, type, body: text });
  const article = { title: name(), category: name(), body: text, status: 'Published' };
  await Promise.all([
    rest('articles', article),
    rest('conversation_starters', { label: name(), prompt: name() }),
    rest('macros', { name: name(), actions: [{ type: 'reply', body: '<img src=x onerror=hit()>' }] }),
    rest('saved_views', { name: name(), filter: { q: name() } }),
    rest('segments', { name: name(), rule: { any: [{ attribute: 'plan', op: 'eq', value: name() }] } }),
    rest('webhook_subscriptions', {
      url: 'http://127.0.0.1:9/x',
      events: ['handoff'],
      description: name(),
    }),
    desk('api_tokens.create', { name: name(), scopes: 'read' }),
  ]);
  const { url: portal } = await rest('portal_token', { ticket_id: ticket.id });
  return { sessionId, ticketId: ticket.id, portal };
}

let world: Awaited<ReturnType<typeof fillSite>>;

it('runs nowhere at the desk, where all of it is shown as text', { timeout: 180_000 }, async () => {
  world = await fillSite();
  await signInto(context, cookie, url);
  const { page, faults } = await watched();
  await page.goto(`${url}/app/inbox`);
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  for (const path of [
    `inbox/${world.sessionId}`,
    `inbox/ticket-${world.ticketId}`,
    'visitors',
    'visitors/segments',
    'knowledge',
    'knowledge/starters',
    'knowledge/categories',
    'reports?report=volume',
    'reports?report=satisfaction',
    'settings/macros',
    'settings/tags',
    'settings/tokens',
    'settings/webhooks',
    'settings/audit',
    'settings/account',
    'settings/widget',
    'settings/site',
  ]) {
    await goWithin(page, `/app/${path}`);
    await expect.poll(() => page.content(), { message: path }).toContain(MARK);
    expect(await faults(), path).toEqual([]);
  }
  await page.keyboard.press('Control+k');
  await page.keyboard.type(MARK);
  await page.getByRole('option').first().waitFor();
  expect(await faults(), 'palette').toEqual([]);
  await page.close();
});

it('runs nowhere in the widget, on its host page, in the portal or the help centre', {
  timeout: 120_000,
}, async () => {
  shop.page.html = `<!doctype html><title>Shop</title>${snippetFor(url, site.publicKey)}<p>A shop`;
  const { page, faults } = await watched();
  await page.goto(shop.origin);
  await page.getByRole('button', { name: 'Open chat' }).click();
  const chat = page.frameLocator('iframe[title=Chat]');
  await chat.getByText(MARK).first().waitFor();
  expect(await faults(), 'widget').toEqual([]);
  await chat.getByRole('button', { name: /Send us a message/ }).click();
  await chat.getByPlaceholder('Write a message…').fill(text.slice(0, 1_500));
  await chat.getByPlaceholder('Write a message…').press('Enter');
  await chat.locator('.bubble-own').getByText(MARK).first().waitFor();
  expect(await faults(), 'chat').toEqual([]);
  await page.goto(world.portal);
  await page.getByText(MARK).first().waitFor();
  expect(await faults(), 'portal').toEqual([]);
  for (const path of ['', `?q=${encodeURIComponent(name())}`]) {
    await page.goto(`${url}/help/${site.publicKey}${path}`);
    await page.getByText(MARK).first().waitFor();
    expect(await faults(), `help${path}`).toEqual([]);
  }
  await page
    .getByRole('link', { name: new RegExp(MARK) })
    .first()
    .click();
  expect(await faults(), 'article').toEqual([]);
  await page.close();
});
