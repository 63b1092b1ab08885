import { randomUUID } from 'node:crypto';
import type { Message } from '@foyer/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAgent } from '../../../test/accounts.ts';
import { type Answer, type Json, startTestApp, type TestApp, type TestSite } from '../../../test/app.ts';
import { TestSocket } from '../../../test/sockets.ts';
import { createToken } from '../../sites/tokens/api-tokens.ts';

let app: TestApp;
let site: TestSite;
let cookie: string;
let ben: number;

beforeAll(async () => {
  app = await startTestApp();
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
  const person = {
    email: `${randomUUID()}@example.com`,
    name: 'Ben',
    role: 'agent' as const,
  };
  ben = (await makeAgent(site.operator, person)).id;
});
afterAll(() => app.close());

const call = (method: string, path: string, body?: object): Promise<Answer> =>
  app.rest(site.write, method, `/v1/${path}`, body);
async function ok(method: string, path: string, body?: object): Promise<Json> {
  const answer = await call(method, path, body);
  if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
  return answer.body.data;
}
const say = (session_id: string, sender: string, text: string, more: object = {}): Promise<Answer> =>
  call('POST', 'conversation_messages', { session_id, sender, text, ...more });

/** A visitor in the widget who has written to the bot. */
async function visit(text = 'Where is my parcel?', key = `user_${randomUUID()}`) {
  const { socket } = await TestSocket.visitor(app.url, site.publicKey, { key });
  const sent = (await socket.call('chat.send', { session_id: null, client_id: randomUUID(), text })) as Json;
  const { session_id } = sent.session as { session_id: string };
  await socket.subscribe(session_id);
  const hears = async (wanted: string): Promise<Message> =>
    (await socket.next('message', ({ message }) => message.text === wanted)).message;
  const ask = () => socket.call('chat.request_person', { session_id, client_id: randomUUID() });
  return { socket, session_id, key, hears, ask };
}

test('bot, agent and visitor write through REST, and everybody reads it like a message from desk and widget', async () => {
  const { socket, session_id, hears, ask } = await visit();
  const asBot = await say(session_id, 'bot', 'It is on its **way**.');
  expect(asBot.status).toBe(201);
  expect(await hears('It is on its **way**.')).toMatchObject({ sender: 'bot', author: { id: null } });

  const more = await say(session_id, 'visitor', 'I wrote by text message', {
    attachments: [{ name: '../label.txt', content: Buffer.from('1042').toString('base64') }],
  });
  expect(more.body.data.attachments).toMatchObject([{ name: 'label.txt', size: 4 }]);
  await hears('I wrote by text message');
  await ask();

  const nobody = await say(session_id, 'agent', 'Hello');
  expect([nobody.status, nobody.body.error.issues[0].path]).toEqual([400, 'agent_id']);
  const asBen = await say(session_id, 'agent', 'Hello, Ben here', { agent_id: ben });
  expect(asBen.body.data.author).toEqual({ id: ben, name: 'Ben' });
  expect(await hears('Hello, Ben here')).toMatchObject({ sender: 'agent', author: { name: 'Ben' } });
  expect((await say(session_id, 'agent', 'Still here')).body.data.author.id, 'the one who has it').toBe(ben);

  const late = await say(session_id, 'bot', 'Me again');
  expect([late.status, late.body.error.code]).toEqual([409, 'conflict']);
  const other = await say(session_id, 'agent', 'Mine', { agent_id: site.admin.agentId });
  expect([other.status, other.body.error.message]).toEqual([409, 'Ben has this chat. Take it over first.']);

  const read = await ok('GET', `conversations?session_id=${session_id}`);
  expect(read).toMatchObject({
    status: 'active',
    assignee: { id: ben, name: 'Ben' },
    notes: [],
    feedback: null,
  });
  const first = await ok('GET', `conversation_messages?session_id=${session_id}&limit=2`);
  expect(first.map(({ sender }: Json) => sender)).toEqual(['visitor', 'bot']);
  const newest = await ok('GET', `conversation_messages?session_id=${session_id}&order=desc&limit=1`);
  expect(newest[0].text).toBe('Still here');
  socket.cut();
});

