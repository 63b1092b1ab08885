import type { Services } from '../../core/context.ts';
import { type SigningKey, signingKeyOf } from './signature.ts';

const KEPT = 1_000;

/** @throws when the secret was sealed with another key than the server's. */
export type OpenKey = (sealed: Buffer) => SigningKey;

/** Opens each sealed secret once: a receiver that is sent to often is signed for often. */
export function createSigningKeys(vault: Pick<Services['vault'], 'open'>): OpenKey {
  const opened = new Map<string, SigningKey>();
  return (sealed) => {
    const name = sealed.toString('latin1');
    const known = opened.get(name);
    if (known) return known;
    const key = signingKeyOf(vault.open(sealed));
    if (opened.size >= KEPT) opened.clear();
    opened.set(name, key);
    return key;
  };
}
