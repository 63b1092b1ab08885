import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Json, startTestApp, type TestApp, type TestSite } from './app.ts';
import { answerWith, type Receiver, startReceiver } from './receiver.ts';
import { TestSocket } from './sockets.ts';

// A machine whose clock jumps, as after its host was suspended, or without a time server.

const HOUR_MS = 3_600_000;
/** How far the clock is off, in this order. */
const JUMPS_MS = [0, HOUR_MS, 6 * HOUR_MS, -HOUR_MS, -24 * HOUR_MS, -2 * HOUR_MS, 48 * HOUR_MS, 0];

let aheadMs = 0;
let app: TestApp;
let site: TestSite;
let receiver: Receiver;
beforeAll(async () => {
  app = await startTestApp({}, { now: () => new Date(Date.now() + aheadMs) });
  site = await app.makeSite();
  receiver = await startReceiver(answerWith(200, ''));
  await app.rest(site.write, 'POST', '/v1/webhook_subscriptions', {
    url: receiver.url,
    events: ['ticket_created'],
  });
});
afterAll(async () => {
  await Promise.all([app.close(), receiver.close()]);
});

test('a clock that jumps by hours and days keeps messages in order, webhooks prompt and once, and locks nobody out', async () => {
  const { socket } = await TestSocket.visitor(app.url, site.publicKey);
  let sessionId: string | null = null;
  const numbers: number[] = [];
  for (const [place, jump] of JUMPS_MS.entries()) {
    aheadMs = jump;
    const sent: Json = await socket.call('chat.send', {
      session_id: sessionId,
      client_id: randomUUID(),
      text: `Message ${place}`,
    });
    sessionId = sent.session?.session_id ?? sessionId;
    numbers.push(sent.message.seq);
    const asked = await app.rest(site.write, 'POST', '/v1/tickets', {
      subject: `Ticket ${place}`,
      body: 'It broke.',
      requester: { name: 'Priya' },
    });
    expect([place, asked.status]).toEqual([place, 201]);
    await receiver.received(place + 1);
    expect((await app.rest(site.read, 'GET', '/v1/tickets')).status).toBe(200);
    await app.signIn(site.admin.email);
  }
  expect(numbers).toEqual([...numbers].sort((one, other) => one - other));
  expect(new Set(numbers).size).toBe(JUMPS_MS.length);
  const bodies = (await receiver.received(JUMPS_MS.length)).map(({ body }) => JSON.parse(body));
  expect(new Set(bodies.map(({ id }) => id)).size).toBe(JUMPS_MS.length);
  expect(bodies).toHaveLength(JUMPS_MS.length);
});
