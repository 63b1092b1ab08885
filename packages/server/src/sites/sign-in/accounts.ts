import { randomUUID } from 'node:crypto';
import { email, NAME_MAX, PASSWORD_MAX, PASSWORD_MIN, text } from '@foyer/protocol';
import { z } from 'zod';
import { AppError, isUniqueViolation } from '../../base/errors.ts';
import type { Db } from '../../db/database.ts';
import { type IsBreached, neverBreached } from './breached-passwords.ts';
import { refuseWeakPassword } from './easy-passwords.ts';
import { hashPassword, isPassword } from './password-hash.ts';

/** A password as it was typed: never trimmed. */
export const password = z
  .string()
  .min(PASSWORD_MIN, `must have at least ${PASSWORD_MIN} characters`)
  .max(PASSWORD_MAX, `must have at most ${PASSWORD_MAX} characters`)
  .refine(
    (value) => value.isWellFormed() && !value.includes('\0'),
    'must not hold NUL or unpaired surrogates',
  );

/** An address that can sign in: lower-case, in the narrower form that sign-in accepts. */
export const accountEmail = email.toLowerCase().pipe(z.email('must be an email address'));

export const personName = text(1, NAME_MAX);

/**
 * A person's account, prepared before the transaction that stores it: the slow hash is ready, but nothing is
 * stored.
 */
export type PreparedAccount =
  | { kind: 'known'; userId: string }
  /** Without a password, only an identity provider signs the person in. */
  | { kind: 'new'; email: string; name: string; passwordHash: string | null };

interface Person {
  email: string;
  name: string;
  /** Omitted only by the operator, who may use an account without knowing its password. */
  password?: string | undefined;
  /** The name of the site they join, which is no good password there. */
  siteName?: string;
}

/** `address` must be in lower case. `passwordHash` is null for an account without a password. */
export async function findAccount(
  db: Db,
  address: string,
): Promise<{ userId: string; passwordHash: string | null } | undefined> {
  const row = await db
    .selectFrom('auth_users')
    .leftJoin('auth_accounts', (join) =>
      join
        .onRef('auth_accounts.user_id', '=', 'auth_users.id')
        .on('auth_accounts.provider_id', '=', 'credential'),
    )
    .select(['auth_users.id', 'auth_accounts.password'])
    .where('auth_users.email', '=', address)
    .executeTakeFirst();
  return row && { userId: row.id, passwordHash: row.password };
}

/** Null for an account without a password. */
export async function findPasswordHash(db: Db, userId: string): Promise<string | null> {
  const row = await db
    .selectFrom('auth_accounts')
    .select('password')
    .where('user_id', '=', userId)
    .where('provider_id', '=', 'credential')
    .executeTakeFirst();
  return row?.password ?? null;
}

/**
 * Finds the account of an address, or prepares a new one. A given password must be the account's.
 * @throws AppError 400 for a new account's password that is easy to guess or known from a breach, 401 when the account has another password.
 */
export async function prepareAccount(
  db: Db,
  person: Person,
  isBreached: IsBreached = neverBreached,
): Promise<PreparedAccount> {
  const known = await findAccount(db, person.email);
  if (!known) {
    if (person.password === undefined) {
      throw new AppError('invalid_input', 'password: is required for a new account', {
        issues: [{ path: 'password', message: 'is required for a new account', reason: 'missing' }],
      });
    }
    await refuseWeakPassword(person.password, [person.email, person.name, person.siteName ?? ''], isBreached);
    const passwordHash = await hashPassword(person.password);
    return { kind: 'new', email: person.email, name: person.name, passwordHash };
  }
  const { passwordHash } = known;
  const isOwner =
    person.password === undefined ||
    (passwordHash !== null && (await isPassword(passwordHash, person.password)));
  if (!isOwner) {
    throw new AppError('unauthorized', 'An account with this email already exists. Enter its password.', {
      reason: 'account_known',
    });
  }
  return { kind: 'known', userId: known.userId };
}

/**
 * Stores a prepared account in the caller's transaction, as better-auth would.
 * @throws AppError 409 when somebody else created the account since it was prepared.
 */
export async function storeAccount(db: Db, account: PreparedAccount): Promise<string> {
  if (account.kind === 'known') return account.userId;
  const userId = randomUUID();
  try {
    await db
      .insertInto('auth_users')
      .values({ id: userId, name: account.name, email: account.email })
      .execute();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError('conflict', 'An account with this email was created just now. Try again.');
  }
  if (account.passwordHash !== null) await storePassword(db, userId, account.passwordHash);
  return userId;
}

/** Words that must not be the person's password: addresses and names, their own and those of their sites. */
export async function personalWords(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('auth_users as u')
    .leftJoin('agents as a', 'a.user_id', 'u.id')
    .leftJoin('sites as s', 's.id', 'a.site_id')
    .select(['u.email', 'u.name', 'a.name as agent', 's.name as site'])
    .where('u.id', '=', userId)
    .execute();
  return rows.flatMap((row) => [row.email, row.name, row.agent, row.site]).filter((word) => word !== null);
}

/** Replaces the account's password, in the caller's transaction. */
export async function storePassword(tx: Db, userId: string, passwordHash: string): Promise<void> {
  await tx
    .insertInto('auth_accounts')
    .values({
      id: randomUUID(),
      account_id: userId,
      provider_id: 'credential',
      user_id: userId,
      password: passwordHash,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['provider_id', 'account_id'])
        .doUpdateSet({ password: passwordHash, updated_at: new Date() }),
    )
    .execute();
}
