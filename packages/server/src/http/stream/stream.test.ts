import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createClient, FoyerError, type FoyerEvent, type StreamOptions } from '@foyer/client';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Json, TestApp, TestSite } from '../../../test/app.ts';
import { until } from '../../../test/harness.ts';
import { type Nodes, startNodes } from '../../../test/nodes.ts';
import { createToken, revokeToken } from '../../sites/tokens/api-tokens.ts';
import type { Admit } from '../rest/admission.ts';
import { registerStream, STREAMS_PER_TOKEN } from './stream.ts';

// Two processes on one database: a stream at one has what the other writes.

let nodes: Nodes;
let one: TestApp;
let two: TestApp;
let site: TestSite;

beforeAll(async () => {
  nodes = await startNodes(2);
  [one, two] = [nodes.at(0), nodes.at(1)];
  site = await one.makeSite();
});
afterAll(() => nodes.close());

const start = async (app: TestApp, text: string): Promise<string> => {
  const { body } = await app.rest(site.write, 'POST', '/v1/conversations', { key: `user_${text}`, text });
  return body.data.session_id;
};
const say = (app: TestApp, session_id: string, text: string) =>
  app.rest(site.write, 'POST', '/v1/conversation_messages', { session_id, sender: 'visitor', text });

/** A stream of events that collects what it receives. */
async function listen(app: TestApp, options: StreamOptions = {}, token = site.read) {
  const stop = new AbortController();
  const got: FoyerEvent[] = [];
  let isReset = false;
  let opened: ((id: string) => void) | undefined;
  const open = new Promise<string>((resolve) => {
    opened = resolve;
  });
  // A connection that is kept for another request would keep the process from closing.
  const client = createClient({
    baseUrl: app.url,
    token,
    fetch: (url, init) =>
      fetch(url, { ...init, headers: { ...(init?.headers as object), connection: 'close' } }),
  });
  const ended = (async () => {
    const events = client.stream({
      ...options,
      signal: stop.signal,
      onOpen: (id) => opened?.(id),
      onReset: () => {
        isReset = true;
      },
    });
    for await (const event of events) got.push(event);
  })();
  ended.catch(() => undefined);
  await Promise.race([open, ended]);
  return { got, ended, open, isReset: () => isReset, stop: () => stop.abort() };
}

const textsOf = (events: readonly FoyerEvent[]): string[] =>
  events.flatMap((event) => (event.event === 'message_created' ? [event.data.message.text] : []));

test('a stream has what any process commits, in order, of the requested types', async () => {
  const messages = await listen(two, { types: ['message_created'] });
  const all = await listen(one);
  const id = await start(one, 'a1');
  for (const [n, app] of [one, two, one].entries()) await say(app, id, `a${n + 2}`);
  const own = (): string[] => textsOf(messages.got).filter((text) => /^a\d/.test(text));
  await until(async () => own().length === 4 && textsOf(all.got).includes('a4'));
  expect(own()).toEqual(['a1', 'a2', 'a3', 'a4']);
  expect(new Set(messages.got.map(({ event }) => event))).toEqual(new Set(['message_created']));
  expect(all.got.map(({ event }) => event)).toEqual(
    expect.arrayContaining(['visitor_identified', 'conversation_started', 'message_created']),
  );
  messages.stop();
  all.stop();
});

test('a reader that reconnects, at any process, misses nothing and gets nothing twice', async () => {
  const types = ['message_created'] as const;
  const ids = await Promise.all([1, 2, 3].map((n) => start(one, `b${n}`)));
  const first = await listen(one, { types });
  let last = await first.open;
  first.stop();
  const sends = ids.flatMap((id, chat) =>
    Array.from({ length: 12 }, (_, n) => () => say(n % 2 ? one : two, id, `c${chat}-${n}`)),
  );
  const sending = Promise.all(sends.map((send) => send()));
  const heard: FoyerEvent[] = [];
  for (let round = 0; textsOf(heard).filter((text) => text.startsWith('c')).length < sends.length; round++) {
    const stream = await listen(round % 2 ? one : two, { types, lastEventId: last });
    await until(async () => stream.got.length > 0);
    stream.stop();
    heard.push(...stream.got);
    last = stream.got.at(-1)?.streamId ?? last;
    expect(stream.isReset()).toBe(false);
  }
  await sending;
  const texts = textsOf(heard).filter((text) => text.startsWith('c'));
  expect(new Set(texts).size).toBe(texts.length);
  expect(texts.length).toBe(sends.length);
});

