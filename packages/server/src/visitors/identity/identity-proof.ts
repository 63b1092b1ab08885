import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Services } from '../../core/context.ts';
import type { Db } from '../../db/database.ts';

const ANONYMOUS = 'anon_';

/** A key that a browser made up; every other one is the site's own id of a person. */
export const isAnonymous = (key: string): boolean => key.startsWith(ANONYMOUS);

/**
 * How far what is told of a visitor is believed. `vouched`: by the site's server, an agent or a page with proof; it may
 * change everything. `told`: by a page of a site that asks for no proof; it leaves what was vouched for. `unproven`: by
 * a page that lacks the proof that the site asks for; it changes nothing that is known.
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

/** How far a page is believed that speaks of the visitor of a key. */
export function trustInPage(secrets: readonly string[], key: string, userHash: string | undefined): Trust {
  if (isAnonymous(key) || secrets.length === 0) return 'told';
  return isVerified(secrets, key, userHash) ? 'vouched' : 'unproven';
}

/** The site's identity secrets: none, one, or within a day of a rotation two. */
export async function identitySecrets(
  db: Db,
  siteId: number,
  vault: Services['vault'],
  now: Date,
): Promise<string[]> {
  const site = await db
    .selectFrom('sites')
    .select(['identity_secret_cipher', 'identity_secret_previous_cipher', 'identity_secret_previous_until'])
    .where('id', '=', siteId)
    .executeTakeFirst();
  const until = site?.identity_secret_previous_until;
  const previous = until && until > now ? site.identity_secret_previous_cipher : null;
  return [site?.identity_secret_cipher, previous].flatMap((sealed) => (sealed ? vault.open(sealed) : []));
}
