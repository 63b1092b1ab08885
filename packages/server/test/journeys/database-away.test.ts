import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importSampleKnowledge } from '../../src/knowledge/sample.ts';
import type { Bus } from '../../src/realtime/bus/bus.ts';
import { openPostgresBus } from '../../src/realtime/bus/postgres-bus.ts';
import { silentLog, until } from '../harness.ts';
import { type Receiver, startReceiver } from '../receiver.ts';
import { TestSocket } from '../sockets.ts';
import { eventsOf, makeStand, openChat, postgresOf, type Stand, say, signal } from '../stand.ts';

// The database of a real server dies, or stops responding.

/** Callers learn of it within 12 s: docs/operations/postgres.md. */
const LIMIT_MS = 12_000;

let stand: Stand;
let receiver: Receiver;
let cookie: string;
/** The bus of another process on the same database. */
let bus: Bus;
beforeAll(async () => {
  stand = await makeStand();
  await importSampleKnowledge(stand.operator);
  receiver = await startReceiver();
  const events = ['handoff', 'conversation_started'];
  expect((await stand.rest('POST', '/v1/webhook_subscriptions', { url: receiver.url, events })).status).toBe(
    201,
  );
  cookie = await stand.signIn();
  const { url, pool } = stand.database;
  const ignore = (): void => undefined;
  bus = await openPostgresBus({ url, pool, log: silentLog, onMessage: ignore, onGap: ignore });
});
afterAll(async () => {
  await bus.close();
  await receiver.close();
  await stand.strike();
});

const statusOf = (path: string): Promise<number> => fetch(stand.url + path).then(({ status }) => status);
const unavailable = { status: 503, body: { ok: false, error: { code: 'unavailable' } } };

/** The outcome of a call; `hung` if it has none in time. */
async function outcomeOf(call: Promise<unknown>): Promise<string> {
  const ended = call.then(
    () => 'done',
    (error) => error.code ?? String(error),
  );
  return Promise.race([ended, delay(LIMIT_MS, 'hung', { ref: false })]);
}

/** An agent and a visitor in a chat, who both keep their sockets throughout. */
async function openTalk() {
  const visitor = await openChat(stand);
  const agent = await TestSocket.agent(stand.url, cookie);
  await agent.call('sessions.accept', { session_id: visitor.id });
  await agent.subscribe(visitor.id);
  return { ...visitor, agent };
}

const isServing = async (): Promise<boolean> =>
  (await statusOf('/readyz')) === 200 && (await stand.rest('GET', '/v1/tags')).status === 200;

/** Checks everything that must recover automatically once the database is back. */
async function expectRecovered(talk: Awaited<ReturnType<typeof openTalk>>, unsure: string): Promise<void> {
  const { socket, agent, id } = talk;
  await until(isServing);
  // The widget sends again what the visitor wrote during the outage.
  await say(socket, id, 'Did you get this?', unsure);
  await agent.next('message', ({ message }) => message.client_id === unsure);
  const reply = randomUUID();
  await agent.call('sessions.reply', { session_id: id, client_id: reply, text: 'I did.' });
  await socket.next('message', ({ message }) => message.client_id === reply);
  const seqs = socket.messagesOf(id).map(({ seq }) => seq);
  expect(seqs).toEqual(seqs.map((_, index) => index + 1));
  expect(socket.messagesOf(id).filter(({ client_id }) => client_id === unsure)).toHaveLength(1);
  expect([socket.closed, agent.closed]).toEqual([undefined, undefined]);

  const next = await openChat(stand, 'How many days do I have to return something?');
  const answer = await next.socket.next('message', ({ message }) => message.sender === 'bot');
  expect(answer.message.text).toMatch(/30/);
  await until(async () => eventsOf(receiver.requests, 'conversation_started', next.id).length === 1);
  await agent.next('session_changed', ({ session }) => session.session_id === next.id);
  next.socket.cut();

  const typing = { type: 'typing', session_id: id, from: 'agent', name: 'Elsewhere', typing: true } as const;
  await until(async () => {
    const site = stand.operator.site.id;
    bus.publish(site, { site, passing: typing });
    await delay(50);
    return socket.frames.some((frame) => frame.type === 'typing' && frame.name === 'Elsewhere');
  });
  agent.cut();
  socket.cut();
}

