import { randomUUID } from 'node:crypto';
import type { Block, HelloFrame, SpamEntry } from '@foyer/protocol';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Json, startTestApp, type TestApp, type TestSite } from '../../../test/app.ts';
import { until } from '../../../test/harness.ts';
import { mail } from '../../../test/mails/mail-desk.ts';
import { TestSocket } from '../../../test/sockets.ts';
import { storeReceived } from '../../email/inbound/store.ts';

let app: TestApp;
let site: TestSite;
let cookie: string;
let aheadMs = 0;
beforeAll(async () => {
  const now = () => new Date(Date.now() + aheadMs);
  app = await startTestApp({ FOYER_TRUST_PROXY: '127.0.0.1' }, { now });
});
afterAll(() => app.close());
beforeEach(async () => {
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
});

const BLOCKED = '203.0.113.7';
const OTHER = '198.51.100.1';
const block = async (kind: string, value: string, more: object = {}): Promise<Block> => {
  const { status, body } = await app.rest(site.write, 'POST', '/v1/blocks', { kind, value, ...more });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data;
};
const blocks = async (): Promise<Block[]> => (await app.rest(site.read, 'GET', '/v1/blocks')).body.data;
const desk = async (operation: string, input: object = {}): Promise<Json> =>
  (await app.desk(cookie, operation, input)).body.data;
const spam = async (): Promise<SpamEntry[]> => (await app.rest(site.read, 'GET', '/v1/spam')).body.data;
const reasons = async () => (await spam()).map((entry) => entry.spam?.reason);

async function connect(address: string, hello: Omit<HelloFrame, 'type'> = {}) {
  const socket = await TestSocket.open(`${app.url}/widget/socket?site=${site.publicKey}`, {
    'x-forwarded-for': address,
  });
  socket.send({ type: 'hello', key: `anon_${randomUUID()}`, ...hello });
  const { token } = await socket.next('welcome');
  return { socket, token };
}
const say = (socket: TestSocket, text: string, session_id: string | null = null) =>
  socket.call('chat.send', { session_id, client_id: randomUUID(), text }) as Promise<Json>;
