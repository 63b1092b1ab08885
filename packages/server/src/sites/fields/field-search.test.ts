import { randomUUID } from 'node:crypto';
import type { Field } from '@foyer/protocol';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Json, startTestApp, type TestApp, type TestSite } from '../../../test/app.ts';
import { until } from '../../../test/harness.ts';

// Searches find tickets and chats by the words of their custom fields, and say in which field they are.

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
  ok('POST', 'fields', { applies_to: 'tickets', kind: 'text', name: 'Order', ...body });
const ticket = async (fields: object): Promise<number> => {
  const requester = { key: `user_${randomUUID()}` };
  return (await ok('POST', 'tickets', { subject: 'A lamp', body: 'Hello', requester, fields })).id;
};
const found = async (q: string): Promise<Json[]> => {
  const { status, body } = await app.desk(cookie, 'inbox.search', { q });
  expect(status).toBe(200);
  return body.data;
};
const ticketsFound = async (q: string): Promise<number[]> =>
  (await ok('GET', `tickets?q=${encodeURIComponent(q)}`)).map(({ id }: Json) => id);

test('a ticket is found by its text fields, from its creation on, and no longer by former values', async () => {
  const { id: fieldId } = await field({});
  await field({ name: 'Cause', kind: 'choice', choices: ['Zeppelin'] });
  const id = await ticket({ order: 'A-100 Nightingale', cause: 'Zeppelin' });
  expect(await ticketsFound('nightingale')).toEqual([id]);
  expect(await ticketsFound('lamp nightingale')).toEqual([id]);
  expect(await ticketsFound('"a-100 nightingale"')).toEqual([id]);
  expect(await ticketsFound('zeppelin')).toEqual([]);
  const [hit] = await found('nightingale');
  expect(hit).toMatchObject({ kind: 'ticket', found: { in: 'field', at: fieldId } });
  expect(hit.found.excerpt.map(({ text }: Json) => text).join('')).toContain('Order: A-100 Nightingale');
  await ok('PATCH', `tickets?id=${id}`, { fields: { order: 'B-200 Albatross' } });
  expect(await ticketsFound('albatross')).toEqual([id]);
  expect(await ticketsFound('nightingale')).toEqual([]);
  await ok('PATCH', `tickets?id=${id}`, { fields: { order: null } });
  expect(await ticketsFound('albatross')).toEqual([]);
  expect(await ticketsFound('lamp')).toEqual([id]);
});

test('an archived field hides its words until it is restored, and deleting one deletes them', async () => {
  const { id: fieldId } = await field({});
  const id = await ticket({ order: 'Nightingale' });
  await ok('PATCH', `fields?id=${fieldId}`, { archived: true });
  await until(async () => (await ticketsFound('nightingale')).length === 0);
  await ok('PATCH', `fields?id=${fieldId}`, { archived: false });
  await until(async () => (await ticketsFound('nightingale')).length === 1);
  await ok('DELETE', `fields?id=${fieldId}`);
  await until(async () => (await ticketsFound('nightingale')).length === 0);
  expect(await ticketsFound('lamp')).toEqual([id]);
});

test('a chat is found by its text fields, also as a phrase, beside the words of its messages', async () => {
  const of = { applies_to: 'chats' };
  const { id: fieldId } = await field(of);
  const { session_id } = await ok('POST', 'conversations', {
    key: `user_${randomUUID()}`,
    text: 'About albatross',
  });
  const set = (fields: object) => ok('PATCH', `conversations?session_id=${session_id}`, { fields });
  await set({ order: 'A-100 Nightingale Street' });
  const chats = async (q: string): Promise<string[]> =>
    (await found(q)).map(({ session }: Json) => session.session_id);
  expect(await chats('nightingale')).toEqual([session_id]);
  expect(await chats('"nightingale street"')).toEqual([session_id]);
  expect(await chats('"street nightingale"')).toEqual([]);
  const [hit] = await found('nightingale');
  expect(hit.found).toMatchObject({ in: 'field', at: fieldId });
  // The words of chats are indexed a moment later, and beside those of fields.
  await until(async () => (await chats('albatross')).length === 1);
  expect((await found('albatross'))[0].found).toMatchObject({ in: 'message' });
  expect(await chats('nightingale')).toEqual([session_id]);
  expect(await ok('GET', 'conversations?q=nightingale')).toHaveLength(1);
  await set({ order: 'B-200' });
  expect(await chats('nightingale')).toEqual([]);
  await ok('DELETE', `fields?id=${fieldId}`);
  await until(async () => (await chats('B-200')).length === 0);
  expect(await chats('albatross')).toEqual([session_id]);
});
