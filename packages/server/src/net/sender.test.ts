import net, { type AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import {
  type Answer,
  answerWith,
  dripping,
  endless,
  halfAnAnswer,
  reset,
  startReceiver,
} from '../../test/receiver.ts';
import { SELF_SIGNED } from '../../test/self-signed.ts';
import type { Resolve } from './resolve-name.ts';
import { createSender, EXCERPT_BYTES, type SenderOptions } from './sender.ts';

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function receiver(...options: Parameters<typeof startReceiver>) {
  const started = await startReceiver(...options);
  closing.push(started.close);
  return started;
}

function sender(options: Partial<SenderOptions> = {}) {
  const made = createSender({ purpose: 'webhook', allowPrivate: true, timeoutMs: 10_000, ...options });
  closing.push(made.close);
  return made;
}

const request = (url: string) => ({
  url,
  headers: { 'x-service-attempt': '1' },
  body: Buffer.from('{"a":"ü"}'),
});

async function sendTo(answer: Answer, options: Partial<SenderOptions> = {}) {
  const { url } = await receiver(answer);
  return sender(options).send(request(url));
}

/** A server that sends raw bytes; returns its port. */
async function rawServer(onData: (socket: net.Socket) => void): Promise<number> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => onData(socket));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const answering = (text: string) => rawServer((socket) => socket.end(text));
const toPort = (port: number, options: Partial<SenderOptions> = {}) =>
  sender(options).send(request(`http://127.0.0.1:${port}/`));

describe('an exchange', () => {
  it('posts the bytes and headers as given', async () => {
    const { url, requests } = await receiver();
    await sender().send(request(url));
    expect(requests).toMatchObject([
      { method: 'POST', path: '/hook', body: '{"a":"ü"}', headers: { 'x-service-attempt': '1' } },
    ]);
  });

  it.each([
    ['204 No Content\r\n', null],
    ['200 OK\r\nContent-Length: 2\r\n', 'ok'],
  ])('reads a whole response and nothing after it: %j', async (head, excerpt) => {
    const port = await answering(`HTTP/1.1 ${head}\r\n${excerpt ?? ''}stray bytes`);
    expect(await toPort(port)).toMatchObject({ statusCode: Number(head.slice(0, 3)), error: null, excerpt });
  });

  it.each([200, 201, 202, 204, 299])('is a success with %i', async (status) => {
    expect(await sendTo(answerWith(status))).toMatchObject({
      statusCode: status,
      error: null,
      excerpt: null,
    });
  });

  it.each([300, 301, 302, 304, 307, 308])('fails with %i, which is not followed', async (status) => {
    const other = await receiver();
    const exchange = await sendTo(answerWith(status, '', { location: other.url }));
    expect(exchange).toMatchObject({ statusCode: status, error: expect.stringContaining('not followed') });
    expect(other.requests).toHaveLength(0);
  });

  it.each([400, 401, 404, 410, 418, 429, 500, 502, 503, 599])('fails with %i', async (status) => {
    const exchange = await sendTo(answerWith(status, 'no'));
    expect(exchange).toMatchObject({ statusCode: status, excerpt: 'no' });
    expect(exchange.error).toBe(`The receiver answered ${status}.`);
  });

  it('fails when the connection is reset instead of an answer', async () => {
    const exchange = await sendTo(reset);
    expect(exchange).toMatchObject({ statusCode: null, error: expect.stringContaining('closed before') });
  });

  it('fails when the response breaks off, even with the status of a success, and keeps the part that came', async () => {
    expect(await sendTo(halfAnAnswer)).toMatchObject({
      statusCode: 200,
      error: expect.stringContaining('response was complete'),
      excerpt: 'half of it',
    });
  });

  it('fails when the head of the response breaks off', async () => {
    expect(await toPort(await answering('HTTP/1.1 200 O'))).toMatchObject({
      statusCode: null,
      error: expect.any(String),
    });
  });

  it('fails when the answer is not HTTP, or its headers have no end', async () => {
    expect((await toPort(await answering('220 mail.example ESMTP\r\n\r\n'))).error).toContain('valid HTTP');
    const huge = `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(20_000)}`;
    expect((await toPort(await answering(huge))).error).toContain('too large');
  });

  it('fails when the receiver changes the protocol', async () => {
    const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n';
    expect((await toPort(await answering(upgrade))).error).toEqual(expect.any(String));
  });

  it('fails when nothing listens there', async () => {
    const gone = await startReceiver();
    await gone.close();
    expect(await sender().send(request(gone.url))).toMatchObject({
      statusCode: null,
      error: 'The connection was refused.',
    });
  });

  it('fails when there is no answer in time', async () => {
    const exchange = await sendTo(() => undefined, { timeoutMs: 100 });
    expect(exchange).toMatchObject({ statusCode: null, error: 'No complete response within 0.1 s.' });
  });

  it('fails when the response trickles longer than the timeout, even with the status of a success', async () => {
    const exchange = await sendTo(dripping, { timeoutMs: 200 });
    expect(exchange).toMatchObject({ statusCode: 200, error: expect.stringContaining('within 0.2 s') });
  });

  it('stops reading an endless answer after 4 KB and closes the connection', async () => {
    let closed: () => void = () => undefined;
    const ended = new Promise<void>((done) => {
      closed = done;
    });
    const exchange = await sendTo((response, ...about) => {
      response.once('close', closed);
      endless(response, ...about);
    });
    await ended;
    expect(exchange).toMatchObject({ statusCode: 200, error: null });
    expect(exchange.excerpt).toBe('x'.repeat(EXCERPT_BYTES));
  });

  it('keeps of hostile bytes what a database accepts, in at most 4 KB', async () => {
    expect((await sendTo(answerWith(500, 'a\0b'))).excerpt).toBe('a\u{fffd}b');
    const bytes = Buffer.alloc(5000, 0xff);
    const { excerpt } = await sendTo((response) => response.writeHead(500).end(bytes));
    expect(excerpt).toMatch(/^\u{fffd}+$/u);
    expect(Buffer.byteLength(excerpt ?? '')).toBeLessThanOrEqual(EXCERPT_BYTES);
    expect((await sendTo(answerWith(500, `x${'ü'.repeat(4000)}`))).excerpt).toBe(`x${'ü'.repeat(2047)}`);
  });

  it('can be aborted', async () => {
    const slow = await receiver(() => undefined);
    const sending = sender();
    const exchange = sending.send(request(slow.url));
    await slow.received(1);
    sending.breakOff();
    expect(await exchange).toMatchObject({ statusCode: null, error: expect.any(String) });
  });
});

