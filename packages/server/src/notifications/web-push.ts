import { createECDH, ECDH } from 'node:crypto';
import { createSender, type Exchange } from '../net/sender.ts';

const CURVE = 'prime256v1';

/** A browser's endpoint at its push service, and its keys in base64url. */
export interface PushSubscription {
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** Whether a message can be encrypted for a browser with this key: it must be a point on the curve. */
export function isPushKey(p256dh: string): boolean {
  try {
    ECDH.convertKey(p256dh, CURVE, 'base64url');
    return true;
  } catch {
    return false;
  }
}

/** The VAPID key pair (RFC 8292), in base64url. */
interface PushIdentity {
  publicKey: string;
  privateKey: string;
}

/**
 * Derives the key pair, so that every process has the same one and nothing is stored.
 * @param seed 32 secret bytes
 */
export function createPushIdentity(seed: Buffer): PushIdentity {
  const scalar = Buffer.from(seed);
  // Clearing the top bit keeps the number below the order of the curve for any seed.
  scalar.writeUInt8(scalar.readUInt8(0) & 0x7f, 0);
  const pair = createECDH(CURVE);
  pair.setPrivateKey(scalar);
  return { publicKey: pair.getPublicKey('base64url'), privateKey: scalar.toString('base64url') };
}

/** RFC 8292 allows `https:` and `mailto:` only, and a test installation has neither. */
function contactOf(baseUrl: string): string {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === 'https:' && hostname !== 'localhost' ? baseUrl : `mailto:foyer@${hostname}`;
}

interface PushMessage {
  text: string;
  /** How many seconds the push service keeps the message while the browser is offline. */
  keptS: number;
  /** At most 32 characters of base64url. A waiting message is replaced by the next one with the same topic. */
  topic: string;
}

interface PushSender {
  /** For `pushManager.subscribe`. */
  readonly publicKey: string;
  /**
   * Sends one request to the browser's push service. Any response, including a failure, is a result.
   * @throws if the subscription's keys are invalid; `isPushKey` and the schema check them before they are stored
   */
  send(subscription: PushSubscription, message: PushMessage): Promise<Exchange>;
}

/**
 * Encrypts and signs with `web-push` (RFC 8291, 8292), and sends with the webhook sender: the endpoint comes from a
 * browser, so the address guard must check it. The library's own client would bypass the guard.
 */
export function createPushSender(options: {
  seed: Buffer;
  /** FOYER_BASE_URL: push services require a contact. */
  baseUrl: string;
  allowPrivate: boolean;
}): PushSender {
  const identity = createPushIdentity(options.seed);
  const vapidDetails = { ...identity, subject: contactOf(options.baseUrl) };
  const sender = createSender({ purpose: 'push', allowPrivate: options.allowPrivate });
  return {
    publicKey: identity.publicKey,
    async send({ endpoint, ...keys }, { text, keptS, topic }) {
      const { default: webPush } = await import('web-push');
      const { headers, body } = webPush.generateRequestDetails({ endpoint, keys }, text, {
        vapidDetails,
        TTL: keptS,
        urgency: 'high',
        topic,
      });
      const sent = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
      return sender.send({ url: endpoint, headers: Object.fromEntries(sent), body: body ?? Buffer.alloc(0) });
    },
  };
}

declare module '../core/context.ts' {
  interface Services {
    /** Sends pushes to browsers that allowed them, even while the desk is closed there. */
    readonly push: PushSender;
  }
}
