import { verify } from '@octokit/webhooks-methods';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { deliveryHeaders, newSecret, secretProblem, signaturesOf, signingKeyOf } from './signature.ts';

const text = '{"id":"evt_1","event":"handoff","summary":"Grüße 👋"}';
const sign = (secret: string, previousSecret: string | null = null) => {
  const about = { deliveryId: 'dlv_1', event: 'handoff', attempt: 2, at: new Date() };
  const signatures = signaturesOf({
    ...about,
    body: Buffer.from(text),
    key: signingKeyOf(secret),
    previousKey: previousSecret === null ? null : signingKeyOf(previousSecret),
  });
  return deliveryHeaders(about, signatures);
};
const header = (headers: Record<string, string>, name: string): string => headers[name] ?? '';

describe('the signature', () => {
  it('is one that @octokit/webhooks-methods verifies with the secret as shown', async () => {
    const secret = newSecret();
    const signature = header(sign(secret), 'x-service-signature');
    expect(signature).toMatch(/^sha256=[0-9a-f]{64}$/);
    expect(await verify(secret, text, signature)).toBe(true);
    expect(await verify(secret, `${text} `, signature)).toBe(false);
    expect(await verify(newSecret(), text, signature)).toBe(false);
  });

  it('is one that standardwebhooks verifies with the same secret', () => {
    const secret = newSecret();
    const headers = sign(secret);
    expect(new Webhook(secret).verify(text, headers)).toEqual(JSON.parse(text));
    expect(() => new Webhook(secret).verify(`${text} `, headers)).toThrow();
    expect(() => new Webhook(newSecret()).verify(text, headers)).toThrow();
  });

  it('is keyed with the raw bytes of a given secret that has no whsec_ prefix', async () => {
    const secret = 'a-secret-of-my-own-#1';
    const headers = sign(secret);
    expect(new Webhook(secret, { format: 'raw' }).verify(text, headers)).toEqual(JSON.parse(text));
    expect(await verify(secret, text, header(headers, 'x-service-signature'))).toBe(true);
  });

  it('is made with both secrets after a rotation, and only then', async () => {
    const [current, previous] = [newSecret(), newSecret()];
    const headers = sign(current, previous);
    expect(await verify(current, text, header(headers, 'x-service-signature'))).toBe(true);
    expect(await verify(previous, text, header(headers, 'x-service-signature-previous'))).toBe(true);
    for (const secret of [current, previous]) {
      expect(new Webhook(secret).verify(text, headers)).toEqual(JSON.parse(text));
    }
    expect(sign(current)).not.toHaveProperty('x-service-signature-previous');
  });

  it('names the event, the delivery and the attempt beside it', () => {
    expect(sign(newSecret())).toMatchObject({
      'content-type': 'application/json',
      'x-service-event': 'handoff',
      'x-service-delivery': 'dlv_1',
      'x-service-attempt': '2',
      'webhook-id': 'dlv_1',
    });
  });
});

describe('a secret', () => {
  it('is whsec_ and 32 random bytes when it is created here', () => {
    const secret = newSecret();
    expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32);
    expect(newSecret()).not.toBe(secret);
    expect(secretProblem(secret)).toBeNull();
  });

  it('that is given as whsec_ must be base64 after it', () => {
    expect(secretProblem('whsec_not-base64-at-all')).toContain('base64');
    expect(secretProblem('whsec_abcdefghi')).toContain('base64');
    expect(secretProblem('anything-else-will-do')).toBeNull();
  });
});
