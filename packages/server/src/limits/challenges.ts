import { createHmac, randomInt } from 'node:crypto';
import type { Challenge, SolvedChallenge } from '@foyer/protocol';
import { MINUTE_MS } from '@foyer/protocol/values/durations';
import { AppError } from '../base/errors.ts';
import type { TokenDeriver } from '../core/context.ts';
import type { Limits } from './limits.ts';

/** A slow phone takes ten seconds. */
export const CHALLENGE_VALID_MS = 2 * MINUTE_MS;

/**
 * How many hashes a challenge takes. The server chooses the number, so no browser is unlucky and takes ten times as
 * long: a quarter of a second on a laptop, a few seconds on a slow phone.
 */
const HASHES = { min: 100_000, max: 200_000 };

const PURPOSE = 'challenge';

/** The recipient of a challenge. */
export interface Challenged {
  siteId: number;
  /** The key that limits count the caller by. */
  caller: string;
}

export interface Challenges {
  issue(to: Challenged): Promise<Challenge>;
  /** @throws AppError 429 for a challenge that isn't solved, has expired, was used or issued to somebody else */
  redeem(from: Challenged, solved: SolvedChallenge): Promise<void>;
}

const load = async () => {
  const [{ createChallenge, verifySolution }, { deriveKey }] = await Promise.all([
    import('altcha-lib'),
    import('altcha-lib/algorithms/sha'),
  ]);
  return { createChallenge, verifySolution, deriveKey };
};

const nameOf = (secret: string, { siteId, caller }: Challenged): string =>
  createHmac('sha256', secret).update(`${siteId} ${caller}`).digest('base64url');

interface ChallengesOptions {
  derive: TokenDeriver;
  limits: Limits;
  now(): Date;
}

/**
 * Proofs of work for visitors' browsers. Issuing one stores nothing: any process recognises its signature. A solved
 * one is remembered where the limits are kept, so it counts once over all processes.
 */
export function createChallenges({ derive, limits, now }: ChallengesOptions): Challenges {
  const used = limits.ofGuesses({ name: PURPOSE, max: 1, windowMs: CHALLENGE_VALID_MS });
  return {
    async issue(to) {
      const { createChallenge, deriveKey } = await load();
      const secret = derive(PURPOSE);
      const { parameters, signature = '' } = await createChallenge({
        algorithm: 'SHA-256',
        cost: 1,
        counter: randomInt(HASHES.min, HASHES.max),
        deriveKey,
        expiresAt: new Date(now().getTime() + CHALLENGE_VALID_MS),
        hmacSignatureSecret: secret,
        data: { for: nameOf(secret, to) },
      });
      return { parameters, signature } as Challenge;
    },
    async redeem(from, { challenge, solution }) {
      const { verifySolution, deriveKey } = await load();
      const { data, expiresAt, nonce } = challenge.parameters;
      // A rotation of the secret invalidates no challenge.
      const secret = derive.all(PURPOSE).find((one) => data.for === nameOf(one, from));
      const isSolved =
        secret !== undefined &&
        expiresAt * 1000 > now().getTime() &&
        (
          await verifySolution({
            challenge,
            solution: { ...solution },
            deriveKey,
            hmacSignatureSecret: secret,
          })
        ).verified;
      // Counted last, so that nobody uses up another caller's challenge.
      if (!isSolved || !(await used.take(nonce)).allowed)
        throw new AppError('rate_limited', 'The challenge isn’t solved. Try again.', {
          headers: { 'retry-after': '1' },
        });
    },
  };
}
