import { z } from 'zod';

const hex = (bytes: number) => z.string().regex(new RegExp(`^(?:[0-9a-f]{2}){1,${bytes}}$`));

/**
 * A proof of work in the format of ALTCHA, version 2, signed by the server: the browser counts up until the SHA-256 of
 * salt, nonce and counter begins with `keyPrefix`.
 */
export const challenge = z.strictObject({
  parameters: z.strictObject({
    algorithm: z.literal('SHA-256'),
    nonce: hex(16),
    salt: hex(16),
    cost: z.literal(1),
    keyLength: z.literal(32),
    keyPrefix: hex(32),
    expiresAt: z.int().min(0),
    /** Whom it was issued to, for the server alone. */
    data: z.strictObject({ for: z.string().max(64) }),
  }),
  signature: hex(32),
});
export type Challenge = z.infer<typeof challenge>;

export const solvedChallenge = z.strictObject({
  challenge,
  solution: z.strictObject({
    counter: z
      .int()
      .min(0)
      .max(2 ** 32 - 1),
    derivedKey: hex(32),
  }),
});
export type SolvedChallenge = z.infer<typeof solvedChallenge>;
