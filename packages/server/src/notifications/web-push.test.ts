import { createECDH, createPublicKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createPushIdentity, encryptPush, isPushKey } from './web-push.ts';

/** RFC 8291, 5 and appendix A. */
const EXAMPLE = {
  text: 'When I grow up, I want to be a watermelon',
  privateKey: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  salt: 'DGv6ra1nlYgDCS1FRnbzlw',
  sealed:
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
};

describe('a push', () => {
  it('is sealed as the RFC seals its own example', () => {
    const pair = createECDH('prime256v1');
    pair.setPrivateKey(EXAMPLE.privateKey, 'base64url');
    const salt = Buffer.from(EXAMPLE.salt, 'base64url');
    expect(encryptPush(EXAMPLE, EXAMPLE.text, { pair, salt }).toString('base64url')).toBe(EXAMPLE.sealed);
  });

  it('is sealed anew each time', () => {
    expect(encryptPush(EXAMPLE, 'same').equals(encryptPush(EXAMPLE, 'same'))).toBe(false);
  });

  it('can be sealed for a point of the curve, and for nothing else', () => {
    expect(isPushKey(EXAMPLE.p256dh)).toBe(true);
    expect(isPushKey(`B${'A'.repeat(86)}`)).toBe(false);
  });
});

describe('who sends it', () => {
  it('is the same for the same secret, and has a key that fits its signature', () => {
    const identity = createPushIdentity(Buffer.alloc(32, 255));
    expect(createPushIdentity(Buffer.alloc(32, 255)).publicKey).toBe(identity.publicKey);
    expect(createPushIdentity(Buffer.alloc(32, 1)).publicKey).not.toBe(identity.publicKey);
    const point = Buffer.from(identity.publicKey, 'base64url');
    const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
    const jwk = { kty: 'EC', crv: 'P-256', x, y };
    expect(createPublicKey(identity.privateKey).export({ format: 'jwk' })).toEqual(jwk);
  });
});
