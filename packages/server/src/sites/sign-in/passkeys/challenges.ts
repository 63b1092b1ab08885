import { randomBytes } from 'node:crypto';
import type { TokenDeriver } from '../../../core/context.ts';
import { isAmong } from '../../../core/vault.ts';

/**
 * Shorter than used ones are remembered (`claimOnce`), so that clocks may differ by a minute. Sign-in pages that stay
 * open request another before it expires.
 */
const CHALLENGE_MS = 240_000;
const RANDOM_BYTES = 16;

/**
 * Challenges that a process can check without having stored them: every visit of the sign-in page gets one, and
 * visitors must not be able to fill a table. A used one is stored when it has signed somebody in.
 */
export interface Challenges {
  /** @param purpose its use; one for signing in can't register a passkey */
  create(purpose: string): string;
  isGood(challenge: string, purpose: string): boolean;
}

/** The challenges of an installation: the random part, when it expires, and both authenticated. */
export function createChallenges(derive: TokenDeriver, now: () => Date): Challenges {
  const about = (purpose: string, random: string, until: string): string =>
    `passkey challenge ${purpose} ${until} ${random}`;
  return {
    create(purpose) {
      const random = randomBytes(RANDOM_BYTES).toString('base64url');
      const until = String(now().getTime() + CHALLENGE_MS);
      return `${random}.${until}.${derive(about(purpose, random, until))}`;
    },
    isGood(challenge, purpose) {
      const [random = '', until = '', given = ''] = challenge.split('.');
      return isAmong(given, derive.all(about(purpose, random, until))) && Number(until) > now().getTime();
    },
  };
}
