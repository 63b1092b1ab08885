import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp, type TestSite } from '../../test/app.ts';
import { openChat } from '../../test/stand.ts';
import { addAgent } from '../sites/agents.ts';

let app: TestApp;
let site: TestSite;
let cookie: string;
let ben: number;

beforeAll(async () => {
  app = await startTestApp();
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
  const person = { email: 'ben@transfer.example', name: 'Ben', password: 'a horse and a battery' };
  ben = (await addAgent(site.operator, person)).id;
});
afterAll(() => app.close());

const chat = () => openChat({ url: app.url, publicKey: site.publicKey });
const ask = (operation: string, input: object) => app.desk(cookie, operation, input);

test('a chat goes to a colleague, whom the visitor sees join, and back to the queue', async () => {
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

test('a chat that is closed, or that the bot has, does not go to the queue, and nobody joins twice', async () => {
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

test('a chat becomes one ticket, however often that is asked for, in which a known visitor has their name', async () => {
  const { socket, id } = await chat();
  await sql`update visitors set name = 'Priya' where id = (select visitor_id from conversations where session_id = ${id})`.execute(
    app.app.database.db,
  );
  const made = await Promise.all(
    Array.from({ length: 4 }, () => ask('tickets.create_from_chat', { session_id: id })),
  );
  expect(new Set(made.map(({ body }) => body.data.id)).size).toBe(1);
  expect(made[0]?.body.data).toMatchObject({ subject: 'Good morning', session_id: id, status: 'new' });
  expect(made[0]?.body.data.description).toMatch(/UTC Priya: Good morning/);
  const { body } = await ask('sessions.get', { session_id: id });
  expect(body.data.ticket_id).toBe(made[0]?.body.data.id);
  socket.cut();
});
