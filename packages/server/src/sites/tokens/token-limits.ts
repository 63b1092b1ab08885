import { DAY_MS } from '@foyer/protocol/values/durations';
import { isResourceScope, parseScopes, type TokenScope } from '@foyer/protocol/values/tokens/token-scopes';
import { AppError, invalidInput } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { isOlderVersionRunning } from '../../db/process-versions.ts';

/** The migration since which processes know limits of tokens. */
const LIMITED_SINCE = 138;
/** How long before a token expires admins are notified. */
const NOTICE_MS = 7 * DAY_MS;

interface Given {
  scopes?: string | undefined;
  expires_utc?: string | null | undefined;
  allowed_addresses?: string[] | undefined;
}

interface RightColumns {
  can_write: boolean;
  scopes: TokenScope[] | null;
}

function rightsOf(text: string): RightColumns {
  const scopes = parseScopes(text) ?? [];
  return scopes.some(isResourceScope)
    ? { can_write: false, scopes }
    : { can_write: scopes.includes('write'), scopes: null };
}

/** @throws AppError 400 for a time that has passed: to end a token, revoke it */
function expiryOf(text: string | null, now: Date) {
  const expires_at = text === null ? null : new Date(text);
  if (expires_at && expires_at <= now)
    throw invalidInput([{ path: 'expires_utc', message: 'must be in the future', reason: 'past' }]);
  return { expires_at, expiry_notice_at: expires_at && firstNoticeAt(expires_at, now) };
}

/** A week before it expires, or at its expiry if that is sooner: the creator of such a token knows. */
function firstNoticeAt(expiresAt: Date, now: Date): Date {
  const before = new Date(expiresAt.getTime() - NOTICE_MS);
  return before > now ? before : expiresAt;
}

/** The columns for the given limits of a token. @throws AppError 400 for an expiry in the past */
export const limitColumns = (
  { scopes, expires_utc, allowed_addresses }: Given,
  now: Date,
): Partial<RightColumns & ReturnType<typeof expiryOf> & { allowed_addresses: string[] }> => ({
  ...(scopes !== undefined && rightsOf(scopes)),
  ...(expires_utc !== undefined && expiryOf(expires_utc, now)),
  ...(allowed_addresses && { allowed_addresses: [...new Set(allowed_addresses)] }),
});

/**
 * Refuses limits while a process runs that would not apply them.
 * @throws AppError 409 during an upgrade of several processes
 */
export async function assertLimitsApply(
  tx: SiteContext,
  columns: ReturnType<typeof limitColumns>,
): Promise<void> {
  const { scopes, expires_at, allowed_addresses } = columns;
  const isLimited = Boolean(scopes || expires_at || allowed_addresses?.length);
  if (isLimited && (await isOlderVersionRunning(tx.db, LIMITED_SINCE)))
    throw new AppError(
      'conflict',
      'Foyer is being upgraded: a process that still runs would not apply these limits. Try again later.',
      { reason: 'upgrade_unfinished' },
    );
}

/** @throws AppError 409 for a revoked token, which can't be changed */
export function assertNotRevoked(
  { revoked_at }: { revoked_at: Date | null },
  what: 'change' | 'rotate',
): void {
  if (!revoked_at) return;
  throw new AppError('conflict', `You can’t ${what} a revoked token. Create a new one.`, {
    reason: 'token_revoked',
  });
}
