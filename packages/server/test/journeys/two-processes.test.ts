import { randomUUID } from 'node:crypto';
import type { VisitorHere } from '@foyer/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type App, createApp } from '../../src/app/app.ts';
import { readConfig } from '../../src/config.ts';
import { importSampleKnowledge } from '../../src/knowledge/sample.ts';
import { makeAgent } from '../accounts.ts';
import { type Json, PASSWORD, startTestApp, type TestApp, type TestSite } from '../app.ts';
import { openBalancer } from '../balancer.ts';
import { answeredChat } from '../chats.ts';
import { openBrowser } from '../chromium.ts';
import { silentLog, TEST_SECRET, until } from '../harness.ts';
import { type Receiver, startReceiver } from '../receiver.ts';
import { TestSocket } from '../sockets.ts';
import { eventsOf, openChat, say } from '../stand.ts';

// Two processes of Foyer on one database: each can serve every client.

let a: TestApp;
let b: App;
let bUrl: string;
let site: TestSite;
let receiver: Receiver;
/** The second process's clock: stopped in tests that must not depend on the expiry of a cache. */
let clockOfB = Date.now;

async function startBeside(): Promise<{ app: App; url: string }> {
  const config = readConfig({ PORT: '0', FOYER_WEBHOOK_ALLOW_PRIVATE: 'true' });
  const now = (): Date => new Date(clockOfB());
  const options = { config, databaseUrl: a.databaseUrl, secret: TEST_SECRET, log: silentLog, now };
  const app = await createApp(options);
  return { app, url: await app.listen() };
}

beforeAll(async () => {
  a = await startTestApp();
  ({ app: b, url: bUrl } = await startBeside());
  site = await a.makeSite();
  await importSampleKnowledge(site.operator);
  receiver = await startReceiver();
  await a.rest(site.write, 'POST', '/v1/webhook_subscriptions', {
    url: receiver.url,
    events: ['handoff', 'message_created', 'conversation_started'],
  });
});
afterAll(async () => {
  await receiver.close();
  await b.close();
  await a.close();
});

const onB = () => ({ url: bUrl, publicKey: site.publicKey });
const agentOnA = async () => TestSocket.agent(a.url, await a.signIn(site.admin.email));
const tagsOnB = (token: string) =>
  fetch(`${bUrl}/v1/tags`, { headers: { authorization: `Bearer ${token}` } }).then(({ status }) => status);

describe('a visitor on one process and an agent on another', () => {
  it('meet when the agent writes to a page that never opened the chat', async () => {
    const admin = await a.signIn(site.admin.email);
    const key = `anon_${randomUUID()}`;
    const report = async () => {
      const page = { tab: '0123456789abcdef', key, page_url: 'https://shop.example/lamps' };
      const init = { method: 'POST', body: JSON.stringify(page) };
      const answer = await fetch(`${bUrl}/widget/live?site=${site.publicKey}`, init);
      const { data }: Json = await answer.json();
      return data;
    };
    expect((await report()).call).toBeUndefined();
    const text = 'Can I help?';
    const start = () => a.desk(admin, 'sessions.start', { key, client_id: key.slice(5), text });
    expect((await start()).body.error.reason).toBe('visitor_connecting');
    await until(async () => (await report()).call === true);
    const { socket } = await TestSocket.visitor(bUrl, site.publicKey, {
      key,
      page_url: 'https://shop.example/lamps',
    });
    await until(async () => (await start()).status === 200);
    const { session } = await socket.next('session');
    await socket.subscribe(session.session_id);
    await socket.next('message', ({ message }) => message.text === text);
    socket.cut();
  });

  it('get each other’s messages, states, notes and typing, each once and in order', async () => {
    const agent = await agentOnA();
    const { socket, id } = await openChat(onB(), 'Good morning');
    await agent.next('session_changed', ({ session }) => session.session_id === id);
    await agent.subscribe(id);
    await agent.call('sessions.accept', { session_id: id });
    await socket.next('session', ({ session }) => session.session_id === id && session.status === 'active');
    for (let round = 0; round < 10; round++) {
      const [mine, yours] = [randomUUID(), randomUUID()];
      await Promise.all([
        say(socket, id, `visitor ${round}`, mine),
        agent.call('sessions.reply', { session_id: id, client_id: yours, text: `agent ${round}` }),
      ]);
      await agent.next('message', ({ message }) => message.client_id === mine);
      await socket.next('message', ({ message }) => message.client_id === yours);
    }
    for (const reader of [socket, agent]) {
      const seqs = reader.messagesOf(id).map(({ seq }) => seq);
      expect(seqs).toEqual(seqs.map((_, index) => index + 1));
    }
    agent.send({ type: 'typing', session_id: id, typing: true });
    expect(await socket.next('typing')).toMatchObject({ from: 'agent', name: 'Ada', typing: true });
    const text = 'I am not sure whether';
    socket.send({ type: 'typing', session_id: id, typing: true, text });
    expect(await agent.next('typing')).toMatchObject({ from: 'visitor', name: null, typing: true, text });
    agent.send({ type: 'typing', session_id: id, typing: false });
    await socket.next('typing', ({ typing }) => !typing);
    expect(agent.frames.filter((frame) => frame.type === 'typing' && frame.from === 'agent')).toEqual([]);

    const other = await TestSocket.agent(bUrl, await a.signIn(site.admin.email));
    await other.subscribe(id);
    await agent.call('sessions.note', { session_id: id, client_id: randomUUID(), text: 'between us' });
    expect((await other.next('note')).note.text).toBe('between us');
    expect(JSON.stringify(socket.frames)).not.toContain('between us');
    for (const one of [agent, other, socket]) one.cut();
  });

  it('know who is online, even if a process starts after the agent came online', async () => {
    const { socket, welcome } = await TestSocket.visitor(bUrl, site.publicKey);
    // The agents of the previous test may still be leaving.
    if (welcome.agents_online) await socket.next('availability', ({ agents_online }) => !agents_online);
    socket.frames.length = 0;
    const agent = await agentOnA();
    await socket.next('availability', ({ agents_online }) => agents_online);
    const third = await startBeside();
    try {
      await until(async () => (await third.app.live.presence.onlineAgents(site.site.id)).length > 0);
    } finally {
      await third.app.close();
    }
    socket.frames.length = 0;
    agent.cut();
    await socket.next('availability', ({ agents_online }) => !agents_online);
    socket.cut();
  });
});

