import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { importSampleKnowledge } from '../../src/knowledge/sample.ts';
import { until } from '../harness.ts';
import { type Answer, answerWith, type Receiver, startReceiver } from '../receiver.ts';
import { TestSocket } from '../sockets.ts';
import { comeBack, eventsOf, makeStand, openChat, type Stand, say } from '../stand.ts';

// SIGTERM while everything is running: docs/contract/decisions.md#shutdown.

let stand: Stand;
let receiver: Receiver;
let answer: Answer = answerWith(204);
beforeAll(async () => {
  stand = await makeStand();
  await importSampleKnowledge(stand.operator);
  receiver = await startReceiver((...request) => answer(...request));
  await stand.rest('POST', '/v1/webhook_subscriptions', { url: receiver.url, events: ['handoff'] });
});
afterAll(async () => {
  await receiver.close();
  await stand.strike();
});

/** A client that never reads after the handshake, nor sends a close frame. */
async function openDeaf() {
  const { hostname, port } = new URL(stand.url);
  const line = connect(Number(port), hostname);
  line.write(
    `GET /widget/socket?site=${stand.publicKey} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n` +
      'Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  );
  await once(line, 'data');
  line.on('error', () => undefined).pause();
  return line;
}

/** A preconnected connection of a browser, on which nothing is sent. */
async function openUnused() {
  const { hostname, port } = new URL(stand.url);
  const line = connect(Number(port), hostname);
  await once(line, 'connect');
  return { received: text(line) };
}

it('a stop finishes requests, closes sockets, returns jobs to the queue, exits 0, and loses nothing', async () => {
  const handed = await openChat(stand, 'Good morning');
  answer = () => undefined;
  await handed.socket.call('chat.request_person', { session_id: handed.id, client_id: randomUUID() });
  await until(async () => eventsOf(receiver.requests, 'handoff', handed.id).length === 1);

  const asking = await openChat(stand, 'Good morning');
  await asking.socket.next('message', ({ message }) => message.sender === 'bot');
  const deaf = await openDeaf();
  const unused = await openUnused();
  const agent = await TestSocket.agent(stand.url, await stand.signIn());

  // A request and a bot's turn that are blocked until the articles are unlocked.
  const hold = await stand.database.db.startTransaction().execute();
  await sql`lock table articles in access exclusive mode`.execute(hold);
  const request = stand.rest('GET', '/v1/articles');
  const question = await say(asking.socket, asking.id, 'How many days do I have to return something?');
  const isWaiting = async (count: number): Promise<boolean> => {
    const { rows } = await stand.database.pool.query(
      `select from pg_locks where relation = 'articles'::regclass and not granted`,
    );
    return rows.length >= count;
  };
  await until(() => isWaiting(2));

  const ended = stand.foyer.end('SIGTERM');
  expect((await agent.whenClosed()).code).toBe(1012);
  expect((await asking.socket.whenClosed()).code).toBe(1012);
  await hold.rollback().execute();
  expect((await request).status).toBe(200);
  // Node's own limit would answer it with a 408, and end it a minute later.
  expect(await unused.received).toBe('');
  expect(await ended).toEqual({ code: 0, signal: null });
  deaf.destroy();

  answer = answerWith(204);
  await stand.foyer.start();
  const back = await comeBack(stand, asking.welcome);
  await back.socket.subscribe(asking.id, question.message.seq);
  await back.socket.next('message', ({ message }) => message.sender === 'bot');
  const own = (await stand.transcript(asking.id)).filter(({ sender }) => sender === 'bot');
  expect(own).toHaveLength(2);
  await until(async () => eventsOf(receiver.requests, 'handoff', handed.id).length === 2);
  const ids = eventsOf(receiver.requests, 'handoff', handed.id).map(
    ({ headers }) => headers['x-service-delivery'],
  );
  expect(new Set(ids).size).toBe(1);
});
