import {
  createCipheriv,
  createECDH,
  createPrivateKey,
  ECDH,
  hkdfSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';
import { createSender, type Exchange } from '../webhooks/sender.ts';

const CURVE = 'prime256v1';
const SALT_BYTES = 16;
const TAG_BYTES = 16;
/** What push services take at least (RFC 8030, 7.2), and the one record that everything fits into. */
const RECORD_BYTES = 4096;
/** Behind the last byte of the last record (RFC 8188, 2). */
const LAST_RECORD = Buffer.from([2]);
/** Services refuse more than a day (RFC 8292, 2). */
const TOKEN_S = 12 * 3_600;

/** A browser's address at its push service, and its keys, in base64url. */
export interface PushSubscription {
  endpoint: string;
  p256dh: string;
  auth: string;
}

const encoded = (bytes: Buffer | string): string => Buffer.from(bytes).toString('base64url');

const derived = (secret: Buffer, salt: Buffer, info: Buffer | string, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length));

function newPair(): ECDH {
  const pair = createECDH(CURVE);
  pair.generateKeys();
  return pair;
}

/** Whether something can be sealed for a browser with this key. */
export function isPushKey(p256dh: string): boolean {
  try {
    ECDH.convertKey(p256dh, CURVE, 'base64url');
    return true;
  } catch {
    return false;
  }
}

/**
 * A message that only this browser can read (RFC 8291): its push service carries it and knows nothing of it.
 * @param chosen of a test that compares with the RFC's own example.
 * @throws when the browser's key is no point of the curve.
 */
export function encryptPush(
  { p256dh, auth }: Pick<PushSubscription, 'p256dh' | 'auth'>,
  text: string,
  chosen: { pair?: ECDH; salt?: Buffer } = {},
): Buffer {
  const { pair = newPair(), salt = randomBytes(SALT_BYTES) } = chosen;
  const theirs = Buffer.from(p256dh, 'base64url');
  const ours = pair.getPublicKey();
  const shared = pair.computeSecret(theirs);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), theirs, ours]);
  const secret = derived(shared, Buffer.from(auth, 'base64url'), info, 32);
  const key = derived(secret, salt, 'Content-Encoding: aes128gcm\0', 16);
  const nonce = derived(secret, salt, 'Content-Encoding: nonce\0', 12);
  const cipher = createCipheriv('aes-128-gcm', key, nonce, { authTagLength: TAG_BYTES });
  const head = Buffer.alloc(5);
  head.writeUInt32BE(RECORD_BYTES);
  head.writeUInt8(ours.length, 4);
  const body = [cipher.update(text, 'utf8'), cipher.update(LAST_RECORD), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat([salt, head, ours, ...body]);
}

/** Who we are to push services (RFC 8292): the same for as long as the installation has its secret. */
export interface PushIdentity {
  publicKey: string;
  privateKey: KeyObject;
}

/** @param seed 32 bytes that nobody else can guess. */
export function createPushIdentity(seed: Buffer): PushIdentity {
  const scalar = Buffer.from(seed);
  // Below the order of the curve, whatever the seed.
  scalar.writeUInt8(scalar.readUInt8(0) & 0x7f, 0);
  const pair = createECDH(CURVE);
  pair.setPrivateKey(scalar);
  const point = pair.getPublicKey();
  const [x, y] = [encoded(point.subarray(1, 33)), encoded(point.subarray(33))];
  const key = { kty: 'EC', crv: 'P-256', d: encoded(scalar), x, y };
  return { publicKey: encoded(point), privateKey: createPrivateKey({ key, format: 'jwk' }) };
}

function tokenFor(identity: PushIdentity, endpoint: string, subject: string, now: Date): string {
  const exp = Math.floor(now.getTime() / 1000) + TOKEN_S;
  const claims = { aud: new URL(endpoint).origin, exp, sub: subject };
  const text = `${encoded(JSON.stringify({ typ: 'JWT', alg: 'ES256' }))}.${encoded(JSON.stringify(claims))}`;
  const signature = sign('sha256', Buffer.from(text), {
    key: identity.privateKey,
    dsaEncoding: 'ieee-p1363',
  });
  return `${text}.${encoded(signature)}`;
}

export interface PushMessage {
  text: string;
  /** How long the service keeps it for a browser that is not there. */
  keptS: number;
  /** At most 32 characters of base64url: one that waits is replaced by the next of the same. */
  topic: string;
}

export interface PushSender {
  /** For `pushManager.subscribe`. */
  readonly publicKey: string;
  /** One request to one browser's push service. Whatever it answers is data: this never throws. */
  send(subscription: PushSubscription, message: PushMessage, now: Date): Promise<Exchange>;
}

/** Sends through the address guard of webhooks: the address of a push service is what a browser says it is. */
export function createPushSender(options: {
  seed: Buffer;
  /** Who runs this, for the push service: our own address. */
  subject: string;
  allowPrivate: boolean;
}): PushSender {
  const identity = createPushIdentity(options.seed);
  const sender = createSender({ allowPrivate: options.allowPrivate });
  return {
    publicKey: identity.publicKey,
    send: async (subscription, { text, keptS, topic }, now) =>
      sender.send({
        url: subscription.endpoint,
        headers: {
          authorization: `vapid t=${tokenFor(identity, subscription.endpoint, options.subject, now)}, k=${identity.publicKey}`,
          'content-type': 'application/octet-stream',
          'content-encoding': 'aes128gcm',
          ttl: String(keptS),
          urgency: 'high',
          topic,
        },
        body: encryptPush(subscription, text),
      }),
  };
}
