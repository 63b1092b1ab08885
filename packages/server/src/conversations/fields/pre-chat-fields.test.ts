import { randomUUID } from 'node:crypto';
import type { Field } from '@foyer/protocol';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Json, startTestApp, type TestApp, type TestSite } from '../../../test/app.ts';
import { until } from '../../../test/harness.ts';
import { TestSocket } from '../../../test/sockets.ts';

// Custom fields that visitors are asked for before a chat: by the widget's socket, until they are in the chat.

let app: TestApp;
let site: TestSite;
let cookie: string;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  site = await app.makeSite('growth');
  cookie = await app.signIn(site.admin.email);
});

async function ok(method: string, path: string, body?: object): Promise<Json> {
  const answer = await app.rest(site.write, method, `/v1/${path}`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.data;
}
const field = (body: object): Promise<Field> =>
  ok('POST', 'fields', { applies_to: 'chats', kind: 'text', visible: true, ...body });
const ask = (...pre_chat: object[]) =>
  app.desk(cookie, 'site.update', {
    pre_chat: pre_chat.map((one) => ({ kind: 'field', of: 'chats', required: false, ...one })),
  });
const arrive = (hello: object = {}) => TestSocket.visitor(app.url, site.publicKey, hello);
async function send(socket: TestSocket): Promise<string> {
  const sent: Json = await socket.call('chat.send', {
    session_id: null,
    client_id: randomUUID(),
    text: 'Hello there',
  });
  return sent.session.session_id;
}
const fieldsOf = async (id: string): Promise<Json> =>
  (await ok('GET', `conversations?session_id=${id}`)).fields;

test('what visitors are asked about a chat is in it, in the kind of each field, and is asked before each chat', async () => {
  await field({ name: 'Topic', kind: 'choice', choices: ['Parcel', 'Refund'] });
  await field({ name: 'Parts', kind: 'choices', choices: ['Shade', 'Cable', 'Bulb'] });
  await field({ name: 'Weight', kind: 'number' });
  await field({ name: 'Sent', kind: 'date' });
  await field({ name: 'Page', kind: 'link' });
  await field({ name: 'Insured', kind: 'yes_no' });
  const keys = ['topic', 'parts', 'weight', 'sent', 'page', 'insured'];
  const saved = await ask(...keys.map((key) => ({ key, required: key === 'topic' })));
  expect(saved.status, JSON.stringify(saved.body)).toBe(200);
  const { socket, welcome } = await arrive({ locale: 'de' });
  const said = { of: 'chats', required: false, input: 'text' };
  expect(welcome.pre_chat).toEqual([
    { ...said, key: 'topic', kind: 'choice', label: 'Topic', required: true, options: ['Parcel', 'Refund'] },
    { ...said, key: 'parts', kind: 'choices', label: 'Parts', options: ['Shade', 'Cable', 'Bulb'] },
    { ...said, key: 'weight', kind: 'text', label: 'Weight', input: 'number', options: [] },
    { ...said, key: 'sent', kind: 'text', label: 'Sent', input: 'date', options: [] },
    { ...said, key: 'page', kind: 'text', label: 'Page', input: 'url', options: [] },
    { ...said, key: 'insured', kind: 'choice', label: 'Insured', options: ['Ja', 'Nein'] },
  ]);
  await expect(
    socket.call('chat.introduce', {
      fields: {
        'chats.parts': ['Lamp'],
        'chats.weight': 'heavy',
        'chats.page': 'nowhere',
        'chats.sent': '1.3.',
      },
    }),
  ).rejects.toMatchObject({
    issues: ['topic', 'parts', 'weight', 'sent', 'page'].map((key) => ({ path: `fields.chats.${key}` })),
  });
  await socket.call('chat.introduce', {
    fields: {
      'chats.topic': 'Refund',
      'chats.parts': ['Cable', 'Shade'],
      'chats.weight': '2.5',
      'chats.sent': '2026-03-01',
      'chats.insured': 'Nein',
      'chats.other': 'ignored',
    },
  });
  const again = await arrive({ token: welcome.token, key: welcome.visitor.key });
  expect(again.welcome.pre_chat).toEqual([]);
  const values = {
    topic: 'Refund',
    parts: ['Shade', 'Cable'],
    weight: 2.5,
    sent: '2026-03-01',
    insured: false,
  };
  const first = await send(socket);
  expect(await fieldsOf(first)).toEqual(values);
  const next = await arrive({ token: welcome.token, key: welcome.visitor.key });
  expect(next.welcome.pre_chat).toHaveLength(6);
  await socket.call('chat.end', { session_id: first });
  expect(await fieldsOf(await send(next.socket))).toEqual({});
  expect(await fieldsOf(first)).toEqual(values);
  for (const one of [socket, again.socket, next.socket]) one.cut();
});

test('a visitor’s choice before a chat assigns it to a team, by rules', async () => {
  await field({ name: 'Department', kind: 'choice', choices: ['Sales', 'Billing'] });
  await ask({ key: 'department', required: true });
  for (const name of ['Sales', 'Billing']) {
    const { id } = await ok('POST', 'teams', { name });
    await ok('POST', 'rules', {
      name,
      trigger: { on: 'conversation_started' },
      conditions: { all: [{ custom_field: 'department', op: 'eq', value: name }] },
      actions: [{ type: 'assign_team', team_id: id }],
      enabled: true,
    });
  }
  const { socket } = await arrive();
  await socket.call('chat.introduce', { fields: { 'chats.department': 'Billing' } });
  const session_id = await send(socket);
  const chat = (): Promise<Json> => ok('GET', `conversations?session_id=${session_id}`);
  await until(async () => (await chat()).team !== null);
  expect(await chat()).toMatchObject({ team: { name: 'Billing' }, fields: { department: 'Billing' } });
  socket.cut();
});

test('questions about the visitor are asked once, and set an attribute of the field’s kind', async () => {
  await field({ applies_to: 'people', name: 'Seats', kind: 'number' });
  await ask({ of: 'people', key: 'seats', required: true });
  const { socket, welcome } = await arrive();
  expect(welcome.pre_chat).toMatchObject([{ of: 'people', key: 'seats', input: 'number' }]);
  await socket.call('chat.introduce', { fields: { 'people.seats': '12' } });
  const id = await send(socket);
  expect(await fieldsOf(id)).toEqual({});
  const { attributes } = await ok('GET', `visitors?key=${welcome.visitor.key}`);
  expect(attributes).toEqual({ seats: 12 });
  const back = await arrive({ token: welcome.token, key: welcome.visitor.key });
  expect(back.welcome.pre_chat).toEqual([]);
  socket.cut();
  back.socket.cut();
});

test('only visible fields of chats and people are asked for, and an archived one no longer', async () => {
  await field({ name: 'Hidden', visible: false });
  const { id } = await field({ name: 'Topic' });
  const refused = await ask({ key: 'topic' }, { key: 'hidden' }, { key: 'nothing' });
  expect(refused.status).toBe(400);
  expect(refused.body.error.issues.map(({ path }: Json) => path)).toEqual([
    'pre_chat.1.key',
    'pre_chat.2.key',
  ]);
  expect((await ask({ key: 'topic' }, { key: 'topic' })).body.error.issues).toMatchObject([
    { path: 'pre_chat' },
  ]);
  await ask({ key: 'topic', required: true });
  const { socket, welcome } = await arrive();
  expect(welcome.pre_chat).toHaveLength(1);
  await ok('PATCH', `fields?id=${id}`, { archived: true });
  await socket.call('chat.introduce', { fields: { 'chats.topic': 'Parcel' } });
  expect(await fieldsOf(await send(socket))).toEqual({});
  expect((await arrive()).welcome.pre_chat).toEqual([]);
  // The form keeps the question, and other changes of it are saved.
  expect((await ask({ key: 'topic' })).status).toBe(200);
});

test('an answer that its field no longer allows is left out of the chat, others are not', async () => {
  const { id } = await field({ name: 'Topic', kind: 'choice', choices: ['Parcel', 'Refund'] });
  await field({ name: 'Order' });
  await ask({ key: 'topic' }, { key: 'order' });
  await app.desk(cookie, 'site.update', {
    redaction: { kinds: ['card'], patterns: [] },
  });
  const { socket } = await arrive();
  const order = 'A-1 4111 1111 1111 1111';
  await socket.call('chat.introduce', { fields: { 'chats.topic': 'Parcel', 'chats.order': order } });
  await ok('PATCH', `fields?id=${id}`, { choices: ['Refund'] });
  const values = await fieldsOf(await send(socket));
  expect(Object.keys(values)).toEqual(['order']);
  expect(values.order).not.toContain('4111');
  socket.cut();
});
