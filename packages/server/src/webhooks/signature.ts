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
  at: Date;
  body: Buffer;
  secret: string;
  /** Null once the overlap of a rotation is over. */
  previousSecret: string | null;
}

/** What of the headers only the secret can make: the log keeps it of each attempt. */
export interface Signatures {
  service: string;
  /** Null unless a rotation's overlap was under way. */
  previous: string | null;
  standard: string;
}

const timestampOf = (at: Date): string => String(Math.floor(at.getTime() / 1000));

export function signaturesOf(signing: Signing): Signatures {
  const { deliveryId, body, secret, previousSecret } = signing;
  const signed = `${deliveryId}.${timestampOf(signing.at)}.`;
  const secrets = previousSecret === null ? [secret] : [secret, previousSecret];
  return {
    service: serviceSignature(secret, body),
    previous: previousSecret === null ? null : serviceSignature(previousSecret, body),
    standard: secrets.map((key) => standardSignature(key, signed, body)).join(' '),
  };
}

/**
 * Every header of a delivery (decisions 5); the delivery's id is the same for each of its attempts. What is sent and
 * what the log shows are both made here.
 */
export function deliveryHeaders(
  { deliveryId, event, attempt, at }: { deliveryId: string; event: string; attempt: number; at: Date },
  { service, previous, standard }: Signatures,
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'Foyer-Webhooks/1',
    'x-service-event': event,
    'x-service-delivery': deliveryId,
    'x-service-attempt': String(attempt),
    'x-service-signature': service,
    ...(previous !== null && { 'x-service-signature-previous': previous }),
    'webhook-id': deliveryId,
    'webhook-timestamp': timestampOf(at),
    'webhook-signature': standard,
  };
}
