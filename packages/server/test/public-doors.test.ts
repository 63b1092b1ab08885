import type { HelloFrame } from '@foyer/protocol';
import type { SocketLike } from '@foyer/protocol/browser/line';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { createConnection } from '../../widget/src/core/connection.ts';
import { startTestApp, type TestApp, type TestSite } from './app.ts';
import { until } from './harness.ts';
import { TestSocket } from './sockets.ts';
import { openChat, say } from './stand.ts';

// Limits of one address at the public endpoints.

let app: TestApp;
let site: TestSite;
let time = Date.now();
/** Low, so that a test reaches the limit. */
const GREETINGS = 8;
const CHATS = 4;
beforeAll(async () => {
  app = await startTestApp(
    { FOYER_TRUST_PROXY: '127.0.0.1' },
    { now: () => new Date(time), admittedPerMinute: { greeting: GREETINGS, chat: CHATS, visitor: 50 } },
  );
});
afterAll(() => app.close());
beforeEach(async () => {
  time += 120_000;
  site = await app.makeSite();
});

const lineUrl = () => `${app.url}/widget/socket?site=${site.publicKey}`;
const greet = async (hello: Omit<HelloFrame, 'type'>, address = '203.0.113.7') => {
  const socket = await TestSocket.open(lineUrl(), { 'x-forwarded-for': address });
  socket.send({ type: 'hello', ...hello });
  return socket;
};
/** `welcome`, or the code of the refusal. */
const answerTo = async (socket: TestSocket) => {
  const welcome = socket.next('welcome').then(() => 'welcome' as const);
  const refused = socket.whenClosed().then(({ code }) => code);
  const answer = await Promise.race([welcome.catch(() => refused), refused]);
  return answer;
};
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(app.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
/** Sends hellos from new browsers until the address reaches its limit. */
async function useUpGreetings(address: string): Promise<void> {
  for (let at = 0; ; at++) {
    const socket = await greet({ key: `anon_${at}` }, address);
    const answer = await answerTo(socket);
    socket.cut();
    if (answer === 'welcome') continue;
    expect(answer).toBe(1013);
    expect(at).toBe(GREETINGS);
    return;
  }
}

describe('new browsers of one address', () => {
  test('are refused if there are too many, and the widget reconnects automatically later', async () => {
    const address = '203.0.113.7';
    const known = await openChat({ url: app.url, publicKey: site.publicKey });
    await useUpGreetings(address);
    expect(await answerTo(await greet({ key: 'anon_late' }, address))).toBe(1013);
    // Visitors elsewhere, and browsers that have a record, are not affected.
    expect(await answerTo(await greet({ key: 'anon_else' }, '198.51.100.9'))).toBe('welcome');
    const { token, visitor } = known.welcome;
    expect(await answerTo(await greet({ token, key: visitor.key }, address))).toBe('welcome');

    const codes: number[] = [];
    const welcomed = new Promise<void>((resolve) => {
      const connection = createConnection({
        open: () => {
          const socket = new WebSocket(lineUrl().replace('http', 'ws'), {
            headers: { 'x-forwarded-for': address },
          });
          socket.on('close', (code) => {
            codes.push(code);
            // Moves the server's clock by a minute.
            if (codes.length === 2) time += 61_000;
          });
          return socket as unknown as SocketLike;
        },
        openPoll: () => Promise.reject(new Error('a refused greeting is no network without sockets')),
        hello: () => ({ type: 'hello', key: 'anon_patient' }),
        onFrame: (frame) => {
          if (frame.type !== 'welcome') return;
          resolve();
          connection.stop();
        },
        onLine: () => undefined,
        isOffline: () => false,
        onRefused: () => expect.fail('a token is not dropped because there are many others'),
      });
      connection.start();
    });
    await welcomed;
    expect(codes.slice(0, 2)).toEqual([1013, 1013]);
  });
});

describe('a page elsewhere', () => {
  const evil = { origin: 'https://evil.example' };
  const allow = async () => {
    const cookie = await app.signIn(site.admin.email);
    const { status } = await app.desk(cookie, 'site.update', { allowed_origins: ['https://shop.example'] });
    expect(status).toBe(200);
  };

  test('opens no connection of a site that lists its origins, by socket or by requests', async () => {
    await allow();
    await expect(TestSocket.open(lineUrl(), evil)).rejects.toThrow('handshake: 403');
    await expect(TestSocket.open(lineUrl(), { origin: 'null' })).rejects.toThrow('handshake: 403');
    const hello = { poll: null, frames: ['{"type":"hello"}'], wait: true };
    expect((await post(`/widget/poll?site=${site.publicKey}`, hello, evil)).status).toBe(403);
    expect((await post(`/widget/collect?site=${site.publicKey}`, { key: 'anon_1' }, evil)).status).toBe(403);
  });

  test('opens no connection of the desk with the cookie of a signed-in agent', async () => {
    const cookie = await app.signIn(site.admin.email);
    const { host, port } = new URL(app.url);
    const others = [
      'https://evil.example',
      'null',
      `https://${host}`,
      `${app.url}.evil.example`,
      `http://evil.example:${port}`,
      `${app.url}@evil.example`,
      'http://localhost',
    ];
    const address = `${app.url}/app/socket`;
    for (const headers of [{}, ...others.map((origin) => ({ origin }))]) {
      const socket = await TestSocket.open(address, { cookie, ...headers });
      expect([headers, (await socket.whenClosed()).code, socket.frames]).toEqual([headers, 4001, []]);
    }
    const socket = await TestSocket.open(address, { cookie, origin: app.url });
    await socket.next('ready');
    // The cookie has no effect on the visitors' connection.
    const visitor = await TestSocket.open(lineUrl(), { cookie, origin: app.url });
    visitor.send({ type: 'hello' });
    await visitor.next('welcome');
    await expect(visitor.call('me.get', {})).rejects.toMatchObject({ code: 'not_found' });
  });

  test('is neither a page of the site nor the widget’s own frame, which are both welcomed', async () => {
    await allow();
    for (const origin of ['https://shop.example', app.url]) {
      const socket = await TestSocket.open(lineUrl(), { origin });
      socket.send({ type: 'hello' });
      await socket.next('welcome');
    }
  });
});

test('more chats than one address may begin in a minute are refused, and existing ones continue', async () => {
  const address = '203.0.113.20';
  const socket = await greet({ key: 'anon_many' }, address);
  await socket.next('welcome');
  const sent = await Promise.allSettled(
    Array.from({ length: CHATS + 2 }, (_, at) => say(socket, null, `Chat ${at}`)),
  );
  const refused = sent.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
  expect(refused).toEqual(['rate_limited', 'rate_limited']);
  const begun = sent.flatMap((one) => (one.status === 'fulfilled' ? [one.value.session?.session_id] : []));
  await say(socket, begun[0] ?? null, 'This one goes on');
  const elsewhere = await greet({ key: 'anon_else' }, '198.51.100.21');
  await elsewhere.next('welcome');
  await say(elsewhere, null, 'Hello');
  time += 61_000;
  await say(socket, null, 'A minute later');
});

test('a wrong password is in the audit log of the account’s site, and of no other', async () => {
  const other = await app.makeSite();
  const { email } = site.admin;
  const attempt = (address: string) =>
    post(
      '/app/auth/sign-in/email',
      { email, password: 'wrong password' },
      {
        origin: app.url,
        'x-forwarded-for': address,
      },
    );
  for (let at = 1; at <= 5; at++) expect((await attempt(`192.0.2.${at}`)).status).toBe(401);
  const failuresOf = async (one: TestSite) => {
    const { body } = await app.desk(await app.signIn(one.admin.email), 'audit.list', { subject: 'sign_in' });
    return body.data.filter(({ action }: { action: string }) => action === 'sign_in.failed');
  };
  await until(async () => (await failuresOf(site)).length > 0);
  expect(await failuresOf(site)).toMatchObject([
    { subject_id: site.admin.agentId, address: '192.0.2.1', changes: { attempts: [null, 1] } },
  ]);
  expect(await failuresOf(other)).toEqual([]);
});
