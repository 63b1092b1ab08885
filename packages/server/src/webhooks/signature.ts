import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;
/** How long the secret before a rotation signs as well (decisions 3). */
export const SECRET_OVERLAP_MS = 24 * 3_600_000;

const BASE64 = /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

export const newSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

export const secretHint = (secret: string): string => secret.slice(-4);

/** What is wrong with a secret that the caller brought, in words; libraries refuse a `whsec_` that is not base64. */
export function secretProblem(secret: string): string | null {
  if (!secret.startsWith(PREFIX) || BASE64.test(secret.slice(PREFIX.length))) return null;
  return `must be base64 after ${PREFIX}`;
}

/** Standard Webhooks' key: the bytes that the base64 part stands for; a secret of another form is its own bytes. */
function standardKey(secret: string): Buffer {
  return secret.startsWith(PREFIX)
    ? Buffer.from(secret.slice(PREFIX.length), 'base64')
    : Buffer.from(secret, 'utf8');
}

/** Interface, "Events": lowercase hex of HMAC-SHA256 over the raw body, keyed with the secret's text as shown. */
const serviceSignature = (secret: string, body: Buffer): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

const standardSignature = (secret: string, signed: string, body: Buffer): string =>
  `v1,${createHmac('sha256', standardKey(secret)).update(signed).update(body).digest('base64')}`;

export interface Signing {
  deliveryId: string;
  event: string;
  /** 1 for the first. */
  attempt: number;
  at: Date;
  body: Buffer;
  secret: string;
  /** Null once the overlap of a rotation is over. */
  previousSecret: string | null;
}

/** Every header of a delivery (decisions 5); the delivery's id is the same for each of its attempts. */
export function deliveryHeaders(signing: Signing): Record<string, string> {
  const { deliveryId, body, secret, previousSecret } = signing;
  const timestamp = String(Math.floor(signing.at.getTime() / 1000));
  const signed = `${deliveryId}.${timestamp}.`;
  const secrets = previousSecret === null ? [secret] : [secret, previousSecret];
  return {
    'content-type': 'application/json',
    'user-agent': 'Foyer-Webhooks/1',
    'x-service-event': signing.event,
    'x-service-delivery': deliveryId,
    'x-service-attempt': String(signing.attempt),
    'x-service-signature': serviceSignature(secret, body),
    ...(previousSecret !== null && {
      'x-service-signature-previous': serviceSignature(previousSecret, body),
    }),
    'webhook-id': deliveryId,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((key) => standardSignature(key, signed, body)).join(' '),
  };
}