describe('a page that reports to one process', () => {
  it('is in the list of the other as long as it is open, and not in another site’s list', async () => {
    const cookie = await a.signIn(site.admin.email);
    const agent = await TestSocket.agent(a.url, cookie);
    const here = async (): Promise<VisitorHere[]> => (await a.desk(cookie, 'visitors.here')).body.data;
    const listed = async () => (await here()).some(({ visitor }) => visitor.key === 'anon_reports');
    const report = (more: object = {}) =>
      fetch(`${bUrl}/widget/live?site=${site.publicKey}`, {
        method: 'POST',
        body: JSON.stringify({
          tab: 'f0'.repeat(8),
          key: 'anon_reports',
          page_url: 'https://shop.example/lamps',
          ...more,
        }),
      });
    expect(await listed()).toBe(false);
    expect((await report()).status).toBe(202);
    await agent.next('visitors_here_changed');
    await until(listed);
    expect((await here()).find(({ visitor }) => visitor.key === 'anon_reports')).toMatchObject({
      page_url: 'https://shop.example/lamps',
      has_chat: false,
    });
    const other = await a.makeSite();
    const theirs = await a.desk(await a.signIn(other.admin.email), 'visitors.here');
    expect(theirs.body.data).toEqual([]);
    await report({ left: true });
    clockOfB = () => Date.now() + 11_000;
    await until(async () => !(await listed()));
    clockOfB = Date.now;
    agent.cut();
  });
});

describe('what one process changes', () => {
  it('takes effect at once on the other: a revoked token, a changed password', async () => {
    const made = await a.desk(await a.signIn(site.admin.email), 'api_tokens.create', {
      name: 'brief',
      scopes: 'read',
    });
    const { id, token } = made.body.data;
    const frozen = Date.now();
    clockOfB = () => frozen;
    expect(await tagsOnB(token)).toBe(200);
    await a.desk(await a.signIn(site.admin.email), 'api_tokens.revoke', { id });
    await until(async () => (await tagsOnB(token)) === 401);
    clockOfB = Date.now;

    const email = `mover-${randomUUID()}@example.com`;
    await makeAgent(site.operator, { email, name: 'Ben', role: 'agent' });
    const cookie = await a.signIn(email);
    const there = await TestSocket.agent(bUrl, await a.signIn(email));
    const changed = await fetch(`${a.url}/app/auth/change-password`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie, origin: a.url },
      body: JSON.stringify({ currentPassword: PASSWORD, newPassword: 'another horse battery' }),
    });
    expect(changed.status).toBe(200);
    expect((await there.whenClosed()).code).toBe(4001);
  });
});

