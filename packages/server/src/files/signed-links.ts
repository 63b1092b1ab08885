import { createHmac } from 'node:crypto';
import type { Services } from '../core/context.ts';
import { type Keyring, keyringOf, type SecretKey } from '../core/keyring.ts';
import { filesAddress, type PublicAddress } from '../core/public-address.ts';
import { isAmong } from '../core/vault.ts';

export const LINK_LIFE_MS = 24 * 3_600_000;
/** An image keeps its address for this long, so that browsers can cache it. */
const IMAGE_STEP_MS = 6 * 3_600_000;

export interface SignedLinks {
  urlOf: Services['attachmentUrl'];
  /** Whether this server signed the link and it hasn't expired. */
  isGood(link: { siteId: number; id: number; expires: number; signature: string }, now: Date): boolean;
}

/** Links to attachments without sign-in: everyone who has one can download the file for 24 hours. */
export function createSignedLinks({
  address,
  secret,
}: {
  address: PublicAddress;
  secret: Keyring | string;
}): SignedLinks {
  const keys = keyringOf(secret);
  const sign = (key: SecretKey, name: string): string =>
    createHmac('sha256', keys.derive(key, 'attachment links')).update(name).digest('base64url');
  return {
    urlOf(siteId, id, now, form) {
      const endMs = now.getTime() + LINK_LIFE_MS;
      const expires = Math.floor((form ? Math.ceil(endMs / IMAGE_STEP_MS) * IMAGE_STEP_MS : endMs) / 1000);
      const signature = sign(keys.current, `${siteId}-${id}-${expires}`);
      const path = form ? `${siteId}-${id}/${form}` : `${siteId}-${id}`;
      return `${filesAddress(address)}/attachments/${path}?expires=${expires}&signature=${signature}`;
    },
    isGood({ siteId, id, expires, signature }, now) {
      const good = keys.known.map((key) => sign(key, `${siteId}-${id}-${expires}`));
      return isAmong(signature, good) && expires * 1000 > now.getTime();
    },
  };
}
