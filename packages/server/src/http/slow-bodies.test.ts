import { once } from 'node:events';
import { connect } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createServer } from './server.ts';

const server = createServer({
  log: pino({ level: 'silent' }),
  trustProxy: undefined,
  slowBodies: { windowMs: 500, windowMinBytes: 256 },
});
let held: (() => void) | undefined;
server.post('/echo', async (request) => ({ size: JSON.stringify(request.body).length }));
server.post('/held', async () => {
  await new Promise<void>((resolve) => {
    held = resolve;
  });
  return { held: true };
});
let port = 0;
beforeAll(async () => {
  port = Number(new URL(await server.listen({ port: 0, host: '127.0.0.1' })).port);
});
afterAll(() => server.close());

const open = (path: string, length: number) => {
  const line = connect(port, '127.0.0.1');
  line.on('error', () => undefined);
  let heard = '';
  line.on('data', (data) => {
    heard += String(data);
  });
  line.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`,
  );
  const ended = once(line, 'close').then(() => heard);
  return { line, ended };
};

test('a body that comes byte by byte is refused, and its connection closed', async () => {
  const { line, ended } = open('/echo', 100_000);
  const drip = setInterval(() => line.writable && line.write(' '), 20);
  expect(await ended).toMatch(/^HTTP\/1\.1 408 /);
  clearInterval(drip);
});

test('a long body that keeps coming over many windows is accepted', async () => {
  const chunk = ' '.repeat(2_048);
  const chunks = 60;
  const { line, ended } = open('/echo', chunk.length * chunks + 2);
  for (let sent = 0; sent < chunks; sent++) {
    line.write(chunk);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  line.write('{}');
  expect(await ended).toMatch(/^HTTP\/1\.1 200 /);
});

test('an answer may take longer than any body', async () => {
  const { line, ended } = open('/held', 2);
  line.write('{}');
  // Another request is closed for its slowness meanwhile, so a window has passed.
  expect(await open('/echo', 10).ended).toMatch(/^HTTP\/1\.1 408 /);
  expect(await open('/echo', 10).ended).toMatch(/^HTTP\/1\.1 408 /);
  held?.();
  expect(await ended).toMatch(/\{"held":true\}$/);
});