describe('a connection', () => {
  it('is reused', async () => {
    const { url, connections } = await receiver(answerWith(200, 'fine'));
    const sending = sender();
    for (let sent = 0; sent < 3; sent += 1) expect((await sending.send(request(url))).error).toBeNull();
    expect(connections()).toBe(1);
  });

  it('that the receiver closed while it was idle costs no attempt', async () => {
    const { url, requests } = await receiver((response, _request, index) => {
      if (index === 1) response.socket?.resetAndDestroy();
      else response.end();
    });
    const sending = sender();
    expect((await sending.send(request(url))).error).toBeNull();
    expect((await sending.send(request(url))).error).toBeNull();
    expect(requests).toHaveLength(3);
  });

  it('is not opened to a private address, literal or by name', async () => {
    const { url, connections } = await receiver();
    const { port } = new URL(url);
    const toLoopback: Resolve = (_hostname, _options, callback) =>
      callback(null, [{ address: '127.0.0.1', family: 4 }]);
    const strict = sender({ allowPrivate: false, resolve: toLoopback });
    for (const address of [url, `http://hook.example:${port}/`, `https://hook.example:${port}/`]) {
      const exchange = await strict.send(request(address));
      expect(exchange).toMatchObject({ statusCode: null, error: expect.stringContaining('public address') });
      expect(exchange.error).not.toContain('127.0.0.1');
    }
    expect(connections()).toBe(0);
  });

  it('is not kept when the certificate is self-signed', async () => {
    const { url, requests } = await receiver(answerWith(204), SELF_SIGNED);
    const exchange = await sender().send(request(url));
    expect(exchange).toMatchObject({ statusCode: null, error: 'The TLS certificate is self-signed.' });
    expect(requests).toEqual([]);
  });

  it('to a port without TLS fails over https', async () => {
    const { url } = await receiver();
    const exchange = await sender().send(request(url.replace('http:', 'https:')));
    expect(exchange.error).toContain('TLS');
  });
});
