import { AppError } from '../base/errors.ts';
import type { SiteContext } from '../core/context.ts';

/** Where a password is sent. */
export interface Login {
  host: string | null;
  port: number | null;
  user: string | null;
}

/** A stored sign-in, with its password encrypted. */
export interface StoredLogin extends Login {
  cipher: Buffer | null;
}

/**
 * The stored password, still encrypted, for an input that omits it; only for the same server and user, because
 * otherwise it could be sent to another one.
 * @throws AppError 409 for another server or user
 */
export function keptPassword({ host, port, user }: Login, stored: StoredLogin | undefined): Buffer | null {
  if (!stored?.cipher) return null;
  if (stored.host !== host || stored.port !== port || stored.user !== user)
    throw new AppError('conflict', 'The server or user has changed. Enter the password again.', {
      reason: 'password_again',
    });
  return stored.cipher;
}

/** The given password encrypted, or the kept one; null removes it. @throws AppError 409 */
export function passwordCipher(
  ctx: SiteContext,
  given: Login & { password?: string | null | undefined },
  stored: StoredLogin | undefined,
): Buffer | null {
  if (given.password === undefined) return keptPassword(given, stored);
  return given.password === null ? null : ctx.services.vault.seal(given.password);
}
