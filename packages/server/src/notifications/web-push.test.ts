import { describe, expect, it } from 'vitest';
import { startPushBrowser } from '../../test/push-service.ts';
import { createPushIdentity, createPushSender, isPushKey } from './web-push.ts';

const MESSAGE = { text: JSON.stringify({ title: 'Grüße' }), keptS: 60, topic: 'chat-1' };
const SEED = Buffer.alloc(32, 7);

describe('a push', () => {
  it('can be encrypted for a point on the curve, and for nothing else', () => {
    expect(
      isPushKey('BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'),
    ).toBe(true);
    expect(isPushKey(`B${'A'.repeat(86)}`)).toBe(false);
  });

  it.each([
    'https://desk.example.com',
    'https://localhost:8443',
    'http://localhost:3000',
    'http://[::1]:3000',
  ])(
    'from %s is signed by the public key that browsers get, and only its browser can open it',
    async (baseUrl) => {
      const browser = await startPushBrowser();
      try {
        const { publicKey, send } = createPushSender({ seed: SEED, baseUrl, allowPrivate: true });
        expect(await send(browser.subscription, MESSAGE)).toMatchObject({ statusCode: 201, error: null });
        expect(browser.pushes(publicKey)).toEqual([{ title: 'Grüße' }]);
        expect(browser.receiver.requests[0]?.headers).toMatchObject({ urgency: 'high', topic: 'chat-1' });
      } finally {
        await browser.close();
      }
    },
  );

  it('differs each time, even for the same text', async () => {
    const browser = await startPushBrowser();
    try {
      const { send } = createPushSender({ seed: SEED, baseUrl: 'https://foyer.test', allowPrivate: true });
      await send(browser.subscription, MESSAGE);
      await send(browser.subscription, MESSAGE);
      const [first, second] = browser.receiver.requests.map(({ bytes }) => bytes.toString('hex'));
      expect(first).not.toBe(second);
    } finally {
      await browser.close();
    }
  });

  it('is sent to no private address', async () => {
    const browser = await startPushBrowser();
    try {
      const { send } = createPushSender({ seed: SEED, baseUrl: 'https://foyer.test', allowPrivate: false });
      expect(await send(browser.subscription, MESSAGE)).toMatchObject({ statusCode: null });
      expect(browser.receiver.requests).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});

describe('the key pair', () => {
  it('is the same for the same secret, and another for another', () => {
    const identity = createPushIdentity(Buffer.alloc(32, 255));
    expect(createPushIdentity(Buffer.alloc(32, 255))).toEqual(identity);
    expect(createPushIdentity(Buffer.alloc(32, 1)).publicKey).not.toBe(identity.publicKey);
  });
});
