import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, startTestApp, type TestApp, type TestSite } from './app.ts';
import { TestSocket } from './sockets.ts';

// Attacks that were planned from the contract alone, without reading the defences.

let app: TestApp;
let one: TestSite;
let other: TestSite;
beforeAll(async () => {
  app = await startTestApp();
  [one, other] = [await app.makeSite(), await app.makeSite()];
});
afterAll(() => app.close());

/** A server's responses to bytes on a new connection, until it closes that or has sent so many. */
const exchange = (bytes: string, answers = 1): Promise<string> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(app.url);
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(bytes));
    let text = '';
    const end = (): void => {
      socket.destroy();
      resolve(text);
    };
    socket.on('data', (part) => {
      text += String(part);
      if (text.split('HTTP/1.1 ').length > answers) end();
    });
    socket.on('close', end);
    socket.on('error', end);
  });
const tags = async (site: TestSite): Promise<string[]> =>
  (await app.rest(site.read, 'GET', '/v1/tags')).body.data.map(({ name }: { name: string }) => name);

describe('a request within another', () => {
  const inner = () =>
    `POST /v1/tags HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${one.write}\r\nContent-Type: application/json\r\nContent-Length: 15\r\n\r\n{"name":"evil"}`;

  it.each([
    ['two lengths', 'Content-Length: 0\r\nContent-Length: 5\r\n'],
    ['a length and chunks', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n'],
    ['an odd encoding', 'Transfer-Encoding: xchunked\r\n'],
    ['a folded header', 'X-A: b\r\n Transfer-Encoding: chunked\r\n'],
    ['a space before the colon', 'Transfer-Encoding : chunked\r\n'],
    ['a lone line feed', 'X-A: b\nTransfer-Encoding: chunked\n'],
  ])('is not begun by %s', async (_what, headers) => {
    const answer = await exchange(
      `POST /v1/whoami HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n0\r\n\r\n${inner()}`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(await tags(one)).not.toContain('evil');
  });
});

describe('another site’s', () => {
  it('idempotency key returns nothing of it', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const ours = await app.rest(one.write, 'POST', '/v1/tags', { name: 'secret name' }, key);
    expect(ours.status).toBe(201);
    const theirs = await app.rest(other.write, 'POST', '/v1/tags', { name: 'secret name' }, key);
    expect(theirs.status).toBe(201);
    expect(theirs.body.data.id).not.toBe(ours.body.data.id);
    expect(await tags(other)).toEqual(['secret name']);
  });

  it('cursor returns nothing of it', async () => {
    for (const name of ['a', 'b', 'c']) await app.rest(one.write, 'POST', '/v1/tags', { name });
    const page = await app.rest(one.read, 'GET', '/v1/tags?limit=1');
    const cursor = page.body.next_cursor ?? page.body.meta?.next_cursor ?? page.body.page?.next ?? '';
    const { status, body } = await app.rest(
      other.read,
      'GET',
      `/v1/tags?${new URLSearchParams({ limit: '200', cursor: String(cursor) })}`,
    );
    expect(status).toBeLessThan(500);
    for (const { name } of body.data ?? []) expect(['a', 'b', 'c']).not.toContain(name);
  });

  it('client id of a message is another message', async () => {
    const id = randomUUID();
    const said = { session_id: null, client_id: id, text: 'Only here' };
    const first = await TestSocket.visitor(app.url, one.publicKey);
    const second = await TestSocket.visitor(app.url, other.publicKey);
    const a = (await first.socket.call('chat.send', said)) as { session: { session_id: string } };
    const b = (await second.socket.call('chat.send', said)) as { session: { session_id: string } };
    expect(b.session.session_id).not.toBe(a.session.session_id);
  });
});

describe('a body', () => {
  it('that decompresses to a huge size isn’t decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000, ' '));
    const before = process.memoryUsage().rss;
    const answer = await fetch(`${app.url}/v1/tags`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${one.write}`,
        'content-type': 'application/json',
        'content-encoding': 'gzip',
      },
      body: new Uint8Array(bomb),
    });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000);
  });

  it('with keys of the prototype changes no object', async () => {
    const body =
      '{"key":"user_p","__proto__":{"polluted":"yes"},"constructor":{"prototype":{"polluted":"yes"}}}';
    await fetch(`${app.url}/v1/visitors`, {
      method: 'POST',
      headers: { authorization: `Bearer ${one.write}`, 'content-type': 'application/json' },
      body,
    });
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });
});

describe('an address that looks like an admin’s', () => {
  it.each([
    ['full-width', (email: string) => email.replace('a', 'ａ')],
    ['a zero-width space', (email: string) => email.replace('@', '\u200b@')],
    ['a dotless i', (email: string) => email.replace('i', 'ı')],
    ['a trailing NUL', (email: string) => `${email}\0`],
  ])('with %s signs nobody in', async (_what, change) => {
    const answer = await fetch(`${app.url}/app/auth/sign-in/email`, {
      method: 'POST',
      headers: { origin: app.url, 'content-type': 'application/json' },
      body: JSON.stringify({ email: change(one.admin.email), password: PASSWORD }),
    });
    expect([400, 401, 429]).toContain(answer.status);
    expect(answer.headers.get('set-cookie') ?? '').not.toMatch(/session/);
  });
});

it('unused methods are refused everywhere', async () => {
  for (const method of ['TRACE', 'CONNECT', 'PROPFIND', 'PUT'])
    for (const path of ['/v1/tags', '/app/api/me.get', '/widget/collect', '/help/x', '/metrics']) {
      const answer = await exchange(
        `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
      );
      expect([method, path, answer.slice(9, 10)]).not.toEqual([method, path, '2']);
      expect(answer).not.toMatch(/HTTP\/1\.1 5/);
    }
});