describe('a load balancer that alternates between processes', () => {
  it('carries a chat without sockets: everything once and in order, both ways', async () => {
    const [browser, balancer] = await Promise.all([openBrowser(), openBalancer([a.url, bUrl])]);
    try {
      const agent = await agentOnA();
      const page = await browser.newPage({ viewport: { width: 400, height: 640 } });
      await page.goto(`${balancer.url}/widget/${site.publicKey}`);
      await page.getByText('Send us a message').click();
      const field = page.getByPlaceholder('Write a message…');
      const write = async (text: string) => {
        await field.fill(text);
        await field.press('Enter');
      };
      const hello = `hello ${randomUUID()}`;
      await write(hello);
      const id = await answeredChat(a.app.database.pool, hello);
      await agent.call('sessions.accept', { session_id: id });
      await agent.subscribe(id);
      for (let round = 1; round <= 8; round++) {
        await write(`visitor ${round}`);
        await agent.next('message', ({ message }) => message.text === `visitor ${round}`);
        await agent.call('sessions.reply', {
          session_id: id,
          client_id: randomUUID(),
          text: `agent ${round}`,
        });
      }
      const bubbles = page.locator('.messages .bubble');
      await bubbles.filter({ hasText: 'agent 8' }).waitFor();
      await page.locator('.message-pending').first().waitFor({ state: 'detached' });
      const { body } = await a.rest(site.read, 'GET', `/v1/transcripts?sessionId=${id}`);
      const said = body.data.messages.filter(({ sender }: { sender: string }) => sender !== 'system');
      expect(said.map(({ text }: { text: string }) => text)).toEqual(await bubbles.allTextContents());
      const own = said.filter(({ sender }: { sender: string }) => sender === 'visitor');
      expect(own.map(({ text }: { text: string }) => text)).toEqual([
        hello,
        ...Array.from({ length: 8 }, (_, index) => `visitor ${index + 1}`),
      ]);
      expect(balancer.polls.map((count) => count > 0)).toEqual([true, true]);
      agent.cut();
    } finally {
      await browser.close();
      await balancer.close();
    }
  });
});

describe('two workers', () => {
  it('answer each chat once and send each webhook once', async () => {
    const chats = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const door = index % 2 ? onB() : { url: a.url, publicKey: site.publicKey };
        const chat = await openChat(door, 'How many days do I have to return something?');
        const more = await say(chat.socket, chat.id, 'And how long does delivery take?');
        return { ...chat, last: more.message.seq };
      }),
    );
    const { db } = a.app.database;
    await until(async () => {
      const ids = chats.map(({ id }) => id);
      const rows = await db.selectFrom('conversations').selectAll().where('session_id', 'in', ids).execute();
      return chats.every(({ id, last }) => rows.some((row) => row.session_id === id && row.bot_seq >= last));
    });
    for (const { id, socket } of chats) {
      const { body } = await a.rest(site.read, 'GET', `/v1/transcripts?sessionId=${id}`);
      const said = body.data.messages.filter(({ sender }: { sender: string }) => sender === 'bot');
      expect(said.length).toBeLessThanOrEqual(2);
      expect(new Set(said.map(({ text }: { text: string }) => text)).size).toBe(said.length);
      const all = body.data.messages.length;
      await until(async () => eventsOf(receiver.requests, 'message_created', id).length >= all);
      expect(eventsOf(receiver.requests, 'message_created', id)).toHaveLength(all);
      expect(eventsOf(receiver.requests, 'conversation_started', id)).toHaveLength(1);
      socket.cut();
    }
    const ids = receiver.requests.map(({ headers }) => headers['x-service-delivery']);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('a process that is killed', () => {
  it('takes its agents offline: visitors of the other processes soon see that nobody is there', async () => {
    const c = await startBeside();
    const agent = await TestSocket.agent(c.url, await a.signIn(site.admin.email));
    const { socket } = await TestSocket.visitor(bUrl, site.publicKey);
    await until(async () => (await b.live.presence.onlineAgents(site.site.id)).length > 0);
    socket.frames.length = 0;
    // Like a kill: it sends nothing more, not even that its agent has gone.
    await c.app.live.close();
    clockOfB = () => Date.now() + 60_000;
    await socket.next('availability', ({ agents_online }) => !agents_online);
    expect(agent.closed).toBeUndefined();
    agent.cut();
    await c.app.close();
  });
});
