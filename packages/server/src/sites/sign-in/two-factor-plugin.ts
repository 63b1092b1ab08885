import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api';
import { twoFactor } from 'better-auth/plugins';
import { type Kysely, sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import type { Tables } from '../../db/tables.generated.ts';

/** The name of better-auth's cookie between the password and the code. */
const CHALLENGE_COOKIE = 'two_factor';
const VERIFY_PATH = '/two-factor/verify-totp';
/** A code of 30 s is taken for one period more, either way; then it need not be remembered. */
const USED_CODES_KEPT_S = 300;
const CODE = /^\d{6}$/;

const BACKUP_CODES = 10;

/** better-auth's second factor with our names of its columns. Codes are bounded to five for each password given, and ten in a row for each account. */
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
 * Lets each code count once. It is taken before it is checked, so that of two who send the same at once one is
 * refused; a wrong code that is sent twice is as wrong the second time.
 */
export const claimCodes = (db: Kysely<Tables>) =>
  createAuthMiddleware(async (context) => {
    if (context.path !== VERIFY_PATH) return;
    const session = await getSessionFromCtx(context);
    const userId = session?.user.id ?? (await challengedUser(context));
    const code = String(context.body?.code);
    // What can be no code is refused by better-auth, which counts it; nothing of it is stored, however long it is.
    if (userId === undefined || !CODE.test(code) || (await claim(db, userId, code))) return;
    throw new APIError('UNAUTHORIZED', { code: 'INVALID_CODE', message: 'Invalid code' });
  });

/** Whoever has given the password and is asked for the code. */
async function challengedUser(
  context: Parameters<Parameters<typeof createAuthMiddleware>[0]>[0],
): Promise<string | undefined> {
  const { name } = context.context.createAuthCookie(CHALLENGE_COOKIE);
  const challenge = await context.getSignedCookie(name, context.context.secret);
  if (!challenge) return undefined;
  return (await context.context.internalAdapter.findVerificationValue(challenge))?.value;
}

async function claim(db: Db, userId: string, code: string): Promise<boolean> {
  const { rows } = await sql<{ code: string }>`
    with over as (
      delete from auth_used_codes
      where user_id = ${userId} and used_at < now() - make_interval(secs => ${USED_CODES_KEPT_S})
    )
    insert into auth_used_codes (user_id, code, used_at) values (${userId}, ${code}, now())
    on conflict do nothing returning code`.execute(db);
  return rows.length > 0;
}
