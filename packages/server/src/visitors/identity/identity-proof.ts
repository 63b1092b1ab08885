import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Services } from '../../core/context.ts';
import type { Db } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';

const ANONYMOUS = 'anon_';

/** Whether a browser made up the key. Any other key is the site's own id of a person. */
export const isAnonymous = (key: string): boolean => key.startsWith(ANONYMOUS);

/**
 * How far data about a visitor is trusted. `vouched`: from the site's server, an agent or a page with proof; may
 * change everything. `told`: from a page of a site that requires no proof; doesn't overwrite vouched data.
 * `unproven`: from a page without the proof that the site requires; changes no known data.
 */
export type Trust = 'vouched' | 'told' | 'unproven';

/** Whether `userHash` is the hex HMAC-SHA256 of the key with one of the secrets. Without secrets nobody is verified. */
export function isVerified(secrets: readonly string[], key: string, userHash: string | undefined): boolean {
  const given = Buffer.from(/^[0-9a-f]{64}$/i.test(userHash ?? '') ? (userHash ?? '') : '', 'hex');
  return secrets.some((secret) => {
    const expected = createHmac('sha256', secret).update(key).digest();
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/** How far a page is trusted to speak for the visitor with this key. */
export function trustInPage(secrets: readonly string[], key: string, userHash: string | undefined): Trust {
  if (isAnonymous(key) || secrets.length === 0) return 'told';
  return isVerified(secrets, key, userHash) ? 'vouched' : 'unproven';
}

/** The site's identity secrets: none, one, or two within a day of a rotation. */
export async function identitySecrets(
  db: Db,
  siteId: number,
  vault: Services['vault'],
  now: Date,
): Promise<string[]> {
  const site = await db
    .selectFrom('sites')
    .modifyFront(prepared)
    .select(['identity_secret_cipher', 'identity_secret_previous_cipher', 'identity_secret_previous_until'])
    .where('id', '=', siteId)
    .executeTakeFirst();
  const until = site?.identity_secret_previous_until;
  const previous = until && until > now ? site.identity_secret_previous_cipher : null;
  return [site?.identity_secret_cipher, previous].flatMap((sealed) => (sealed ? vault.open(sealed) : []));
}
