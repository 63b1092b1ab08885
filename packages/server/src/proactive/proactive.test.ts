import { randomUUID } from 'node:crypto';
import { type Message, type OfficeHours, type ProactiveMessage, WEEKDAYS } from '@foyer/protocol';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeAgent } from '../../test/accounts.ts';
import { answerOf, type Json, type TestApp, type TestSite } from '../../test/app.ts';
import { newEmail } from '../../test/fixtures/sites.ts';
import { type Nodes, startNodes } from '../../test/nodes.ts';
import { TestSocket } from '../../test/sockets.ts';
import { updateSite } from '../sites/sites.ts';
import { collect } from '../visitors/events/collect.ts';

const HOUR_MS = 3_600_000;
/** A Tuesday; noon in Berlin is 11:00 UTC. */
let time = Date.parse('2026-12-01T11:00:00Z');

let nodes: Nodes;
let app: TestApp;
let site: TestSite;
beforeAll(async () => {
  nodes = await startNodes(2, {}, { now: () => new Date(time) });
  app = nodes.at(0);
});
afterAll(() => nodes.close());
beforeEach(async () => {
  time = Date.parse('2026-12-01T11:00:00Z');
  site = await app.makeSite('growth');
});

const rest = async (method: string, query: string, body?: object, status = 200): Promise<Json> => {
  const answer = await app.rest(site.write, method, `/v1/proactive_messages${query}`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(status);
  return answer.body.data ?? answer.body.error;
};
const create = (body: object): Promise<ProactiveMessage> =>
  rest('POST', '', { name: randomUUID(), texts: { en: 'Any **questions**?' }, enabled: true, ...body }, 201);
const update = (id: number, body: object): Promise<ProactiveMessage> => rest('PATCH', `?id=${id}`, body);
const countsOf = async (id: number): Promise<number[]> => {
  const { seen, opened, answered } = await rest('GET', `?id=${id}`);
  return [seen, opened, answered];
};

const ask = (what: 'show' | 'open', id: number, key: string, more: object = {}, headers = {}, node = app) =>
  fetch(`${node.url}/widget/proactive?site=${site.publicKey}`, {
    method: 'POST',
    body: JSON.stringify({ do: what, id, key, ...more }),
    headers: { 'content-type': 'text/plain', ...headers },
  }).then(answerOf);
const show = async (id: number, key: string, more: object = {}): Promise<Json> => {
  const { status, body } = await ask('show', id, key, more);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.bubble;
};
/** Asks both processes at once, each several times. */
const showOnBoth = async (ids: readonly number[], key: string): Promise<Json[]> => {
  const asked = ids.flatMap((id) => [0, 1, 0, 1].map((node) => ask('show', id, key, {}, {}, nodes.at(node))));
  return (await Promise.all(asked)).map(({ body }) => body.data.bubble).filter((bubble) => bubble !== null);
};
const config = async (): Promise<Json> =>
  (await answerOf(await fetch(`${app.url}/widget/config?site=${site.publicKey}`))).body.data;
const visitors = async (): Promise<number> =>
  (await app.rest(site.read, 'GET', '/v1/visitors')).body.data.length;
const newKey = () => `anon_${randomUUID()}`;

test('pages learn where and when to ask, only for messages that may be shown now', async () => {
  expect((await config()).extras).toEqual({ live: [''] });
  const { id } = await create({
    pages: ['/Pricing/', 'shop.example/über'],
    except_pages: ['/pricing/old'],
    after_s: 5,
  });
  await create({ pages: ['/blog'], enabled: false });
  const rule = {
    id,
    pages: ['/pricing', 'shop.example/%c3%bcber'],
    except_pages: ['/pricing/old'],
    after_s: 5,
    min_visits: 1,
  };
  expect(await config()).toMatchObject({
    extras: { proactive: ['/pricing', 'shop.example/%c3%bcber'] },
    proactive: [rule],
  });
  expect((await config()).proactive).toHaveLength(1);
  // Visits are counted on every page.
  await update(id, { min_visits: 3 });
  expect((await config()).extras.proactive).toEqual(['']);
  await updateSite(site.operator, { time_zone: 'Europe/Berlin' });
  await update(id, { from_date: '2026-12-02', until_date: '2026-12-03' });
  expect((await config()).extras.proactive).toBeUndefined();
  time = Date.parse('2026-12-01T23:00:00Z');
  expect((await config()).proactive).toHaveLength(1);
  time = Date.parse('2026-12-03T23:00:00Z');
  expect((await config()).extras.proactive).toBeUndefined();
  expect(await rest('PATCH', `?id=${id}`, { until_date: '2026-12-01' }, 400)).toMatchObject({
    issues: [{ path: 'until_date' }],
  });
});

test('a visitor is shown a message once, however many tabs ask at once, and counts once', async () => {
  const { id } = await create({});
  const key = newKey();
  const shown = await Promise.all(Array.from({ length: 8 }, () => show(id, key)));
  expect(shown.filter((bubble) => bubble !== null)).toMatchObject([
    { text: 'Any **questions**?', language: 'en', sender: { is_bot: true, picture_url: null } },
  ]);
  time += 100 * 24 * HOUR_MS;
  expect(await show(id, key)).toBeNull();
  await Promise.all([ask('open', id, key), ask('open', id, key)]);
  // Nobody was shown it with this key.
  await ask('open', id, newKey());
  expect(await countsOf(id)).toEqual([1, 1, 0]);
  await show(id, newKey());
  expect(await countsOf(id)).toEqual([2, 1, 0]);
  await rest('DELETE', `?id=${id}`);
  expect(await show(id, newKey())).toBeNull();
});

test('two processes show a visitor a message once, and respect the hours between two messages', async () => {
  const [one, two] = [await create({}), await create({})];
  for (let visitor = 0; visitor < 5; visitor++) {
    const key = newKey();
    expect(await showOnBoth([one.id], key)).toHaveLength(1);
    expect(await showOnBoth([one.id, two.id], key)).toEqual([]);
    time += 24 * HOUR_MS;
    expect(await showOnBoth([one.id, two.id], key)).toHaveLength(1);
  }
  expect([await countsOf(one.id), await countsOf(two.id)]).toEqual([
    [5, 0, 0],
    [5, 0, 0],
  ]);
  const key = newKey();
  expect(await showOnBoth([one.id, two.id], key)).toHaveLength(1);
});

const NEVER = Object.fromEntries(WEEKDAYS.map((day) => [day, []]));

test('the hours of a week follow the site’s clocks, also when they change', async () => {
  await updateSite(site.operator, { time_zone: 'Europe/Berlin' });
  const weekly = {
    ...NEVER,
    monday: [{ from: '09:00', to: '17:00' }],
    saturday: [{ from: '22:00', to: '24:00' }],
    sunday: [{ from: '02:00', to: '03:30' }],
  };
  const { id } = await create({ weekly, quiet_hours: 0 });
  expect((await rest('GET', `?id=${id}`)).weekly).toEqual(weekly);
  const expectShown = async (expected: Record<string, boolean>): Promise<void> => {
    const found: Record<string, boolean> = {};
    for (const at of Object.keys(expected)) {
      time = Date.parse(at);
      found[at] = (await show(id, newKey())) !== null;
    }
    expect(found).toEqual(expected);
  };
  await expectShown({
    // Summer time: nine o'clock is 07:00 UTC.
    '2026-10-19T06:59:59Z': false,
    '2026-10-19T07:00:00Z': true,
    '2026-10-19T15:00:00Z': false,
    '2026-10-24T21:59:59Z': true,
    '2026-10-24T22:00:00Z': false,
    // The hour from 02:00 to 03:00 comes twice that night: it begins at 00:00 UTC, and 03:30 is 02:30 UTC.
    '2026-10-24T23:59:59Z': false,
    '2026-10-25T00:00:00Z': true,
    '2026-10-25T01:30:00Z': true,
    '2026-10-25T02:29:59Z': true,
    '2026-10-25T02:30:00Z': false,
    // Winter time: nine o'clock is 08:00 UTC.
    '2026-10-26T07:30:00Z': false,
    '2026-10-26T08:00:00Z': true,
    '2026-10-27T09:00:00Z': false,
    // That hour doesn't exist: half an hour is left.
    '2027-03-28T00:59:59Z': false,
    '2027-03-28T01:00:00Z': true,
    '2027-03-28T01:29:59Z': true,
    '2027-03-28T01:30:00Z': false,
  });
  // Outside of the hours pages don't even ask.
  expect((await config()).extras.proactive).toBeUndefined();
  time = Date.parse('2026-10-26T08:00:00Z');
  expect((await config()).proactive).toMatchObject([{ id }]);

  // With office hours as well, in a time zone of their own, both have to be open.
  const office = { time_zone: 'UTC', weekly: { ...NEVER, sunday: [{ from: '01:30', to: '24:00' }] } };
  await update(id, { hours: 'office' });
  await updateSite(site.operator, { office_hours: { ...office, holidays: [] } as unknown as OfficeHours });
  await expectShown({
    '2026-10-25T01:00:00Z': false,
    '2026-10-25T01:30:00Z': true,
    '2026-10-26T08:00:00Z': false,
  });
  await update(id, { weekly: null });
  await expectShown({ '2026-10-25T01:00:00Z': false, '2026-10-25T20:00:00Z': true });
});

test('invalid or overlapping hours of a week are refused', async () => {
  const { id } = await create({});
  const refused = async (weekly: object): Promise<string[]> =>
    (await rest('PATCH', `?id=${id}`, { weekly }, 400)).issues.map(({ path }: Json) => path);
  expect(await refused(NEVER)).toEqual(['weekly']);
  expect(await refused({ ...NEVER, sunday: undefined })).toEqual(['weekly.sunday']);
  const [early, late] = [
    { from: '09:00', to: '12:00' },
    { from: '11:00', to: '13:00' },
  ];
  expect(await refused({ ...NEVER, friday: [early, late] })).toEqual(['weekly.friday']);
});

test('after one message others wait, even if two tabs ask for two at once', async () => {
  const [one, two, soon] = [await create({}), await create({}), await create({ quiet_hours: 1 })];
  const key = newKey();
  const both = await Promise.all([show(one.id, key), show(two.id, key)]);
  expect(both.filter((bubble) => bubble !== null)).toHaveLength(1);
  const other = both[0] === null ? one : two;
  time += 2 * HOUR_MS;
  expect(await show(other.id, key)).toBeNull();
  expect(await show(soon.id, key)).not.toBeNull();
  time += 24 * HOUR_MS;
  expect(await show(other.id, key)).not.toBeNull();
});

test('a visitor who doesn’t match gets none, and nothing is stored about them', async () => {
  const segment = await app.rest(site.write, 'POST', '/v1/segments', {
    name: 'Pro',
    rule: { all: [{ attribute: 'plan', op: 'eq', value: 'pro' }] },
  });
  const { id } = await create({ segment_ids: [segment.body.data.id], texts: { en: 'Hello', de: 'Hallo' } });
  expect(await show(id, newKey())).toBeNull();
  expect(await visitors()).toBe(0);
  await collect(site.operator, { key: 'u1', attributes: { plan: 'pro' } });
  await collect(site.operator, { key: 'u2', attributes: { plan: 'free' } });
  expect(await show(id, 'u2')).toBeNull();
  expect(await show(id, 'u1', { locale: 'de-CH' })).toMatchObject({ text: 'Hallo', language: 'de' });
  const german = await create({ languages: ['de'], quiet_hours: 0 });
  expect(await show(german.id, 'u1', { locale: 'fr' })).toBeNull();
  expect(await show(german.id, 'u1', { locale: 'de' })).toMatchObject({ text: 'Any **questions**?' });
  const day = [{ from: '09:00', to: '17:00' }];
  const [open, shut] = [
    { monday: day, tuesday: day },
    { saturday: [], sunday: [] },
  ];
  const weekly = { ...open, wednesday: [], thursday: [], friday: [], ...shut };
  await updateSite(site.operator, { office_hours: { time_zone: 'UTC', weekly, holidays: [] } });
  const office = await create({ hours: 'office', quiet_hours: 0 });
  time = Date.parse('2026-12-01T18:00:00Z');
  expect(await show(office.id, 'u1')).toBeNull();
  time = Date.parse('2026-12-01T16:00:00Z');
  expect(await show(office.id, 'u1')).not.toBeNull();
  await update(office.id, { enabled: false });
  expect(await show(office.id, 'u2')).toBeNull();
  expect(await rest('PATCH', `?id=${id}`, { segment_ids: [999_999] }, 404)).toMatchObject({
    message: 'No such segment.',
  });
});

test('on a site that verifies identities, only a page with the proof is shown a known visitor’s message', async () => {
  const { id } = await create({});
  const admin = await app.signIn(site.admin.email);
  await app.desk(admin, 'identity_secret.rotate', {});
  expect(await show(id, 'u1', { user_hash: '0'.repeat(64) })).toBeNull();
  expect(await countsOf(id)).toEqual([0, 0, 0]);
  expect(await show(id, newKey())).not.toBeNull();
});

test('an answer starts a chat whose first message is the proactive one, under its sender’s name', async () => {
  const ben = await makeAgent(site.operator, { email: newEmail(), name: 'Ben', role: 'agent' });
  const { id } = await create({ sender_id: ben.id });
  const key = newKey();
  expect(await show(id, key)).toMatchObject({ sender: { name: 'Ben', is_bot: false } });
  const { socket } = await TestSocket.visitor(app.url, site.publicKey, { key });
  const send = { session_id: null, client_id: randomUUID(), text: 'Do you ship?', proactive_id: id };
  const first = (await socket.call('chat.send', send)) as { session: { session_id: string } };
  const again = (await socket.call('chat.send', send)) as { session: { session_id: string } };
  const sessionId = first.session.session_id;
  expect(again.session.session_id).toBe(sessionId);
  await socket.subscribe(sessionId);
  const { message } = await socket.next('message', (frame) => frame.message.sender === 'visitor');
  expect(message).toMatchObject({ seq: 2, text: 'Do you ship?' });
  const [shown] = socket.messagesOf(sessionId) as [Message];
  expect(shown).toMatchObject({
    seq: 1,
    sender: 'bot',
    author: { id: ben.id, name: 'Ben' },
    text: 'Any **questions**?',
    event: 'proactive',
  });
  expect(await countsOf(id)).toEqual([1, 1, 1]);
  const { body } = await app.rest(site.read, 'GET', `/v1/conversation_messages?session_id=${sessionId}`);
  expect(body.data.map((one: Message) => one.event)).toContain('proactive');
  // Never while a chat is open.
  const other = await create({ quiet_hours: 0 });
  expect(await show(other.id, key)).toBeNull();
  await socket.call('chat.end', { session_id: sessionId });
  expect(await show(other.id, key)).not.toBeNull();
  // A message that was deleted meanwhile doesn't keep anybody from answering it.
  await rest('DELETE', `?id=${other.id}`);
  const late = { ...send, client_id: randomUUID(), proactive_id: other.id };
  expect(await socket.call('chat.send', late)).toMatchObject({ message: { seq: 1, text: 'Do you ship?' } });
  socket.cut();
});

test('a visitor who becomes known keeps what they were shown, and counts once', async () => {
  const [one, two] = [await create({ quiet_hours: 0 }), await create({ quiet_hours: 0 })];
  const key = newKey();
  await show(one.id, key);
  await ask('open', one.id, key);
  await show(two.id, key);
  await show(one.id, 'u1');
  await ask('open', one.id, 'u1');
  expect(await countsOf(one.id)).toEqual([2, 2, 0]);
  await collect(site.operator, { key: 'u1', previous_key: key });
  expect([await countsOf(one.id), await countsOf(two.id)]).toEqual([
    [1, 1, 0],
    [1, 0, 0],
  ]);
  expect(await show(two.id, 'u1')).toBeNull();
  // Erased: the counts stay, the visitor's identity doesn't.
  await app.rest(site.write, 'DELETE', '/v1/visitors?key=u1');
  expect(await countsOf(two.id)).toEqual([1, 0, 0]);
  expect(await show(two.id, 'u1')).not.toBeNull();
});

test('a call from a page that isn’t allowed, in a wrong form or of another site is refused', async () => {
  const { id } = await create({});
  const other = await app.makeSite();
  await updateSite(site.operator, { allowed_origins: ['https://shop.example'] });
  expect((await ask('show', id, 'u1', {}, { origin: 'https://evil.example' })).status).toBe(403);
  expect((await ask('show', id, '')).status).toBe(400);
  expect((await ask('show', id, 'u1', { more: true })).status).toBe(400);
  const foreign = await fetch(`${app.url}/widget/proactive?site=${other.publicKey}`, {
    method: 'POST',
    body: JSON.stringify({ do: 'show', id, key: 'u1' }),
  });
  expect((await answerOf(foreign)).body.data).toEqual({ bubble: null });
  expect(await countsOf(id)).toEqual([0, 0, 0]);
  const agent = await app.signIn(site.admin.email);
  const items = (await app.desk(agent, 'audit.list', { subject: 'proactive_message' })).body.data;
  expect(items.map(({ action }: Json) => action)).toEqual(['proactive_messages.create']);
});
