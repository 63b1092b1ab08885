import { createHmac } from 'node:crypto';
import { type Keyring, keyringOf, type SecretKey } from '../../core/keyring.ts';
import { isAmong } from '../../core/vault.ts';

/** The secret for better-auth that is derived from one of ours. */
export const signInSecret = (keys: Keyring, key: SecretKey): string =>
  keys.derive(key, 'sign-in').toString('base64url');

/** The number under which better-auth writes what it encrypts: `$ba$NUMBER$…`. */
const versionOf = ({ id }: SecretKey): number => Number.parseInt(id, 16);

/** The prefix of everything that better-auth encrypts with this secret, once it was rotated. */
export const envelopeOf = (key: SecretKey): string => `$ba$${versionOf(key)}$`;

/**
 * The settings of better-auth for the secrets that this process knows. Before the first rotation it gets one and writes
 * no numbers, as earlier versions do. Values without a number were encrypted by the oldest.
 */
export function secretsOf(secret: Keyring | string) {
  const keys = keyringOf(secret);
  if (!keys.isRotated) return { secret: signInSecret(keys, keys.current) };
  const secrets = keys.known.map((key) => ({ version: versionOf(key), value: signInSecret(keys, key) }));
  return { secrets, secret: secrets.at(-1)?.value ?? '' };
}

/** As better-auth signs a cookie: base64 of an HMAC, after the last dot. */
const SIGNED = /^(.+)\.([A-Za-z0-9+/]{43}=)$/;

const signatureBy = (keys: Keyring, key: SecretKey, value: string): string =>
  createHmac('sha256', signInSecret(keys, key)).update(value).digest('base64');

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return '';
  }
}

/** A cookie that one of the older secrets signed, signed with the one in use; undefined for any other. */
function resigned(keys: Keyring, cookie: string): string | undefined {
  const [, value, signature = ''] = SIGNED.exec(decoded(cookie)) ?? [];
  if (value === undefined || signature === signatureBy(keys, keys.current, value)) return undefined;
  const older = keys.known.slice(1).map((key) => signatureBy(keys, key, value));
  if (!isAmong(signature, older)) return undefined;
  return encodeURIComponent(`${value}.${signatureBy(keys, keys.current, value)}`);
}

/**
 * better-auth verifies cookies with one secret. While the secret is rotated, browsers still have cookies that the older
 * one signed: they are signed again before better-auth reads them.
 * @returns `renewed`: the new values of such cookies by their names
 */
export function withCurrentSignatures(
  headers: Headers,
  keys: Keyring,
): { headers: Headers; renewed: ReadonlyMap<string, string> } {
  const renewed = new Map<string, string>();
  const sent = headers.get('cookie');
  if (keys.known.length === 1 || !sent) return { headers, renewed };
  const cookies = sent.split(/; */).map((cookie) => {
    const [, name = '', value = ''] = /^([^=]*)=(.*)$/.exec(cookie) ?? [];
    const fresh = resigned(keys, value);
    if (fresh === undefined) return cookie;
    renewed.set(name, fresh);
    return `${name}=${fresh}`;
  });
  const current = new Headers(headers);
  current.set('cookie', cookies.join('; '));
  return { headers: current, renewed };
}

const ENVELOPE = /^\$ba\$(\d+)\$(.*)$/s;

/** The decrypted value, and its secret; undefined if none of these decrypts it. */
export async function openSignInSecret(
  keys: Keyring,
  sealed: string,
): Promise<{ key: SecretKey; text: string } | undefined> {
  const { symmetricDecrypt } = await import('better-auth/crypto');
  const [, version, data = sealed] = ENVELOPE.exec(sealed) ?? [];
  for (const key of keys.known) {
    if (version !== undefined && Number(version) !== versionOf(key)) continue;
    const text = await symmetricDecrypt({ key: signInSecret(keys, key), data }).catch(() => undefined);
    if (text !== undefined) return { key, text };
  }
  return undefined;
}

/** Encrypts as better-auth does, with the secret in use. */
export async function sealSignInSecret(keys: Keyring, text: string): Promise<string> {
  const { symmetricEncrypt } = await import('better-auth/crypto');
  const data = await symmetricEncrypt({ key: signInSecret(keys, keys.current), data: text });
  return envelopeOf(keys.current) + data;
}
