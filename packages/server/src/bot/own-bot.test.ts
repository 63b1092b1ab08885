import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Message } from '@foyer/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Json, startTestApp, type TestApp, type TestSite } from '../../test/app.ts';
import { until } from '../../test/harness.ts';
import { startOwnBot } from '../../test/own-bot.ts';
import { TestSocket } from '../../test/sockets.ts';

// The bot of docs/examples, as its own process.

let app: TestApp;
let site: TestSite;
let cookie: string;
let bot: ChildProcess;
let aheadMs = 0;

beforeAll(async () => {
  app = await startTestApp({}, { now: () => new Date(Date.now() + aheadMs) });
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
  bot = await startOwnBot(app, site);
});
afterAll(async () => {
  bot.kill();
  await app.close();
});

async function visit(text: string) {
  const { socket } = await TestSocket.visitor(app.url, site.publicKey);
  const call = (input: object) =>
    socket.call('chat.send', { client_id: randomUUID(), ...input }) as Promise<Json>;
  const { session_id } = (await call({ session_id: null, text })).session;
  await socket.subscribe(session_id);
  const hears = async (is: (message: Message) => boolean): Promise<Message> =>
    (await socket.next('message', ({ message }) => is(message))).message;
  const chat = async (): Promise<Json> =>
    (await app.rest(site.read, 'GET', `/v1/conversations?session_id=${session_id}`)).body.data;
  return { socket, session_id, say: (text: string) => call({ session_id, text }), hears, chat };
}

/** How often the program was asked about a chat. */
const asked = async (sessionId: string): Promise<number> => {
  const { body } = await app.rest(site.read, 'GET', '/v1/webhook_deliveries?limit=200');
  return body.data.filter(({ payload }: Json) => payload.session_id === sessionId).length;
};

test('a program answers, keeps silent and hands over, and is refused once a person has the chat', async () => {
  const visitor = await visit('When are you open?');
  const answer = await visitor.hears(({ sender }) => sender === 'bot');
  expect(answer.text).toBe('We are here **Monday to Friday, 9 to 17**.');
  await visitor.say('Thanks!');
  await until(async () => (await asked(visitor.session_id)) === 2);
  await until(async () => {
    const { rows } = await app.app.database.pool.query(
      'select bot_due_at, bot_seq, last_seq from conversations where session_id = $1',
      [visitor.session_id],
    );
    return rows[0].bot_due_at === null && rows[0].bot_seq === rows[0].last_seq;
  });
  aheadMs += 120_000;
  expect((await visitor.chat()).status, 'nobody was called').toBe('bot');

  await visitor.say('My lamp is broken');
  await visitor.hears(({ event }) => event === 'handed_off');
  const handed = await visitor.chat();
  expect(handed).toMatchObject({ status: 'waiting', handoff: { reason: 'no_answer' } });
  expect(handed.handoff.summary).toMatch(/^The shop’s bot had no answer\./);

  const late = { session_id: visitor.session_id, sender: 'bot', text: 'Wait, I know' };
  const refused = await app.rest(site.write, 'POST', '/v1/conversation_messages', late);
  expect([refused.status, refused.body.error.message]).toEqual([
    409,
    'This chat is with the team. The bot can’t write in it.',
  ]);
  await app.desk(cookie, 'sessions.accept', { session_id: visitor.session_id });
  await app.desk(cookie, 'sessions.give_back', { session_id: visitor.session_id });
  await visitor.say('How do I send back a lamp?');
  await visitor.hears(({ text }) => text === 'You can return anything within 30 days.');
  visitor.socket.cut();
});

test('if the program does nothing in time, the chat is handed over, once for all messages', async () => {
  bot.kill('SIGSTOP');
  const visitor = await visit('When are you open?');
  await visitor.say('Hello?');
  await until(async () => (await asked(visitor.session_id)) >= 1);
  expect((await visitor.chat()).status).toBe('bot');
  aheadMs += 61_000;
  await visitor.hears(({ event }) => event === 'handed_off');
  expect((await visitor.chat()).handoff.summary).toMatch(/^The bot didn’t answer in time\./);
  // A late answer is refused, and the visitor doesn't see it.
  bot.kill('SIGCONT');
  await until(async () => {
    const { body } = await app.rest(site.read, 'GET', '/v1/webhook_deliveries?limit=200&status=delivered');
    return body.data.some(({ payload }: Json) => payload.session_id === visitor.session_id);
  });
  const { body } = await app.rest(
    site.read,
    'GET',
    `/v1/conversation_messages?session_id=${visitor.session_id}`,
  );
  expect(body.data.map(({ sender }: Json) => sender)).toEqual(['visitor', 'visitor', 'system']);
  visitor.socket.cut();
});