const post = (path: string, body: unknown, address: string, headers: Record<string, string> = {}) =>
  fetch(app.url + path, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

test('a chat from a blocked address is spam, and its visitor gets the same responses as anybody', async () => {
  const { id } = await block('address', '203.0.113.0/24');
  const [here, elsewhere] = [await connect(BLOCKED), await connect(OTHER)];
  const blocked = await say(here.socket, 'Hello');
  const free = await say(elsewhere.socket, 'Hello');
  expect(Object.keys(blocked.session)).toEqual(Object.keys(free.session));
  expect({ ...blocked.session, session_id: '' }).toMatchObject({ status: free.session.status });
  expect((await spam()).map(({ session_id, spam: mark }) => [session_id, mark?.reason, mark?.by])).toEqual([
    [blocked.session.session_id, 'blocked', null],
  ]);
  expect((await blocks()).find((one) => one.id === id)).toMatchObject({ hits: 1 });

  // A visitor who is blocked later: their next message marks the open chat.
  await block('address', OTHER);
  expect(await say(elsewhere.socket, 'Still there?', free.session.session_id)).toMatchObject({
    message: { text: 'Still there?' },
  });
  expect(await reasons()).toEqual(['blocked', 'blocked']);
});

test('over held requests, too', async () => {
  await block('address', BLOCKED);
  const client_id = randomUUID();
  const frames = [
    { type: 'hello', key: `anon_${randomUUID()}` },
    { type: 'call', id: 1, op: 'chat.send', input: { session_id: null, client_id, text: 'Hi' } },
  ].map((frame) => JSON.stringify(frame));
  const path = `/widget/poll?site=${site.publicKey}`;
  const opened = await post(path, { poll: null, frames, wait: false }, BLOCKED);
  expect(opened.status).toBe(200);
  await until(async () => (await spam()).length === 1);
});

test('phrases count until an agent has the chat, and only as whole words', async () => {
  await block('phrase', 'Cheap Lanterns');
  const { socket } = await connect(OTHER);
  const { session } = await say(socket, 'Are cheaper lanterns here?');
  await say(socket, 'I sell CHEAP, lanterns!', session.session_id);
  expect(await reasons()).toEqual(['phrase']);

  await app.rest(site.write, 'POST', '/v1/spam', { session_id: session.session_id, spam: false });
  await desk('sessions.accept', { session_id: session.session_id });
  await say(socket, 'Really cheap lanterns', session.session_id);
  expect(await spam()).toEqual([]);
});

test('the country is that of the time zone, the email address the one from the page or the visitor', async () => {
  await block('country', 'nz');
  await block('email', 'spam.example');
  await say((await connect(OTHER, { time_zone: 'Pacific/Auckland' })).socket, 'Hi');
  await say((await connect(OTHER, { time_zone: 'Europe/Berlin' })).socket, 'Hi');
  expect(await reasons()).toEqual(['blocked']);

  const { socket } = await connect(OTHER);
  const { session } = await say(socket, 'Write to me');
  await socket.call('chat.leave_email', { session_id: session.session_id, email: 'ann@mx.spam.example' });
  const marked = await spam();
  expect(marked).toHaveLength(3);
  // The ticket of the chat, too.
  expect(marked.filter(({ ticket_id }) => ticket_id !== null)).toHaveLength(1);
});

test('uploads, events and votes from a blocked address are not stored', async () => {
  const { socket, token } = await connect(BLOCKED);
  await say(socket, 'Hi');
  await block('address', BLOCKED);
  const upload = (address: string) =>
    fetch(`${app.url}/widget/uploads/${randomUUID()}?site=${site.publicKey}&name=a.txt`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': address, 'content-type': 'text/plain' },
      body: 'text',
    });
  expect((await upload(BLOCKED)).status).toBe(429);
  expect((await upload(OTHER)).status).toBe(201);

  const collect = (address: string, key: string) =>
    post(`/widget/collect?site=${site.publicKey}`, { key, attributes: { name: 'Ann' } }, address);
  expect((await collect(BLOCKED, 'user_1')).status).toBe(202);
  expect((await collect(OTHER, 'user_2')).status).toBe(202);
  const found = async (key: string) => (await app.rest(site.read, 'GET', `/v1/visitors?key=${key}`)).status;
  expect([await found('user_1'), await found('user_2')]).toEqual([404, 200]);

  await desk('articles.save', {
    title: 'Lanterns',
    body: 'Light.',
    category: null,
    status: 'Published',
  });
  const vote = (address: string) =>
    post(`/help/${site.publicKey}/articles/lanterns/helpful`, 'helpful=no', address, {
      'content-type': 'application/x-www-form-urlencoded',
    });
  const votes = async () =>
    (
      await app.app.database.db
        .selectFrom('article_votes')
        .selectAll()
        .where('site_id', '=', site.site.id)
        .execute()
    ).length;
  expect((await vote(BLOCKED)).status).toBe(303);
  expect(await votes()).toBe(0);
  expect((await vote(OTHER)).status).toBe(303);
  expect(await votes()).toBe(1);
});

