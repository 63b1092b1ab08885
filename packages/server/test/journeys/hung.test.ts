import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { startTestApp, type TestApp, type TestSite } from '../app.ts';
import { answeredChat } from '../chats.ts';
import { openBrowser, type TestBrowser } from '../chromium.ts';
import {
  type Installation,
  newInstallation,
  PROCESSES_TIMEOUT_MS,
  type RunningServer,
} from '../fixtures/foyer.ts';
import { TEST_SECRET, until } from '../harness.ts';
import { openRoundRobin, type RoundRobin } from '../round-robin.ts';
import { TestSocket } from '../sockets.ts';
import { openWidgetVisitor, type WidgetVisitor } from '../widget-visitor.ts';

// Two processes behind a load balancer that still gives connections to the hanging one; the agent uses a third.

vi.setConfig({ testTimeout: PROCESSES_TIMEOUT_MS });

let office: TestApp;
let site: TestSite;
let agent: TestSocket;
let places: Installation[];
let servers: RunningServer[];
let balancer: RoundRobin;
let browser: TestBrowser;
const visitors: WidgetVisitor[] = [];

beforeAll(async () => {
  [browser, office] = await Promise.all([openBrowser(), startTestApp()]);
  site = await office.makeSite();
  agent = await TestSocket.agent(office.url, await office.signIn(site.admin.email));
  places = await Promise.all([newInstallation(), newInstallation()]);
  const shared = { DATABASE_URL: office.databaseUrl, FOYER_SECRET: TEST_SECRET };
  servers = await Promise.all(places.map((place) => place.serve('start', shared)));
  balancer = await openRoundRobin(() => servers.map(({ url }) => Number(new URL(url).port)));
}, PROCESSES_TIMEOUT_MS);
afterEach(() => {
  for (const server of servers) server.process.kill('SIGCONT');
  for (const visitor of visitors.splice(0)) visitor.leave();
});
afterAll(async () => {
  agent.cut();
  await browser.close();
  await balancer.close();
  await Promise.all(places.map((place) => place.clear()));
  await office.close();
});

const reply = (id: string, text: string) =>
  agent.call('sessions.reply', { session_id: id, client_id: randomUUID(), text });
const stored = async (id: string): Promise<string[]> => {
  const { body } = await office.rest(site.read, 'GET', `/v1/transcripts?sessionId=${id}`);
  return body.data.messages
    .filter(({ sender }: { sender: string }) => sender === 'visitor' || sender === 'agent')
    .map(({ text }: { text: string }) => text);
};
const openVisitor = async (): Promise<WidgetVisitor> => {
  const visitor = await openWidgetVisitor(balancer.url, site.publicKey);
  visitors.push(visitor);
  return visitor;
};
const hang = (server: RunningServer | undefined) => server?.process.kill('SIGSTOP');
const goOn = (server: RunningServer | undefined) => server?.process.kill('SIGCONT');

it('a visitor of a hanging process moves to another, in the widget, and nothing is doubled when it resumes', async () => {
  const page = await browser.newPage({ viewport: { width: 400, height: 640 } });
  await page.goto(`${balancer.url}/widget/${site.publicKey}`);
  await page.getByText('Send us a message').click();
  const write = async (text: string) => {
    await page.getByPlaceholder('Write a message…').fill(text);
    await page.getByPlaceholder('Write a message…').press('Enter');
  };
  const hello = `hello ${randomUUID()}`;
  await write(hello);
  const id = await answeredChat(office.app.database.pool, hello);
  await agent.call('sessions.accept', { session_id: id });
  await agent.subscribe(id);
  await page.getByText('Ada joined the chat').waitFor();

  await expect.poll(() => balancer.visitorsOf(0) + balancer.visitorsOf(1)).toBe(1);
  const hung = balancer.visitorsOf(0) === 1 ? 0 : 1;
  hang(servers[hung]);
  await write('into the dark');
  await reply(id, 'Are you still there?');
  await agent.next('message', ({ message }) => message.text === 'into the dark');
  const bubbles = page.locator('.messages .bubble');
  await bubbles.filter({ hasText: 'Are you still there?' }).waitFor();
  await page.locator('.message-pending').first().waitFor({ state: 'detached' });

  goOn(servers[hung]);
  await until(async () => (await fetch(`${servers[hung]?.url}/readyz`)).ok);
  await write('I am');
  await agent.next('message', ({ message }) => message.text === 'I am');
  await reply(id, 'Good');
  await bubbles.filter({ hasText: 'Good' }).waitFor();
  const all = await stored(id);
  expect(all.toSorted()).toEqual([hello, 'into the dark', 'Are you still there?', 'I am', 'Good'].toSorted());
  const shown = await bubbles.allTextContents();
  expect(shown.filter((text) => all.includes(text))).toEqual(all);
  expect(agent.messagesOf(id).filter(({ text }) => text === 'into the dark')).toHaveLength(1);
});

it('many visitors of a hanging process continue on the other: each message is stored once and shown once', async () => {
  const many = await Promise.all(Array.from({ length: 8 }, openVisitor));
  const say = (visitor: WidgetVisitor, text: string) => expect(visitor.send(text)).toBe(true);
  const isSent = (visitor: WidgetVisitor, text: string) =>
    visitor.until(() => visitor.texts('visitor').includes(text) && visitor.waiting().length === 0);
  for (const visitor of many) say(visitor, 'before');
  await Promise.all(many.map((visitor) => isSent(visitor, 'before')));
  expect(balancer.visitorsOf(0)).toBeGreaterThan(0);
  hang(servers[0]);
  for (const visitor of many) say(visitor, 'meanwhile');
  await Promise.all(many.map((visitor) => isSent(visitor, 'meanwhile')));
  goOn(servers[0]);
  await until(async () => (await fetch(`${servers[0]?.url}/readyz`)).ok);
  for (const visitor of many) say(visitor, 'after');
  await Promise.all(many.map((visitor) => isSent(visitor, 'after')));
  for (const visitor of many) {
    expect(visitor.texts('visitor')).toEqual(['before', 'meanwhile', 'after']);
    expect(await stored(visitor.session() ?? '')).toEqual(['before', 'meanwhile', 'after']);
  }
});
