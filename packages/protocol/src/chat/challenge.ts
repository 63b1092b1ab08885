import { z } from 'zod';

/** At most 32 bytes. */
const hex = z.string().regex(/^(?:[0-9a-f]{2}){1,32}$/);

/**
 * A proof of work in the format of ALTCHA, version 2, signed by the server: the browser counts up until the SHA-256 of
 * salt, nonce and counter begins with `keyPrefix`.
 */
export const challenge = z.strictObject({
  parameters: z.strictObject({
    algorithm: z.literal('SHA-256'),
    nonce: hex,
    salt: hex,
    cost: z.literal(1),
    keyLength: z.literal(32),
    keyPrefix: hex,
    expiresAt: z.int().min(0),
    /** Whom it was issued to, for the server alone. */
    data: z.strictObject({ for: z.string().max(64) }),
  }),
  signature: hex,
});
export type Challenge = z.infer<typeof challenge>;

export const solvedChallenge = z.strictObject({
  challenge,
  solution: z.strictObject({
    counter: z
      .int()
      .min(0)
      .max(2 ** 32 - 1),
    derivedKey: hex,
  }),
});
export type SolvedChallenge = z.infer<typeof solvedChallenge>;
