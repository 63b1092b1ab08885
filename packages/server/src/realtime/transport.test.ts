import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { until } from '../../test/harness.ts';
import { socketTransport, type Transport } from './transport.ts';

const http = createServer();
const sockets = new WebSocketServer({ server: http });
let client: WebSocket;
let transport: Transport;
let received: string[];

beforeAll(async () => {
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
});
afterAll(() => {
  client.terminate();
  sockets.close();
  http.close();
});
beforeEach(async () => {
  client?.terminate();
  received = [];
  const address = http.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const opened = once(sockets, 'connection');
  client = new WebSocket(`ws://127.0.0.1:${port}`);
  client.on('message', (data) => received.push(String(data)));
  const [[socket, request]] = await Promise.all([opened, once(client, 'open')]);
  transport = socketTransport(socket, request.socket);
});

it('holds frames until the end of the turn and sends them in order', async () => {
  const frames = ['one', 'two', 'three'];
  for (const frame of frames) transport.send(frame);
  expect(transport.bufferedBytes).toBeGreaterThan(0);
  await new Promise((resolve) => setImmediate(resolve));
  expect(transport.bufferedBytes).toBe(0);
  await until(async () => received.length === 3);
  transport.send('four');
  transport.close(1000, 'done');
  const [code] = await once(client, 'close');
  expect(code).toBe(1000);
  expect(received).toEqual([...frames, 'four']);
});

it('notices that a client closes while its frames are held', async () => {
  const taken: string[] = [];
  transport.onFrame((data) => taken.push(String(data)));
  const release = transport.hold();
  client.send('small');
  client.close();
  await once(client, 'close');
  expect(transport.isOpen).toBe(false);
  expect(taken).toEqual([]);
  release();
  expect(taken).toEqual(['small']);
});

it('stops reading from a client that sends much while its frames are held', async () => {
  const frame = 'x'.repeat(100_000);
  const sent = 200;
  const taken: number[] = [];
  transport.onFrame((data) => taken.push(data.length));
  const release = transport.hold();
  for (let count = 0; count < sent; count++) client.send(frame);
  // The kernel buffers only a few of 20 MB, if nobody reads.
  const written = () => (sent * frame.length - client.bufferedAmount) / frame.length;
  let before = -1;
  await until(async () => {
    const now = written();
    const isStill = now > 0 && now === before;
    before = now;
    return isStill;
  });
  expect(written()).toBeLessThan(sent);
  release();
  await until(async () => taken.length === sent);
  expect(new Set(taken)).toEqual(new Set([frame.length]));
});

it('does not hold more than the limit of unsent data of a reader who keeps up', async () => {
  const frame = 'x'.repeat(70_000);
  transport.send(frame);
  transport.send('small');
  expect(transport.bufferedBytes).toBeLessThan(frame.length);
  await until(async () => received.length === 2);
  expect(received).toEqual([frame, 'small']);
});
