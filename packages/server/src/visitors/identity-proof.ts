import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Services } from '../context.ts';
import type { Db } from '../db/database.ts';

const ANONYMOUS = 'anon_';

/** A key that a browser made up; every other one is the site's own id of a person. */
export const isAnonymous = (key: string): boolean => key.startsWith(ANONYMOUS);

/** Whether `userHash` is the hex HMAC-SHA256 of the key (decisions 6). Without a secret nobody is verified. */
export function isVerified(secret: string | undefined, key: string, userHash: string | undefined): boolean {
  if (secret === undefined || userHash === undefined) return false;
  const expected = createHmac('sha256', secret).update(key).digest();
  const given = Buffer.from(/^[0-9a-f]{64}$/i.test(userHash) ? userHash : '', 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** The site's identity secret; undefined when none is set. */
export async function identitySecret(
  db: Db,
  siteId: number,
  vault: Services['vault'],
): Promise<string | undefined> {
  const site = await db
    .selectFrom('sites')
    .select('identity_secret_cipher')
    .where('id', '=', siteId)
    .executeTakeFirst();
  return site?.identity_secret_cipher ? vault.open(site.identity_secret_cipher) : undefined;
}
