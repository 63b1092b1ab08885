import { createHash, randomBytes } from 'node:crypto';
import type { Services } from '../../core/context.ts';
import { isAmong } from '../../core/vault.ts';

const RANDOM_BYTES = 16;
const MAC_BYTES = 16;
const PREFIX = 'vis_';

/** The token of a browser that has connected, and the key it was issued for. */
interface GuestToken {
  token: string;
  key: string;
}

type Deriver = Services['derivedToken'];

/** A browser without a key gets an anonymous one derived from its token, so that all of its tabs share it. */
const anonymousKey = (random: Buffer): string =>
  `anon_${createHash('sha256').update('anonymous visitor').update(random).digest('hex').slice(0, 32)}`;

const purposeOf = (siteId: number, random: Buffer, key: string): string =>
  `guest ${siteId} ${random.toString('base64url')} ${key}`;

const macOf = (token: string): Buffer => Buffer.from(token, 'base64url').subarray(0, MAC_BYTES);

/**
 * Creates a token that needs no record: it carries its key and this server's signature. It is stored with the first
 * thing the visitor says.
 */
export function issueGuestToken(derive: Deriver, siteId: number, given: string | undefined): GuestToken {
  const random = randomBytes(RANDOM_BYTES);
  const key = given ?? anonymousKey(random);
  const mac = macOf(derive(purposeOf(siteId, random, key)));
  const parts = [random, mac, Buffer.from(given ?? '')];
  return { token: PREFIX + Buffer.concat(parts).toString('base64url'), key };
}

/** @returns undefined for a token that this server didn't issue to a guest of this site */
export function readGuestToken(derive: Deriver, siteId: number, token: string): GuestToken | undefined {
  if (!token.startsWith(PREFIX)) return undefined;
  const bytes = Buffer.from(token.slice(PREFIX.length), 'base64url');
  if (bytes.length < RANDOM_BYTES + MAC_BYTES) return undefined;
  const random = bytes.subarray(0, RANDOM_BYTES);
  const mac = bytes.subarray(RANDOM_BYTES, RANDOM_BYTES + MAC_BYTES);
  const key = bytes.subarray(RANDOM_BYTES + MAC_BYTES).toString() || anonymousKey(random);
  const good = derive.all(purposeOf(siteId, random, key)).map((one) => macOf(one).toString('hex'));
  return isAmong(mac.toString('hex'), good) ? { token, key } : undefined;
}