test('a customer’s answer through the portal is stored as spam', async () => {
  const made = async (resource: string, input: object) =>
    (await app.rest(site.write, 'POST', `/v1/${resource}`, input)).body.data;
  const ticket = await made('tickets', { subject: 'Hi', body: 'Hi', requester: { email: 'ann@b.example' } });
  const { token } = await made('portal_token', { ticket_id: ticket.id });
  await block('address', BLOCKED);
  const answer = new FormData();
  answer.set('answer', randomUUID());
  answer.set('text', 'Buy this');
  const sent = await fetch(`${app.url}/portal/${token}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'x-forwarded-for': BLOCKED },
    body: answer,
  });
  expect([sent.status, sent.headers.get('location')]).toEqual([303, `/portal/${token}?sent=1`]);
  expect((await spam()).map(({ ticket_id, spam: mark }) => [ticket_id, mark?.reason])).toEqual([
    [ticket.id, 'blocked'],
  ]);
});

test('an email is rejected by its sender, its ticket is spam by its words, and one list has both blocks', async () => {
  const { db } = site.operator;
  const at = { created_at: new Date(), updated_at: new Date() };
  const { id: mailboxId } = await db
    .insertInto('mailboxes')
    .values({ site_id: site.site.id, address: `in${site.site.id}@shop.example`, incoming: 'smtp', ...at })
    .returning('id')
    .executeTakeFirstOrThrow();
  const receive = async (from: string, body: string): Promise<Json> => {
    const id = await storeReceived(site.operator, {
      mailboxId,
      route: 'smtp',
      source: null,
      raw: Buffer.from(mail({ From: from }, body)),
      envelopeFrom: from,
    });
    let row: Json;
    await until(async () => {
      row = (await app.rest(site.read, 'GET', `/v1/received_mails?id=${id}`)).body.data;
      return row.outcome !== 'waiting';
    });
    return row;
  };
  await block('phrase', 'cheap lanterns');
  await app.rest(site.write, 'POST', '/v1/blocked_senders', { sender: 'spam.example' });
  expect(await receive('x@spam.example', 'Hi')).toMatchObject({
    outcome: 'rejected',
    reason: 'blocked_sender',
  });
  const { ticket_id } = await receive('ann@customer.example', 'Cheap lanterns for you');
  expect((await spam()).map((entry) => [entry.ticket_id, entry.spam?.reason])).toEqual([
    [ticket_id, 'phrase'],
  ]);
  const { ticket_id: clean } = await receive('ben@customer.example', 'Where is my lantern?');
  expect((await spam()).map((entry) => entry.ticket_id)).not.toContain(clean);

  const all = await blocks();
  expect(all.map(({ kind, value, hits }) => [kind, value, hits])).toEqual([
    ['email', 'spam.example', 1],
    ['phrase', 'cheap lanterns', 1],
  ]);
  const senders = (await app.rest(site.read, 'GET', '/v1/blocked_senders')).body.data;
  expect(senders.map(({ sender }: Json) => sender)).toEqual(['spam.example']);
  const phraseId = all[1]?.id;
  expect((await app.rest(site.write, 'DELETE', `/v1/blocked_senders?id=${phraseId}`)).status).toBe(404);
});

test('a block has a note and an expiry, ends then or when it is removed, and the audit log records everything', async () => {
  const expires_utc = new Date(Date.now() + 3_600_000).toISOString();
  const made = await block('address', BLOCKED, { note: 'Floods us', expires_utc });
  expect(made).toMatchObject({ value: BLOCKED, note: 'Floods us', expires_utc, hits: 0, agent: null });
  // Blocking again keeps author and time, and replaces the note.
  expect(await block('address', `${BLOCKED}/32`, { note: 'Again' })).toMatchObject({
    id: made.id,
    note: 'Again',
    expires_utc,
  });
  const later = new Date(Date.now() + 7_200_000).toISOString();
  await app.rest(site.write, 'PATCH', `/v1/blocks?id=${made.id}`, { expires_utc: later });
  aheadMs = 3_700_000;
  await say((await connect(BLOCKED)).socket, 'Hi');
  expect(await reasons()).toEqual(['blocked']);
  aheadMs = 7_300_000;
  await say((await connect(BLOCKED)).socket, 'Hi');
  expect(await reasons()).toEqual(['blocked']);
  expect(await blocks()).toEqual([]);
  aheadMs = 0;

  const second = await block('country', 'DE');
  expect(second.value).toBe('DE');
  expect((await app.rest(site.write, 'DELETE', `/v1/blocks?id=${second.id}`)).status).toBe(200);
  const log: Json[] = await desk('audit.list', { subject: 'block' });
  expect(log.map(({ action, label }) => [action, label])).toEqual([
    ['blocks.delete', 'country:de'],
    ['blocks.create', 'country:de'],
    ['blocks.update', `address:${BLOCKED}`],
    ['blocks.create', `address:${BLOCKED}`],
    ['blocks.create', `address:${BLOCKED}`],
  ]);
  for (const wrong of [
    { kind: 'address', value: '0.0.0.0/0' },
    { kind: 'email', value: 'nothing' },
    { kind: 'country', value: 'deu' },
    { kind: 'phrase', value: '!!!' },
    { kind: 'phrase', value: 'x', expires_utc: '2020-01-01' },
  ])
    expect((await app.rest(site.write, 'POST', '/v1/blocks', wrong)).status, wrong.value).toBe(400);
});
