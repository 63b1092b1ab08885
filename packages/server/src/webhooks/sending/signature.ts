import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;
/** How long after a rotation the old secret also signs. */
export const SECRET_OVERLAP_MS = 24 * 3_600_000;

const BASE64 = /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** `whsec_` and base64, the form that libraries of Standard Webhooks expect. */
export const newSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/** The last 4 characters, by which admins recognise a secret that is not shown again. */
export const secretHint = (secret: string): string => secret.slice(-4);

/** The problem of a given secret, in words; null if there is none. Libraries refuse a `whsec_` that is not base64. */
export function secretProblem(secret: string): string | null {
  if (!secret.startsWith(PREFIX) || BASE64.test(secret.slice(PREFIX.length))) return null;
  return `must be base64 after ${PREFIX}`;
}

/**
 * A secret as the two signatures need it: created once for many deliveries, because that takes longer than signing.
 */
export interface SigningKey {
  /** docs/contract/interface.md, "Webhooks": the text of the secret. */
  service: KeyObject;
  /** Standard Webhooks: the bytes that the base64 part encodes; for a secret of another form, its text. */
  standard: KeyObject;
}

/**
 * Doesn't check the secret: invalid base64 is decoded as far as it can be. New secrets are checked with
 * `secretProblem`.
 */
export function signingKeyOf(secret: string): SigningKey {
  const service = createSecretKey(secret, 'utf8');
  const standard = secret.startsWith(PREFIX)
    ? createSecretKey(secret.slice(PREFIX.length), 'base64')
    : service;
  return { service, standard };
}

/** docs/contract/interface.md, "Webhooks": lowercase hex of HMAC-SHA256 over the raw body. */
const serviceSignature = ({ service }: SigningKey, body: Buffer): string =>
  `sha256=${createHmac('sha256', service).update(body).digest('hex')}`;

const standardSignature = ({ standard }: SigningKey, signed: string, body: Buffer): string =>
  `v1,${createHmac('sha256', standard).update(signed).update(body).digest('base64')}`;

interface Signing {
  deliveryId: string;
  at: Date;
  body: Buffer;
  key: SigningKey;
  /** Null once the overlap of a rotation is over. */
  previousKey: SigningKey | null;
}

/** The headers that need the secret: the log stores them for each attempt. */
export interface Signatures {
  service: string;
  /** Null unless a rotation's overlap was under way. */
  previous: string | null;
  standard: string;
}

const timestampOf = (at: Date): string => String(Math.floor(at.getTime() / 1000));

/**
 * Pure, and always the same for the same input. During a rotation `standard` has both signatures, the new one first.
 */
export function signaturesOf({ deliveryId, at, body, key, previousKey }: Signing): Signatures {
  const signed = `${deliveryId}.${timestampOf(at)}.`;
  const standard = standardSignature(key, signed, body);
  return {
    service: serviceSignature(key, body),
    previous: previousKey && serviceSignature(previousKey, body),
    standard: previousKey ? `${standard} ${standardSignature(previousKey, signed, body)}` : standard,
  };
}

/**
 * Every header of a delivery, for the request and for the delivery log. The delivery's id is the same for each of its
 * attempts, so that receivers can drop repeats.
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
