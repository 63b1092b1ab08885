import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAgent } from '../../test/accounts.ts';
import { startTestApp, type TestApp, type TestSite } from '../../test/app.ts';
import { openChat } from '../../test/stand.ts';

let app: TestApp;
let site: TestSite;
let cookie: string;
let ben: number;

beforeAll(async () => {
  app = await startTestApp();
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
  const person = { email: 'ben@transfer.example', name: 'Ben' };
  ben = (await makeAgent(site.operator, person)).id;
});
afterAll(() => app.close());

const chat = () => openChat({ url: app.url, publicKey: site.publicKey });
const ask = (operation: string, input: object) => app.desk(cookie, operation, input);

test('a chat is transferred to a colleague, whom the visitor sees join, and back to the queue', async () => {
  const { socket, id } = await chat();
  await ask('sessions.accept', { session_id: id });
  const given = await ask('sessions.transfer', { session_id: id, agent_id: ben });
  expect(given.body.data).toMatchObject({ status: 'active', agent: { id: ben, name: 'Ben' } });
  await socket.next(
    'message',
    ({ message }) => message.event === 'agent_joined' && message.author?.id === ben,
  );
  await socket.next('session', ({ session }) => session.agent?.id === ben);
  const back = await ask('sessions.transfer', { session_id: id, agent_id: null });
  expect(back.body.data).toMatchObject({ status: 'waiting', agent: null });
  socket.cut();
});

test('a closed chat or one of the bot does not go to the queue, and nobody joins twice', async () => {
  const { socket, id } = await chat();
  expect((await ask('sessions.transfer', { session_id: id, agent_id: null })).status).toBe(409);
  for (let time = 0; time < 2; time++) await ask('sessions.transfer', { session_id: id, agent_id: ben });
  const joins = () => socket.messagesOf(id).filter(({ event }) => event === 'agent_joined');
  await ask('sessions.close', { session_id: id });
  await socket.next('message', ({ message }) => message.event === 'closed_by_agent');
  expect(joins()).toHaveLength(1);
  expect((await ask('sessions.transfer', { session_id: id, agent_id: ben })).status).toBe(409);
  socket.cut();
});

test('a note for the colleague comes with the transfer, once, or neither does', async () => {
  const { socket, id } = await chat();
  const bens = await app.signIn('ben@transfer.example');
  const note = {
    client_id: randomUUID(),
    text: '@Ben the shelf is loose',
    mentions: [{ id: ben, name: 'Ben' }],
  };
  const transfer = { session_id: id, agent_id: ben, note };
  const notesOf = async () => (await ask('sessions.get', { session_id: id })).body.data.notes;
  await ask('sessions.accept', { session_id: id });

  const nobody = { ...note, mentions: [{ id: 999_999, name: 'Ben' }] };
  expect((await ask('sessions.transfer', { ...transfer, note: nobody })).status).toBe(404);
  const kept = (await ask('sessions.get', { session_id: id })).body.data;
  expect([kept.agent.id === ben, kept.notes]).toEqual([false, []]);
  expect(socket.messagesOf(id).some(({ author }) => author?.id === ben)).toBe(false);

  // The answer to the first was lost.
  for (let time = 0; time < 2; time++) expect((await ask('sessions.transfer', transfer)).status).toBe(200);
  expect(await notesOf()).toMatchObject([{ text: note.text, mentions: [{ id: ben, name: 'Ben' }] }]);
  const told = await app.desk(bens, 'notifications.list', {});
  const kinds = told.body.data.notifications
    .filter((one: { session_id: string }) => one.session_id === id)
    .map((one: { kind: string }) => one.kind);
  expect(kinds.toSorted()).toEqual(['chat_assigned', 'mention']);
  const shown = await socket.next('message', ({ message }) => message.author?.id === ben);
  expect(shown.message.text).not.toContain('shelf');
  expect(JSON.stringify(socket.messagesOf(id))).not.toContain('shelf');
  socket.cut();
});

test('an agent who takes a chat over must have read the latest reply', async () => {
  const { socket, id } = await chat();
  const bens = await app.signIn('ben@transfer.example');
  await ask('sessions.accept', { session_id: id });
  const joined = await socket.next('message', ({ message }) => message.event === 'agent_joined');
  const seen = joined.message.seq;
  const say = (as: string, text: string, known: object = {}) =>
    app.desk(as, 'sessions.reply', { session_id: id, client_id: randomUUID(), text, ...known });
  const own = await say(cookie, 'It left today.', { seen });
  await app.desk(bens, 'sessions.accept', { session_id: id, take_over: true });
  const late = await say(bens, 'It leaves tomorrow.', { seen });
  expect(late.body.error).toMatchObject({
    code: 'conflict',
    reason: 'answered_meanwhile',
    values: { name: own.body.data.author.name },
  });
  const { seq } = own.body.data;
  expect((await say(bens, 'As she said.', { seen: seq })).status).toBe(200);
  expect((await say(bens, 'And this.', { seen: seq })).status, 'behind one’s own').toBe(200);
  await socket.next('message', ({ message }) => message.text === 'And this.');
  expect(
    socket
      .messagesOf(id)
      .filter(({ sender }) => sender === 'agent')
      .map(({ text }) => text),
  ).toEqual(['It left today.', 'As she said.', 'And this.']);
  socket.cut();
});

test('a chat becomes one ticket, however often that is requested, with the name that its visitor gave', async () => {
  const { socket, id } = await chat();
  const { db } = app.app.database;
  const chatRow = sql`conversations where session_id = ${id}`;
  await sql`update visitors set name = 'Priya Stored' where id = (select visitor_id from ${chatRow})`.execute(
    db,
  );
  await sql`
    update visitor_devices set reported_attributes = '{"name": "Priya"}' where id = (select device_id from ${chatRow})`.execute(
    db,
  );
  const made = await Promise.all(
    Array.from({ length: 4 }, () => ask('tickets.create_from_chat', { session_id: id })),
  );
  expect(new Set(made.map(({ body }) => body.data.id)).size).toBe(1);
  expect(made[0]?.body.data).toMatchObject({ subject: 'Good morning', session_id: id, status: 'new' });
  expect(made[0]?.body.data.description).toMatch(/UTC Priya: Good morning/);
  // The visitor, who has proven nothing, reads this text in the portal.
  expect(made[0]?.body.data.description).not.toContain('Stored');
  const { body } = await ask('sessions.get', { session_id: id });
  expect(body.data.ticket_id).toBe(made[0]?.body.data.id);
  socket.cut();
});
