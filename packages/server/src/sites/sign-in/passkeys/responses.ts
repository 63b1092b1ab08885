import { z } from 'zod';

/** A passkey's response holds keys and signatures of at most a few kilobytes. */
const PART_MAX = 12_000;
const CREDENTIAL_ID_MAX = 1_400;

const part = z
  .string()
  .max(PART_MAX)
  .regex(/^[\w-]*$/);
const credentialId = z
  .string()
  .min(1)
  .max(CREDENTIAL_ID_MAX)
  .regex(/^[\w-]+$/);
const credential = { id: credentialId, rawId: credentialId, type: z.literal('public-key') };

/** What the browser returns for a new passkey. Other fields, such as those of extensions, are dropped. */
export const newCredential = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: part,
    authenticatorData: part,
    /** SubjectPublicKeyInfo. */
    publicKey: part,
    transports: z.array(z.string().max(40)).max(10).default([]),
  }),
});
export type NewCredential = z.infer<typeof newCredential>;

/** What the browser returns when somebody signs in. */
export const usedCredential = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: part,
    authenticatorData: part,
    signature: part,
    userHandle: part.nullish(),
  }),
});
export type UsedCredential = z.infer<typeof usedCredential>;