test('a repeated call with its client id stores nothing twice, also at the same time and in a closed chat', async () => {
  const { socket, session_id } = await visit('Hello there');
  for (const sender of ['visitor', 'bot', 'agent']) {
    const once = { client_id: randomUUID(), ...(sender === 'agent' && { agent_id: ben }) };
    const answers = await Promise.all([1, 2, 3].map(() => say(session_id, sender, `As ${sender}`, once)));
    expect(
      answers.map(({ status }) => status),
      sender,
    ).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body.data.seq)).size).toBe(1);
  }
  await socket.call('chat.end', { session_id });
  const once = { client_id: randomUUID() };
  const [one, two] = await Promise.all([1, 2].map(() => say(session_id, 'visitor', 'One more thing', once)));
  expect(one?.body.data.session_id).not.toBe(session_id);
  expect(two?.body.data).toMatchObject({ session_id: one?.body.data.session_id, seq: one?.body.data.seq });
  const next = await ok('GET', `conversations?session_id=${one?.body.data.session_id}`);
  expect(next.previous_session_id).toBe(session_id);
  const closed = await say(session_id, 'bot', 'Bye');
  expect(closed.status).toBe(409);
  socket.cut();
});

test('a chat is started for an absent visitor, by key or id, once, and read when they return', async () => {
  const key = `user_${randomUUID()}`;
  const { socket } = await visit('First', key);
  const [{ session_id: before, visitor }] = await ok('GET', `conversations?key=${key}`);
  await socket.call('chat.end', { session_id: before });
  socket.cut();
  const start = {
    visitor_id: visitor.id,
    sender: 'agent',
    agent_id: ben,
    text: 'It is here',
    client_id: randomUUID(),
  };
  const [one, two] = await Promise.all([1, 2].map(() => ok('POST', 'conversations', start)));
  expect(two.session_id).toBe(one.session_id);
  expect(one).toMatchObject({ status: 'active', assignee: { id: ben }, visitor: { key } });
  const again = await call('POST', 'conversations', { key, sender: 'bot', text: 'Hello' });
  expect([again.status, again.body.error.code], 'one at a time').toEqual([409, 'conflict']);
  const asThem = await ok('POST', 'conversations', { key, text: 'Sent by text message', language: 'de' });
  expect(asThem).toMatchObject({ status: 'bot', about: 'Sent by text message' });

  const created = await ok('POST', 'conversations', { key: `new_${key}`, text: 'Hi' });
  expect(created.visitor).toMatchObject({ key: `new_${key}`, verified: true });
  const missing = await call('POST', 'conversations', { visitor_id: 2 ** 53 - 1, text: 'Hi' });
  expect(missing.status).toBe(404);
});

test('a list has the filters of the inbox, finds words, and continues where it ended', async () => {
  const mark = randomUUID();
  const chats = [];
  for (const text of ['one', 'two', 'three']) chats.push(await visit(`${text} ${mark}`));
  const [one, two, three] = chats.map(({ session_id }) => session_id);
  await chats[1]?.ask();
  await app.desk(cookie, 'sessions.set_tags', { session_id: two, tags: [mark] });
  await app.desk(cookie, 'sessions.accept', { session_id: three });
  const ids = async (query: string): Promise<string[]> =>
    (await ok('GET', `conversations?${query}`)).map(({ session_id }: Json) => session_id);
  expect(await ids('queue=waiting')).toContain(two);
  expect(await ids(`tag=${mark}`)).toEqual([two]);
  expect(await ids(`tag=${mark}&status=bot`)).toEqual([]);
  expect(await ids(`assignee_id=${site.admin.agentId}&queue=open`)).toContain(three);
  expect(await ids(`key=${chats[0]?.key}`)).toEqual([one]);
  expect(await ids('key=nobody')).toEqual([]);
  expect(await ids('since=2020-01-01&updated_since=2099-01-01')).toEqual([]);
  const first = await call('GET', 'conversations?queue=open&limit=1');
  const second = await call('GET', `conversations?queue=open&limit=1&cursor=${first.body.page.next_cursor}`);
  expect(second.body.data[0].session_id).not.toBe(first.body.data[0].session_id);
  await expect.poll(() => ids(`q=two%20${mark}`)).toEqual([two]);
  const both = await call('GET', 'conversations?q=two&queue=open');
  expect(both.body.error.issues).toEqual([{ path: 'queue', message: 'can’t be combined with q' }]);
  for (const { socket } of chats) socket.cut();
});

