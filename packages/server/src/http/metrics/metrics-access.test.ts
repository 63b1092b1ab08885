import { afterEach, expect, test } from 'vitest';
import { silentLog } from '../../../test/harness.ts';
import { fixedAddress } from '../../core/public-address.ts';
import { createServer } from '../server.ts';
import { requireHttps } from '../strict-transport.ts';
import { createMetricsAccess } from './metrics-access.ts';

const TOKEN = 'a-token-for-metrics';
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

function serverWith(options: { token?: string; trustProxy?: string; baseUrl?: string } = {}) {
  const { token, trustProxy, baseUrl = 'http://foyer.test' } = options;
  const server = createServer({ log: silentLog, trustProxy });
  closing.push(() => server.close());
  requireHttps(server, fixedAddress(baseUrl));
  const assertAllowed = createMetricsAccess(token);
  server.get('/metrics', async (request) => {
    assertAllowed(request);
    return 'figures';
  });
  return (remoteAddress: string, headers: Record<string, string> = {}) =>
    server.inject({ url: '/metrics', remoteAddress, headers });
}

test.each([
  ['127.0.0.1', 200],
  ['::1', 200],
  ['::ffff:10.1.2.3', 200],
  ['172.20.0.4', 200],
  ['192.168.1.4', 200],
  ['100.64.0.9', 200],
  ['fd00::4', 200],
  ['8.8.8.8', 403],
  ['2001:4860:4860::8888', 403],
  ['172.32.0.1', 403],
])('without a token, %s gets %i', async (address, status) => {
  expect((await serverWith()(address)).statusCode).toBe(status);
});

test('through an untrusted proxy nobody reads them, and through a trusted one its private clients', async () => {
  const forwarded = { 'x-forwarded-for': '10.0.0.9' };
  expect((await serverWith()('127.0.0.1', forwarded)).statusCode).toBe(403);
  expect((await serverWith()('127.0.0.1', { forwarded: 'for=10.0.0.9' })).statusCode).toBe(403);
  const behind = serverWith({ trustProxy: '127.0.0.1' });
  expect((await behind('127.0.0.1', forwarded)).statusCode).toBe(200);
  expect((await behind('127.0.0.1', { 'x-forwarded-for': '8.8.8.8' })).statusCode).toBe(403);
  // A proxy nobody named.
  expect((await behind('10.0.0.4', forwarded)).statusCode).toBe(403);
});

test('with a token, only the token counts', async () => {
  const ask = serverWith({ token: TOKEN });
  expect((await ask('8.8.8.8', { authorization: `Bearer ${TOKEN}` })).statusCode).toBe(200);
  const refused = await ask('127.0.0.1');
  expect(refused.statusCode).toBe(401);
  expect(refused.headers['www-authenticate']).toBe('Bearer');
  for (const authorization of [`Bearer ${TOKEN}s`, `Basic ${TOKEN}`, 'Bearer'])
    expect((await ask('127.0.0.1', { authorization })).statusCode).toBe(401);
});

test('browsers get the header that requires https if the public address has it, and only then', async () => {
  const header = async (baseUrl: string) =>
    (await serverWith({ baseUrl })('127.0.0.1')).headers['strict-transport-security'];
  expect(await header('https://foyer.test')).toBe('max-age=31536000');
  expect(await header('http://foyer.test')).toBeUndefined();
});
