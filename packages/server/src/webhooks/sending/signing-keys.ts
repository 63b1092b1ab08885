import type { Services } from '../../core/context.ts';
import { type SigningKey, signingKeyOf } from './signature.ts';

const KEPT = 1_000;

/** @throws if the secret was encrypted with a different FOYER_SECRET */
export type OpenKey = (sealed: Buffer) => SigningKey;

/** Decrypts each secret once and caches it, because a busy receiver needs many signatures. */
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
