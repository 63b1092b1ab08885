import { hash, randomBytes } from 'node:crypto';

/** 256 random bits as 43 characters of base64url. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

/**
 * What is stored instead of a secret. One round of SHA-256 is enough for 256 random bits, and a look-up by the hash
 * leaves nothing that a caller could probe byte by byte.
 */
export const hashSecret = (raw: string): Buffer => hash('sha256', raw, 'buffer');
