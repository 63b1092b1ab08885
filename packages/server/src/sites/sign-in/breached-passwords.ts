import { hash } from 'node:crypto';
import type { Logger } from 'pino';

/** Whether a newly chosen password is known from a breach. */
export type IsBreached = (password: string) => Promise<boolean>;

/** Without FOYER_BREACHED_PASSWORDS_URL nothing is checked. */
export const neverBreached: IsBreached = async () => false;

/** How many hexadecimal digits of the hash the service learns: hundreds of passwords share them. */
const PREFIX_CHARS = 5;
const ANSWER_MAX_MS = 3_000;

/**
 * Asks a service with the range API of Have I Been Pwned (https://haveibeenpwned.com/API/v3#PwnedPasswords): it gets
 * the first five digits of the SHA-1, returns the other digits of all breached passwords that begin so, and the rest is
 * compared here. If the service doesn't answer, the password counts as good.
 * @param url what the digits are appended to; undefined: nothing is checked
 * @param guardedFetch refuses private addresses
 */
export function createBreachCheck(
  url: string | undefined,
  guardedFetch: typeof fetch,
  log: Logger,
): IsBreached {
  if (url === undefined) return neverBreached;
  const base = url.endsWith('/') ? url : `${url}/`;
  return async (password) => {
    const digits = hash('sha1', password).toUpperCase();
    const rest = digits.slice(PREFIX_CHARS);
    try {
      const response = await guardedFetch(base + digits.slice(0, PREFIX_CHARS), {
        // Requests responses of equal size, so that their length doesn't reveal the digits.
        headers: { 'add-padding': 'true', 'user-agent': 'Foyer' },
        signal: AbortSignal.timeout(ANSWER_MAX_MS),
      });
      if (!response.ok) throw new Error(`the service answered ${response.status}`);
      const lines = (await response.text()).split(/\r?\n/);
      // Padding has a count of 0.
      return lines.some((line) => line.startsWith(`${rest}:`) && Number(line.slice(rest.length + 1)) > 0);
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'unknown';
      log.warn({ reason }, 'a new password could not be looked up in the service of breached passwords');
      return false;
    }
  };
}

declare module '../../core/context.ts' {
  interface Services {
    readonly isBreached: IsBreached;
  }
}