test('a stalled reader takes a limited amount of memory, is disconnected, and misses nothing when it resumes', async () => {
  const [count, bytes] = [400, 60_000];
  const { pool, db } = one.app.database;
  const actor = { kind: 'token', tokenId: site.tokenIds[0], scopes: ['read'] };
  const admit = (async () => ({ site: site.site, actor })) as unknown as Admit;
  const server = Fastify();
  registerStream(server, { admit, db, now: () => new Date(), unreadMs: 300 });
  const accepted = once(server.server, 'connection') as Promise<[Socket]>;
  await server.listen({ port: 0, host: '127.0.0.1' });
  const reader = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
  reader.on('error', () => undefined);
  let text = '';
  reader.setEncoding('utf8').on('data', (chunk) => (text += String(chunk)));
  // In HTTP 1.0, a response is not cut into chunks.
  reader.write('GET /v1/stream?types=visitor_identified HTTP/1.0\r\n\r\n');
  await until(async () => text.includes('event: open'));
  reader.pause();
  const [peer] = await accepted;
  await pool.query(
    `insert into webhook_events (site_id, id, event, body, created_at, stream_xid, stream_n)
     select $1, 'evt_slow_' || n, 'visitor_identified',
       convert_to(json_build_object('visitor', json_build_object('key', n::text), 'rest', repeat('x', $3))::text, 'UTF8'),
       now(), pg_current_xact_id()::text::bigint, nextval('stream_positions')
     from generate_series(1, $2::int) n`,
    [site.site.id, count, bytes],
  );
  let most = 0;
  await until(async () => {
    most = Math.max(most, peer.writableLength);
    return peer.destroyed;
  });
  expect(most).toBeGreaterThan(0);
  expect(most, 'one event, not all').toBeLessThan(3 * bytes);
  const ended = once(reader, 'close');
  reader.resume();
  await ended;
  // The last block may be cut.
  const blocks = text.split('\n\n').slice(0, -1);
  const keysIn = (found: string[]): string[] =>
    found.flatMap((block) => /"key" ?: ?"(\d+)"/.exec(block)?.slice(1) ?? []);
  const before = keysIn(blocks);
  expect(before.length).toBeLessThan(count);
  const lastEventId = blocks.map((block) => /^id: (.+)$/m.exec(block)?.[1]).findLast(Boolean) ?? '';
  const rest = await listen(two, { types: ['visitor_identified'], lastEventId });
  await until(async () => rest.got.length === count - before.length);
  const keys = [...before, ...rest.got.map(({ data }) => (data as Json).visitor.key)];
  expect(keys).toEqual(Array.from({ length: count }, (_, n) => String(n + 1)));
  expect(rest.isReset()).toBe(false);
  rest.stop();
  await server.close();
});

test('events that a long transaction commits late come before those read after it began', async () => {
  const stream = await listen(two, { types: ['visitor_identified'] });
  const late = await one.app.database.pool.connect();
  await late.query('begin');
  await late.query(
    `insert into webhook_events (site_id, id, event, body, created_at, stream_xid, stream_n)
     values ($1, 'evt_late', 'visitor_identified', '{"visitor":{"key":"late"}}', now(),
       pg_current_xact_id()::text::bigint, nextval('stream_positions'))`,
    [site.site.id],
  );
  await one.rest(site.write, 'POST', '/v1/visitors', { key: 'soon' });
  const other = await listen(one, { types: ['conversation_started'] });
  await one.rest(site.write, 'GET', '/v1/tags');
  expect(stream.got).toEqual([]);
  await late.query('commit');
  late.release();
  await until(async () => stream.got.length === 2);
  expect(stream.got.map(({ data }) => (data as Json).visitor.key)).toEqual(['late', 'soon']);
  stream.stop();
  other.stop();
});

test('a stream ends when its token is revoked, has at most what the scopes allow, and streams per token are limited', async () => {
  const { id, token } = await createToken(site.operator, { name: 'listener', scopes: 'conversations:read' });
  const client = createClient({ baseUrl: one.url, token });
  const refused = client.stream({ types: ['message_created'] }).next();
  await expect(refused).rejects.toMatchObject({
    status: 403,
    message: expect.stringContaining('conversation_messages:read'),
  });
  const open = [];
  for (let n = 0; n < STREAMS_PER_TOKEN; n++) open.push(await listen(one, {}, token));
  const more = await one.rest(token, 'GET', '/v1/stream');
  expect([more.status, more.body.error.code]).toEqual([429, 'rate_limited']);
  await start(one, 'd1');
  const [first] = open;
  await until(async () => (first?.got.length ?? 0) > 0);
  expect(
    first?.got.map(({ event }) => event),
    'no message',
  ).toEqual(['conversation_started']);
  await revokeToken(site.operator, id);
  for (const { ended } of open) await expect(ended).rejects.toMatchObject({ status: 401 });
  await expect(client.stream().next()).rejects.toBeInstanceOf(FoyerError);
});

test('a reader who was away longer than events are kept is notified, and a wrong request is refused', async () => {
  const before = await listen(one, { types: ['conversation_started'] });
  const lastEventId = await before.open;
  before.stop();
  await one.app.database.pool.query(
    `update stream_recordings set kept_until = now() - interval '1 second' where site_id = $1`,
    [site.site.id],
  );
  const after = await listen(two, { types: ['conversation_started'], lastEventId });
  expect(after.isReset()).toBe(true);
  const id = await start(one, 'e1');
  await until(async () => after.got.length === 1);
  expect(after.got[0]).toMatchObject({ data: { session_id: id } });
  after.stop();
  const bad = async (path: string, headers = {}): Promise<unknown[]> => {
    const { status, body } = await one.rest(site.read, 'GET', path, undefined, headers);
    return [status, body.error?.issues?.[0]?.path];
  };
  expect(await bad('/v1/stream?types=security_event')).toEqual([400, 'types']);
  expect(await bad('/v1/stream?typo=1')).toEqual([400, 'typo']);
  expect(await bad('/v1/stream', { 'last-event-id': 'x' })).toEqual([400, 'Last-Event-ID']);
  expect((await one.rest(undefined, 'GET', '/v1/stream')).status).toBe(401);
});