test('the audit log names the token, and limited tokens may do what their scopes allow', async () => {
  const { socket, session_id } = await visit('Log this');
  await say(session_id, 'bot', 'Logged');
  const { body } = await app.desk(cookie, 'audit.list', { subject: 'conversation', limit: 1 });
  expect(body.data[0]).toMatchObject({
    actor: { kind: 'token', name: 'write' },
    action: 'conversation_messages.create',
    label: session_id,
  });
  const { token } = await createToken(site.operator, { name: 'bot', scopes: 'conversation_messages:write' });
  const as = (method: string, path: string, given?: object) => app.rest(token, method, `/v1/${path}`, given);
  expect((await as('GET', `conversation_messages?session_id=${session_id}`)).status).toBe(200);
  expect((await as('GET', `conversations?session_id=${session_id}`)).status).toBe(403);
  expect((await app.rest(site.read, 'POST', '/v1/conversations', {})).status).toBe(403);
  socket.cut();
});

test('a chat is handed over, assigned, tagged, noted on, snoozed, closed and reopened, as by the desk', async () => {
  const { socket, session_id, hears } = await visit('Where is the invoice?');
  const change = (body: object): Promise<Answer> =>
    call('PATCH', `conversations?session_id=${session_id}`, body);
  const changed = async (body: object): Promise<Json> => {
    const answer = await change(body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body.data;
  };
  const refused = async (body: object): Promise<[number, string]> => {
    const { status, body: answer } = await change(body);
    return [status, answer.error?.code];
  };
  const handed = await changed({
    status: 'waiting',
    handoff_reason: 'no_answer',
    handoff_note: 'Asks for an invoice.',
  });
  expect(handed).toMatchObject({ status: 'waiting', handoff: { reason: 'no_answer' } });
  expect(handed.handoff.summary).toMatch(/^Asks for an invoice\./);
  await hears('The chat was handed over to the team.');
  const tagged = await changed({
    assignee_id: ben,
    note: 'Yours',
    agent_id: site.admin.agentId,
    tags: ['vip', 'b'],
  });
  expect(tagged).toMatchObject({ status: 'active', assignee: { id: ben }, tags: ['b', 'vip'] });
  expect((await changed({ add_tags: ['c'], remove_tags: ['b'] })).tags).toEqual(['c', 'vip']);
  const added = await ok('POST', 'conversation_notes', {
    session_id,
    text: 'By hand',
    client_id: randomUUID(),
  });
  expect(added.author).toEqual({ id: ben, name: 'Ben' });
  const notes = await ok('GET', `conversation_notes?session_id=${session_id}`);
  expect(notes.map(({ text, author }: Json) => [text, author.name])).toEqual([
    ['By hand', 'Ben'],
    ['Yours', 'Ada'],
  ]);

  const asleep = await ok('POST', 'conversation_snooze', { session_id, minutes: 5 });
  expect(asleep.snoozed_until_utc).not.toBeNull();
  expect(
    (await ok('POST', 'conversation_snooze', { session_id, until_utc: null })).snoozed_until_utc,
  ).toBeNull();
  expect((await ok('POST', 'conversation_read', { session_id, unread: true })).marked_unread).toBe(true);
  const read = await ok('POST', 'conversation_read', { session_id });
  expect([read.marked_unread, read.agent_read_seq]).toEqual([false, read.last_seq]);

  expect(await changed({ status: 'bot' })).toMatchObject({ status: 'bot', assignee: null });
  await hears('The team returned the chat to the bot.');
  await ok('POST', 'conversation_typing', { session_id, sender: 'bot' });
  expect(await socket.next('typing')).toMatchObject({ from: 'bot', typing: true });
  expect(await refused({ assignee_id: null })).toEqual([409, 'conflict']);
  expect(await refused({ status: 'closed', assignee_id: ben })).toEqual([400, 'invalid_input']);

  expect((await changed({ status: 'closed', agent_id: ben })).ended_utc).not.toBeNull();
  expect(await refused({ status: 'bot' })).toEqual([409, 'conflict']);
  expect(await refused({ assignee_id: ben })).toEqual([409, 'conflict']);
  const again = await changed({ status: 'waiting', assignee_id: ben });
  expect(again).toMatchObject({ status: 'active', ended_utc: null, assignee: { id: ben } });
  await say(session_id, 'agent', 'One more thing');
  await hears('One more thing');
  await changed({ status: 'closed' });
  await socket.call('chat.send', { session_id, client_id: randomUUID(), text: 'Hello again' });
  expect(await refused({ status: 'waiting' }), 'it continues elsewhere').toEqual([409, 'conflict']);
  socket.cut();
});
