import { randomUUID } from 'node:crypto';
import { HOUR_MS } from '@foyer/protocol/values/durations';
import { z } from 'zod';
import { AppError, notFound } from '../../base/errors.ts';
import { hashSecret, newSecret } from '../../base/secret-token.ts';
import type { Db } from '../../db/database.ts';
import { password, personalWords, storePassword } from './accounts.ts';
import type { IsBreached } from './breached-passwords.ts';
import { checkedInput } from './checked-input.ts';
import { refuseWeakPassword } from './easy-passwords.ts';
import { hashPassword } from './password-hash.ts';

/** The root connection, which can begin a transaction. */
type Root = Extract<Db, { transaction(): unknown }>;

/** Links are stored among better-auth's verifications, with a prefix that none of its own has. */
const PREFIX = 'reset-link:';
const EXPIRES_MS = HOUR_MS;

const identifierOf = (token: string): string => PREFIX + hashSecret(token).toString('hex');

const lockAccount = (tx: Db, userId: string) =>
  tx.selectFrom('auth_users').select('id').where('id', '=', userId).forUpdate().executeTakeFirst();

export interface ResetLink {
  url: string;
  expiresAt: Date;
}

/**
 * Creates the one link with which a person chooses a new password, in the caller's transaction, and ends earlier
 * links. Returned only here, because only a hash of its token is stored.
 * @throws AppError 404 for an unknown account
 */
export async function createResetLink(
  tx: Db,
  { userId, baseUrl, now }: { userId: string; baseUrl: string; now: Date },
): Promise<ResetLink> {
  const token = newSecret();
  const expiresAt = new Date(now.getTime() + EXPIRES_MS);
  // Of two requests at once, the later one's link remains.
  if (!(await lockAccount(tx, userId))) throw notFound('account');
  await tx
    .deleteFrom('auth_verifications')
    .where('value', '=', userId)
    .where('identifier', 'like', `${PREFIX}%`)
    .execute();
  await tx
    .insertInto('auth_verifications')
    .values({ id: randomUUID(), identifier: identifierOf(token), value: userId, expires_at: expiresAt })
    .execute();
  return { url: `${baseUrl}/app/reset-password#${token}`, expiresAt };
}

const tokenInput = z.strictObject({ token: z.string().min(1, 'must not be empty').max(100) });
const resetInput = tokenInput.extend({ password });

/** @throws AppError 404, the same for an unknown, used, replaced or expired token */
async function getOpenReset(db: Db, token: string, now: Date): Promise<{ userId: string; email: string }> {
  const row = await db
    .selectFrom('auth_verifications as v')
    .innerJoin('auth_users as u', 'u.id', 'v.value')
    .select(['u.id as userId', 'u.email'])
    .where('v.identifier', '=', identifierOf(token))
    .where('v.expires_at', '>', now)
    .executeTakeFirst();
  if (row) return row;
  throw new AppError('not_found', 'This link has expired or was already used. Request a new one.', {
    reason: 'reset_link_spent',
  });
}

/** The owner of the link; doesn't use it up. @throws AppError 404 */
export async function checkReset(db: Db, input: unknown, now: Date): Promise<{ email: string }> {
  const { token } = checkedInput(tokenInput, input);
  const { email } = await getOpenReset(db, token, now);
  return { email };
}

/**
 * Sets the new password, once per link, and ends every session of the account. The second factor stays.
 * @returns the person whose sockets must be closed
 * @throws AppError 400 for a password that is easy to guess or known from a breach, 404 for a link that is not open
 */
export async function resetPassword(
  { db, now, isBreached }: { db: Root; now: Date; isBreached: IsBreached },
  input: unknown,
): Promise<{ userId: string }> {
  const { token, password: chosen } = checkedInput(resetInput, input);
  const { userId } = await getOpenReset(db, token, now);
  await refuseWeakPassword(chosen, await personalWords(db, userId), isBreached);
  const passwordHash = await hashPassword(chosen);
  await db.transaction().execute(async (tx) => {
    await lockAccount(tx, userId);
    // Checked again under the lock: the same link may be in use at this moment.
    await getOpenReset(tx, token, now);
    // Also deletes sign-ins that wait for their code: they began with the old password.
    await tx.deleteFrom('auth_verifications').where('value', '=', userId).execute();
    await tx.deleteFrom('auth_sessions').where('user_id', '=', userId).execute();
    await storePassword(tx, userId, passwordHash);
  });
  return { userId };
}
