import type { Challenge, SolvedChallenge } from '@foyer/protocol';
// Not the browser's own: that only exists on pages with HTTPS, and waits for another thread at each of the hashes.
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';

export type Solution = SolvedChallenge['solution'];

/** Counters that are tried before others have their turn: a few milliseconds. */
const TRIED_TOGETHER = 2_000;

/** Looks for the solution of a challenge, in steps. @returns undefined until it is found */
export const createSearch = ({ salt, nonce, keyPrefix }: Challenge['parameters']) => {
  const before = hexToBytes(salt + nonce);
  const wanted = hexToBytes(keyPrefix);
  const input = new Uint8Array(before.length + 4);
  input.set(before);
  const counterOf = new DataView(input.buffer);
  let counter = 0;
  return (): Solution | undefined => {
    for (const end = counter + TRIED_TOGETHER; counter < end; counter++) {
      counterOf.setUint32(before.length, counter);
      const key = sha256(input);
      if (wanted.every((byte, at) => key[at] === byte)) return { counter, derivedKey: bytesToHex(key) };
    }
    return undefined;
  };
};
