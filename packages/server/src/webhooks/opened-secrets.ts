import type { Services } from '../context.ts';

const KEPT = 1_000;

/** Opens each sealed secret once: a receiver that is sent to often is signed for often. */
export function createOpenedSecrets(vault: Pick<Services['vault'], 'open'>): Pick<Services['vault'], 'open'> {
  const opened = new Map<string, string>();
  return {
    open(sealed) {
      const key = sealed.toString('latin1');
      const known = opened.get(key);
      if (known !== undefined) return known;
      const secret = vault.open(sealed);
      if (opened.size >= KEPT) opened.clear();
      opened.set(key, secret);
      return secret;
    },
  };
}
