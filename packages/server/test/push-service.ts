import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import tls from 'node:tls';
import { type Receiver, startReceiver } from './receiver.ts';
import { SELF_SIGNED } from './self-signed.ts';

/** A push as a browser reads it. */
export interface ReadPush {
  title: string;
  body: string;
  tag: string;
  path: string;
}

/** A browser with its push service: a real HTTPS server that verifies senders and decrypts pushes (RFC 8291, 8292). */
export interface PushBrowser {
  subscription: { endpoint: string; p256dh: string; auth: string };
  /** The received pushes, decrypted; each was signed by this key for this service. */
  pushes(publicKey: string): ReadPush[];
  receiver: Receiver;
  /** Its responses from now on. */
  answer(status: number): void;
  close(): Promise<void>;
}

const bytesOf = (text = ''): Buffer => Buffer.from(text, 'base64url');

function checkToken(authorization: string, publicKey: string, origin: string): void {
  const [, token = '', key] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? [];
  const [head, claims, signature] = token.split('.');
  const point = bytesOf(publicKey);
  const [x, y] = [point.toString('base64url', 1, 33), point.toString('base64url', 33)];
  const jwk = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  const by = { key: jwk, dsaEncoding: 'ieee-p1363' } as const;
  const { aud, exp } = JSON.parse(bytesOf(claims).toString());
  const isGood =
    key === publicKey && verify('sha256', Buffer.from(`${head}.${claims}`), by, bytesOf(signature));
  const left = exp - Date.now() / 1000;
  if (!isGood || aud !== origin || left < 0 || left > 86_400) throw new Error('the push has no valid sender');
}

export async function startPushBrowser(): Promise<PushBrowser> {
  const trusted = tls.getCACertificates('default');
  tls.setDefaultCACertificates([...trusted, SELF_SIGNED.cert]);
  let status = 201;
  const receiver = await startReceiver((response) => response.writeHead(status).end(), SELF_SIGNED);
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  const secret = randomBytes(16);
  const endpoint = receiver.url.replace('/hook', `/push/${randomBytes(8).toString('hex')}`);

  const open = (sealed: Buffer): ReadPush => {
    const [salt, sender] = [sealed.subarray(0, 16), sealed.subarray(21, 86)];
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), sender]);
    const derived = (from: Uint8Array, by: Buffer, what: Buffer | string, length: number): Buffer =>
      Buffer.from(hkdfSync('sha256', from, by, what, length));
    const input = derived(pair.computeSecret(sender), secret, info, 32);
    const key = derived(input, salt, 'Content-Encoding: aes128gcm\0', 16);
    const opener = createDecipheriv(
      'aes-128-gcm',
      key,
      derived(input, salt, 'Content-Encoding: nonce\0', 12),
    );
    opener.setAuthTag(sealed.subarray(-16));
    const text = Buffer.concat([opener.update(sealed.subarray(86, -16)), opener.final()]);
    if (text.at(-1) !== 2) throw new Error('the record is not the last one');
    return JSON.parse(text.subarray(0, -1).toString());
  };

  return {
    subscription: {
      endpoint,
      p256dh: pair.getPublicKey('base64url'),
      auth: secret.toString('base64url'),
    },
    pushes: (publicKey) =>
      receiver.requests.map(({ headers, bytes }) => {
        checkToken(headers.authorization ?? '', publicKey, new URL(endpoint).origin);
        if (headers['content-encoding'] !== 'aes128gcm' || !Number(headers.ttl)) throw new Error('no push');
        return open(bytes);
      }),
    receiver,
    answer(next) {
      status = next;
    },
    close() {
      tls.setDefaultCACertificates(trusted);
      return receiver.close();
    },
  };
}
