import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { Services } from './context.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Derives a separate key for each purpose from FOYER_SECRET. */
export const deriveKey = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, 'foyer', purpose, 32));

/** A fingerprint of a secret that doesn't reveal it. It is part of backups, so it must stay the same. */
export const secretCheck = (secret: string): string =>
  deriveKey(secret, 'backup check').toString('base64url');

/** Derives tokens that must come out the same when the work is repeated, without storing them. */
export function createTokenDeriver(secret: string): Services['derivedToken'] {
  const key = deriveKey(secret, 'tokens');
  return (purpose) => createHmac('sha256', key).update(purpose).digest('base64url');
}

/** AES-256-GCM with a key derived from FOYER_SECRET. Layout: nonce, ciphertext, tag. */
export function createVault(secret: string): Services['vault'] {
  const key = deriveKey(secret, 'vault');
  return {
    seal(text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    },
    open(sealed) {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES));
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
      return Buffer.concat([
        decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)),
        decipher.final(),
      ]).toString('utf8');
    },
  };
}
