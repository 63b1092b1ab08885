import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api';
import { twoFactor } from 'better-auth/plugins';
import type { Kysely } from 'kysely';
import type { Tables } from '../../db/tables.generated.ts';
import { claimOnce } from './used-codes.ts';

/** The name of better-auth's cookie between password and code. */
export const CHALLENGE_COOKIE = 'two_factor';
const VERIFY_PATH = '/two-factor/verify-totp';
const CODE = /^\d{6}$/;

const BACKUP_CODES = 10;

/**
 * better-auth's second factor with our column names. Limits: five codes per password entry, ten failures in a row
 * per account.
 */
export const twoFactorPlugin = (host: string) =>
  twoFactor({
    issuer: `Foyer (${host})`,
    backupCodeOptions: { amount: BACKUP_CODES, storeBackupCodes: 'encrypted' },
    schema: {
      user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
      twoFactor: {
        modelName: 'auth_two_factors',
        fields: {
          userId: 'user_id',
          backupCodes: 'backup_codes',
          failedVerificationCount: 'failed_verification_count',
          lockedUntil: 'locked_until',
        },
      },
    },
  });

/**
 * Makes each code valid once. It is claimed before it is checked, so of two callers with the same code one is
 * refused. A wrong code is wrong the second time too.
 */
export const claimCodes = (db: Kysely<Tables>) =>
  createAuthMiddleware(async (context) => {
    if (context.path !== VERIFY_PATH) return;
    const session = await getSessionFromCtx(context);
    const userId = session?.user.id ?? (await challengedUser(context));
    const code = String(context.body?.code);
    // better-auth refuses and counts anything that can't be a code. Nothing of it is stored, however long it is.
    if (userId === undefined || !CODE.test(code) || (await claimOnce(db, userId, code))) return;
    throw new APIError('UNAUTHORIZED', { code: 'INVALID_CODE', message: 'Invalid code' });
  });

/** The person who has entered the password and must now enter the code. */
async function challengedUser(
  context: Parameters<Parameters<typeof createAuthMiddleware>[0]>[0],
): Promise<string | undefined> {
  const { name } = context.context.createAuthCookie(CHALLENGE_COOKIE);
  const challenge = await context.getSignedCookie(name, context.context.secret);
  if (!challenge) return undefined;
  return (await context.context.internalAdapter.findVerificationValue(challenge))?.value;
}
