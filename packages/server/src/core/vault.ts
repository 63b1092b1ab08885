import { createCipheriv, createDecipheriv, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Services, TokenDeriver } from './context.ts';
import { KEY_ID_BYTES, type Keyring, keyringOf, type SecretKey } from './keyring.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** The first byte of ciphertexts with the id of their key. */
const WITH_ID = 0xf1;
export const HEADER_BYTES = 1 + KEY_ID_BYTES;

/** The prefix of everything that this key encrypts, once the secret was rotated. */
export const headerOf = ({ id }: Pick<SecretKey, 'id'>): Buffer =>
  Buffer.concat([Buffer.of(WITH_ID), Buffer.from(id, 'hex')]);

/** The tokens of a process that knows these secrets. */
export function createTokenDeriver(secret: Keyring | string): TokenDeriver {
  const keys = keyringOf(secret);
  const tokenOf = (key: SecretKey, purpose: string): string =>
    createHmac('sha256', keys.derive(key, 'tokens')).update(purpose).digest('base64url');
  return Object.assign((purpose: string) => tokenOf(keys.current, purpose), {
    all: (purpose: string) => keys.known.map((key) => tokenOf(key, purpose)),
  });
}

/** Whether a text from outside is one of these tokens, each compared in constant time. */
export function isAmong(given: string, tokens: readonly string[]): boolean {
  const bytes = Buffer.from(given);
  return tokens.some((token) => {
    const good = Buffer.from(token);
    return bytes.length === good.length && timingSafeEqual(bytes, good);
  });
}

function encrypt(key: Buffer, text: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: Buffer, sealed: Buffer): string | undefined {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  const text = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
  try {
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

/** The decrypted value, and its secret; undefined if none of these decrypts it. */
export function openWith(keys: Keyring, sealed: Buffer): { key: SecretKey; text: string } | undefined {
  const header = sealed.subarray(0, HEADER_BYTES);
  const named = keys.known.find((key) => headerOf(key).equals(header));
  const found = named && decrypt(keys.derive(named, 'vault'), sealed.subarray(HEADER_BYTES));
  if (named && found !== undefined) return { key: named, text: found };
  // From before the first rotation: no id; the nonce may begin with any byte.
  for (const key of keys.known) {
    const text = decrypt(keys.derive(key, 'vault'), sealed);
    if (text !== undefined) return { key, text };
  }
  return undefined;
}

/**
 * AES-256-GCM with a key derived from FOYER_SECRET. Layout: nonce, ciphertext, tag; once the secret was rotated, the id
 * of the key comes first.
 */
export function createVault(secret: Keyring | string): Services['vault'] {
  const keys = keyringOf(secret);
  return {
    seal(text) {
      const { current, isRotated } = keys;
      const sealed = encrypt(keys.derive(current, 'vault'), text);
      return isRotated ? Buffer.concat([headerOf(current), sealed]) : sealed;
    },
    open(sealed) {
      const opened = openWith(keys, sealed);
      if (!opened) throw new Error('no known secret decrypts this: FOYER_SECRET has changed');
      return opened.text;
    },
  };
}
