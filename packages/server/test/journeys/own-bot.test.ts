import type { ChildProcess } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Shop, startShop } from '../../../sdk/test/shop.ts';
import { type Json, startTestApp, type TestApp, type TestSite } from '../app.ts';
import { openBrowser, type TestBrowser } from '../chromium.ts';
import { freePort } from '../foyer-process.ts';
import { testDatabase, until } from '../harness.ts';
import { connectMcp } from '../mcp-client.ts';
import { startOwnBot } from '../own-bot.ts';
import { snippetFor } from '../snippet.ts';

// A visitor on a page with the snippet of the docs, the shop's own bot program, and an agent who uses MCP at another
// process than the visitor's: nobody has a desk open.

let browser: TestBrowser;
let shop: Shop;
let first: TestApp;
let second: TestApp;
let site: TestSite;
let bot: ChildProcess;
let url: string;
beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  const database = await testDatabase();
  [browser, shop] = await Promise.all([openBrowser(), startShop()]);
  first = await startTestApp({ PORT: String(port) }, {}, database);
  second = await startTestApp({ FOYER_BASE_URL: url }, {}, { ...database, close: async () => undefined });
  site = await first.makeSite();
  bot = await startOwnBot(second, site);
});
afterAll(async () => {
  bot.kill();
  await browser.close();
  await shop.stop();
  await second.close();
  await first.close();
});

const messages = async (): Promise<Json[]> => {
  const [chat] = (await first.rest(site.read, 'GET', '/v1/conversations')).body.data;
  const path = `/v1/conversation_messages?session_id=${chat.session_id}`;
  return (await first.rest(site.read, 'GET', path)).body.data;
};

it('the bot answers and hands over, an agent replies over MCP, and the visitor reads both in the widget', async () => {
  shop.page.html = `<!doctype html><title>Shop</title>${snippetFor(url, site.publicKey)}<p>A shop`;
  const page = await browser.newPage({ reducedMotion: 'reduce' });
  await page.goto(shop.origin);
  await page.getByRole('button', { name: 'Open chat' }).click();
  const widget = page.frameLocator('iframe[title=Chat]');
  await widget.getByRole('button', { name: /Send us a message/ }).click();
  const field = widget.getByPlaceholder('Write a message…');
  const log = widget.getByRole('region', { name: 'Chat', exact: true });
  const say = async (text: string): Promise<void> => {
    await field.fill(text);
    await field.press('Enter');
  };

  await say('When are you open?');
  await log.getByText('Monday to Friday, 9 to 17').waitFor();
  await say('My lamp is broken');
  const waiting = async (): Promise<Json> =>
    (await first.rest(site.read, 'GET', '/v1/conversations?status=waiting')).body.data[0];
  await until(async () => (await waiting()) !== undefined);
  const { session_id, handoff } = await waiting();
  expect(handoff.summary).toMatch(/^The shop’s bot had no answer\./);

  const agent = await connectMcp(second.url, site.write);
  const replied = await agent.call('send_conversation_message', {
    session_id,
    sender: 'agent',
    agent_id: site.admin.agentId,
    text: 'A new lamp is on its way.',
  });
  expect(replied.isError, replied.text).toBe(false);
  await log.getByText('A new lamp is on its way.').waitFor();

  // The bot gets no more turns, and nothing arrived twice.
  await say('Thank you!');
  await until(async () => (await messages()).some(({ text }) => text === 'Thank you!'));
  expect((await messages()).filter(({ sender }) => sender !== 'system').map(({ sender }) => sender)).toEqual([
    'visitor',
    'bot',
    'visitor',
    'agent',
    'visitor',
  ]);
  const { body } = await first.rest(site.read, 'GET', '/v1/webhook_deliveries?limit=200');
  expect(body.data.map(({ event }: Json) => event)).toEqual(['bot_turn_requested', 'bot_turn_requested']);
  await agent.close();
});
