import { hash, randomBytes } from 'node:crypto';

/** 256 random bits as 43 characters of base64url. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

/**
 * What is stored in a secret's place. One round of SHA-256 is enough where the secret is 256 random bits, and a
 * look-up by the hash compares nothing that a caller could probe byte by byte.
 */
export const hashSecret = (raw: string): Buffer => hash('sha256', raw, 'buffer');
