import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { z } from 'zod';
import type { NewCredential, UsedCredential } from './responses.ts';

// The checks of WebAuthn, sections 7.1 and 7.2 of https://www.w3.org/TR/webauthn-3/. Foyer requires no attestation, so
// a new passkey proves nothing except that it answers; who may add one is decided before.

const RP_ID_HASH_BYTES = 32;
const FLAGS_AT = RP_ID_HASH_BYTES;
const COUNTER_AT = FLAGS_AT + 1;
const HEAD_BYTES = COUNTER_AT + 4;
const AAGUID_BYTES = 16;
/** Bits of the flags. */
const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;
const RSA_BITS_MIN = 2048;

/** The required origin of a response, and the challenge that it must answer. */
export interface Expected {
  origins: string[];
  rpId: string;
  isChallenge(challenge: string): boolean;
}

export interface KnownCredential {
  publicKey: Buffer;
  counter: number;
}

interface Verified {
  counter: number;
  /** The answered challenge, as one line that can be stored. */
  mark: string;
}

const clientData = z.object({
  type: z.string(),
  challenge: z.string(),
  origin: z.string(),
  crossOrigin: z.boolean().optional(),
});

const sha256 = (bytes: string | Buffer): Buffer => createHash('sha256').update(bytes).digest();
const bytesOf = (base64url: string): Buffer => Buffer.from(base64url, 'base64url');

/** @returns the problem, or the mark of the challenge */
function checkClientData(
  json: Buffer,
  type: 'webauthn.create' | 'webauthn.get',
  expected: Expected,
): { problem: string } | { mark: string } {
  const { data } = clientData.safeParse(parsed(json));
  if (data?.type !== type) return { problem: 'the client data is not of this kind' };
  if (!expected.origins.includes(data.origin)) return { problem: `the origin is ${data.origin}` };
  if (data.crossOrigin === true) return { problem: 'it comes from a frame of another site' };
  const challenge = bytesOf(data.challenge).toString();
  if (!expected.isChallenge(challenge)) return { problem: 'the challenge is not ours, or has expired' };
  return { mark: sha256(challenge).toString('base64url') };
}

function parsed(json: Buffer): unknown {
  try {
    return JSON.parse(json.toString());
  } catch {
    return undefined;
  }
}

/** @returns the problem with the host of the passkey, or with the presence of its user */
function problemOf(data: Buffer, { rpId }: Expected): string | undefined {
  if (data.length < HEAD_BYTES) return 'the authenticator data is too short';
  if (!data.subarray(0, RP_ID_HASH_BYTES).equals(sha256(rpId))) return 'it is for another host';
  const flags = data.readUInt8(FLAGS_AT);
  if (!(flags & USER_PRESENT)) return 'nobody was present';
  // By a PIN, a face or a finger: with the possession of the device, two factors.
  if (!(flags & USER_VERIFIED)) return 'the device has not checked who uses it';
  return undefined;
}

/** The id of the credential that the data of a new passkey holds, and its key in COSE form after it. */
function newCredentialOf(data: Buffer): { id: string; rest: Buffer } | undefined {
  const lengthAt = HEAD_BYTES + AAGUID_BYTES;
  if (!(data.readUInt8(FLAGS_AT) & HAS_CREDENTIAL) || data.length < lengthAt + 2) return undefined;
  const from = lengthAt + 2;
  const to = from + data.readUInt16BE(lengthAt);
  return { id: data.subarray(from, to).toString('base64url'), rest: data.subarray(to) };
}

/** ES256, EdDSA or RS256. */
function readKey(publicKey: Buffer): KeyObject | undefined {
  try {
    const key = createPublicKey({ key: publicKey, format: 'der', type: 'spki' });
    const { namedCurve, modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
    const isKnown =
      (key.asymmetricKeyType === 'ec' && namedCurve === 'prime256v1') ||
      key.asymmetricKeyType === 'ed25519' ||
      (key.asymmetricKeyType === 'rsa' && modulusLength >= RSA_BITS_MIN);
    return isKnown ? key : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether the key is the one in the authenticator's data, by its numbers. A program between browser and device that
 * mixes them up would lock its user out.
 */
function isKeyOf(key: KeyObject, cose: Buffer): boolean {
  const { x, y, n } = key.export({ format: 'jwk' });
  const numbers = [x, y, n].filter((number) => number !== undefined);
  return numbers.length > 0 && numbers.every((number) => cose.includes(bytesOf(number)));
}

/** @returns the problem, as a text for the log */
export function verifyNew(
  { id, response }: NewCredential,
  expected: Expected,
): (Verified & { credentialId: string; publicKey: Buffer }) | string {
  const client = checkClientData(bytesOf(response.clientDataJSON), 'webauthn.create', expected);
  if ('problem' in client) return client.problem;
  const data = bytesOf(response.authenticatorData);
  const problem = problemOf(data, expected);
  if (problem) return problem;
  const credential = newCredentialOf(data);
  const publicKey = bytesOf(response.publicKey);
  const key = readKey(publicKey);
  if (credential?.id !== id) return 'the ids of the credential differ';
  if (!key) return 'the kind of key is not supported';
  if (!isKeyOf(key, credential.rest)) return 'the keys differ';
  return { credentialId: id, publicKey, counter: data.readUInt32BE(COUNTER_AT), mark: client.mark };
}

/** @returns the problem, as a text for the log */
export function verifyUse(
  { response }: UsedCredential,
  known: KnownCredential,
  expected: Expected,
): Verified | string {
  const json = bytesOf(response.clientDataJSON);
  const client = checkClientData(json, 'webauthn.get', expected);
  if ('problem' in client) return client.problem;
  const data = bytesOf(response.authenticatorData);
  const problem = problemOf(data, expected);
  if (problem) return problem;
  const key = readKey(known.publicKey);
  const digest = key?.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  const signed = Buffer.concat([data, sha256(json)]);
  if (!key || !verify(digest, signed, key, bytesOf(response.signature))) return 'the signature is wrong';
  const counter = data.readUInt32BE(COUNTER_AT);
  // A counter that isn't used stays at 0; a passkey whose counter falls behind has been copied.
  if ((counter > 0 || known.counter > 0) && counter <= known.counter) return 'the counter went back';
  return { counter, mark: client.mark };
}