const requestCount = async (): Promise<number> =>
  (await stand.rest('GET', '/v1/whoami')).body.data.request_count;
const storedCount = async (): Promise<number> => {
  const { id } = stand.operator.site;
  const { db } = stand.database;
  const row = await db.selectFrom('api_tokens').select('request_count').where('site_id', '=', id);
  return (await row.executeTakeFirstOrThrow()).request_count;
};

describe('a database that hangs', () => {
  it('is reported as unavailable at every entry point, in time, and everything recovers once it responds', async () => {
    const talk = await openTalk();
    const before = await requestCount();
    const unsure = randomUUID();
    const processes = await postgresOf(stand);
    signal(processes, 'SIGSTOP');
    try {
      // More callers than connections: some wait for a statement, some for a connection.
      const rest = Array.from({ length: 30 }, () => stand.rest('GET', '/v1/tags'));
      const writes = Array.from({ length: 5 }, () => stand.rest('POST', '/v1/visitors', { key: 'user_1' }));
      const desk = stand.desk(cookie, 'sessions.list', { queue: 'all' });
      const calls = [
        say(talk.socket, talk.id, 'Did you get this?', unsure),
        ...Array.from({ length: 15 }, () => say(talk.socket, talk.id, 'And this?')),
        talk.agent.call('sessions.list', { queue: 'all' }),
        TestSocket.visitor(stand.url, stand.publicKey).then(
          () => 'done',
          () => Promise.reject({ code: 'unavailable' }),
        ),
      ].map(outcomeOf);
      expect(await statusOf('/healthz')).toBe(200);
      expect(await statusOf('/readyz')).toBe(503);
      expect(new Set(await Promise.all(calls))).toEqual(new Set(['unavailable']));
      for (const answer of await Promise.all([...rest, ...writes, desk]))
        expect(answer).toMatchObject(unavailable);
      expect(await statusOf('/healthz')).toBe(200);
    } finally {
      signal(processes, 'SIGCONT');
    }
    await expectRecovered(talk, unsure);
    const after = await requestCount();
    expect(after).toBeGreaterThan(before + 2);
    await until(async () => (await storedCount()) >= after);
  });
});

describe('a database that is killed', () => {
  it('is unavailable for a moment at most, never an internal error, and everything recovers automatically', async () => {
    const talk = await openTalk();
    const unsure = randomUUID();
    let served = 0;
    let back = false;
    const before = await requestCount();
    const keepAsking = async (): Promise<void> => {
      while (!back) {
        const { status, body } = await stand.rest('GET', '/v1/tags');
        if (status === 200) served += 1;
        else expect({ status, body }).toMatchObject(unavailable);
        // Refusals are immediate: without a pause they would use up the token's limit for a minute.
        await delay(200);
      }
    };
    const asking = [keepAsking(), keepAsking(), keepAsking()];
    await until(async () => served > 10);
    const outcome = outcomeOf(say(talk.socket, talk.id, 'Did you get this?', unsure));
    signal(await postgresOf(stand), 'SIGKILL');
    expect(await statusOf('/healthz')).toBe(200);
    expect(['done', 'unavailable']).toContain(await outcome);
    await until(isServing);
    back = true;
    await Promise.all(asking);
    await expectRecovered(talk, unsure);
    const after = await requestCount();
    expect(after).toBeGreaterThanOrEqual(before + served);
    await until(async () => (await storedCount()) >= after);
    expect(stand.foyer.output()).not.toContain('Foyer could not start');
  });
});
