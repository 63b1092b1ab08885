import { expect, it } from 'vitest';
import { startTestApp } from './app.ts';
import { startReceiver } from './receiver.ts';

it('deliveries, their retries and their log count nothing against the REST limit, nor in whoami', async () => {
  const [app, receiver] = await Promise.all([
    startTestApp({ FOYER_WEBHOOK_DELAYS: '1ms,1ms,1ms,1ms,1ms' }),
    startReceiver((response) => response.writeHead(500).end()),
  ]);
  try {
    const site = await app.makeSite('free');
    const body = { url: receiver.url, events: ['visitor_identified'] };
    await app.rest(site.write, 'POST', '/v1/webhook_subscriptions', body);
    const made = 20;
    for (let at = 0; at < made; at += 1)
      await app.rest(site.write, 'POST', '/v1/visitors', { key: `user_${at}` });
    await receiver.received(made * 6);
    const { status, headers, body: answer } = await app.rest(site.write, 'GET', '/v1/whoami');
    expect(status).toBe(200);
    const asked = made + 2;
    expect(answer.data.request_count).toBe(asked);
    expect(Number(headers.get('ratelimit-remaining'))).toBe(60 - asked);
  } finally {
    await receiver.close();
    await app.close();
  }
});
