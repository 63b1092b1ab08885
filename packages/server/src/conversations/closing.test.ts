import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAgent } from '../../test/accounts.ts';
import { startTestApp, type TestApp, type TestSite } from '../../test/app.ts';
import { until } from '../../test/harness.ts';
import { openChat } from '../../test/stand.ts';
import { removeAgent } from '../team/remove-agent.ts';

let app: TestApp;
let site: TestSite;
let cookie: string;

beforeAll(async () => {
  app = await startTestApp();
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
});
afterAll(() => app.close());

const ask = async (operation: string, input: object, as = cookie) =>
  (await app.desk(as, operation, input)).body;

async function activeChat() {
  const { socket, id: session_id } = await openChat({ url: app.url, publicKey: site.publicKey });
  await ask('sessions.accept', { session_id });
  await socket.next('message', ({ message }) => message.event === 'agent_joined');
  const said = () => socket.messagesOf(session_id).map(({ event, text }) => event ?? text);
  const closesAt = async () => (await ask('sessions.get', { session_id })).data.closes_utc;
  return { socket, session_id, said, closesAt };
}

/** Makes a pending close due at once, without moving any clock. */
const dueNow = (sessionId: string) =>
  sql`update conversations set closes_at = now() where session_id = ${sessionId} and closes_at is not null`.execute(
    app.app.database.db,
  );

test('a chat that is closed later ends in the name of its agent once its time has come', async () => {
  const { socket, session_id } = await activeChat();
  const { data } = await ask('sessions.close', { session_id, in_s: 60 });
  expect(data).toMatchObject({ status: 'active', closes_utc: expect.any(String) });
  await dueNow(session_id);
  const ended = await socket.next('message', ({ message }) => message.event === 'closed_by_agent');
  expect(ended.message.author).toMatchObject({ id: site.admin.agentId });
  expect((await ask('sessions.get', { session_id })).data).toMatchObject({
    status: 'closed',
    closes_utc: null,
  });
  socket.cut();
});

test('undone in time, the chat continues and its visitor doesn’t notice', async () => {
  const { socket, session_id, said } = await activeChat();
  const before = said();
  await ask('sessions.close', { session_id, in_s: 60 });
  expect((await ask('sessions.keep_open', { session_id })).data).toMatchObject({
    status: 'active',
    closes_utc: null,
  });
  await ask('sessions.reply', { session_id, client_id: randomUUID(), text: 'One more thing.' });
  await socket.next('message', ({ message }) => message.text === 'One more thing.');
  expect(said()).toEqual([...before, 'One more thing.']);
  socket.cut();
});

test('messages of the visitor or the team keep the chat open; the bot’s don’t', async () => {
  const { socket, session_id, closesAt } = await activeChat();
  await ask('sessions.close', { session_id, in_s: 60 });
  await socket.call('chat.send', { session_id, client_id: randomUUID(), text: 'Wait, and the lamp?' });
  expect(await closesAt()).toBeNull();
  await ask('sessions.close', { session_id, in_s: 60 });
  await ask('sessions.reply', { session_id, client_id: randomUUID(), text: 'It is on its way.' });
  expect(await closesAt()).toBeNull();
  socket.cut();
});

test('after the end it can’t be undone, and the error says so', async () => {
  const { socket, session_id } = await activeChat();
  await ask('sessions.close', { session_id });
  expect((await ask('sessions.keep_open', { session_id })).error).toMatchObject({ reason: 'chat_closed' });
  expect((await ask('sessions.close', { session_id, in_s: 5 })).error).toMatchObject({
    reason: 'chat_closed',
  });
  socket.cut();
});

test('a pending close by a removed agent still happens', async () => {
  const person = { email: 'ben@closing.example', name: 'Ben' };
  const { id } = await makeAgent(site.operator, person);
  const bens = await app.signIn(person.email);
  const { socket, session_id } = await activeChat();
  await ask('sessions.close', { session_id, in_s: 60 }, bens);
  await removeAgent(site.operator, id);
  await dueNow(session_id);
  await until(async () => (await ask('sessions.get', { session_id })).data.status === 'closed');
  socket.cut();
});
