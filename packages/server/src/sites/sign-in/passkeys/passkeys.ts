import { randomUUID } from 'node:crypto';
import { PASSKEY_NAME_MAX, PASSKEYS_MAX, type SignInPasskey } from '@foyer/protocol';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { AppError, isUniqueViolation, notFound } from '../../../base/errors.ts';
import type { TokenDeriver } from '../../../core/context.ts';
import type { PublicAddress } from '../../../core/public-address.ts';
import type { Db } from '../../../db/database.ts';
import type { Tables } from '../../../db/tables.generated.ts';
import { claimOnce } from '../used-codes.ts';
import { type Challenges, createChallenges } from './challenges.ts';
import type { NewCredential, UsedCredential } from './responses.ts';
import { type Expected, verifyNew, verifyUse } from './verification.ts';

/** How long the browser waits for the person. */
const TIMEOUT_MS = 180_000;
/** ES256, EdDSA and RS256, by their numbers in COSE: every authenticator supports one of them. */
const ALGORITHMS = [-7, -8, -257];

interface Owner {
  userId: string;
  sessionId: string;
  email: string;
}

/** A passkey whose response has just been verified. */
export interface UsedPasskey {
  id: string;
  userId: string;
  email: string;
  counter: number;
}

export interface Passkeys {
  /** What the browser needs to create a passkey. */
  registrationOptions(owner: Owner): Promise<object>;
  /** Adds a passkey to the account. The calling session counts as opened with it. @throws AppError 400, 409 */
  register(owner: Owner, sent: NewCredential, name: string): Promise<SignInPasskey>;
  /** What the browser needs to sign somebody in. The same for everybody: it names no account. */
  signInOptions(): object;
  /** @throws AppError 401; its `cause` is the owner's account if the passkey is known */
  check(sent: UsedCredential): Promise<UsedPasskey>;
  list(owner: Owner): Promise<SignInPasskey[]>;
  /** @throws AppError 404 */
  rename(owner: Owner, id: string, name: string): Promise<SignInPasskey>;
  /** Also ends the sessions that it has opened, except this one. @throws AppError 404 */
  remove(owner: Owner, id: string): Promise<void>;
}

interface PasskeyOptions {
  db: Kysely<Tables>;
  address: PublicAddress;
  derive: TokenDeriver;
  log: Logger;
  now(): Date;
  onSessionsEnded(userId: string): void;
}

/** Refused, and the account that the passkey belongs to. */
export class PasskeyRefused extends AppError {
  readonly email: string | undefined;
  constructor(email?: string) {
    super('unauthorized', 'This passkey isn’t valid here. Sign in another way.', {
      reason: 'passkey_refused',
    });
    this.email = email;
  }
}

const hostOf = ({ url }: PublicAddress): string => new URL(url).hostname;
/** The account in a passkey, in base64url. */
const handleOf = (userId: string): string => Buffer.from(userId).toString('base64url');

function expectedOf({ address }: PasskeyOptions, isChallenge: Expected['isChallenge']): Expected {
  const origins = [address.url, address.startUrl].map((url) => new URL(url).origin);
  return { origins: [...new Set(origins)], rpId: hostOf(address), isChallenge };
}

const rowsOf = (db: Db, userId: string) =>
  db
    .selectFrom('auth_passkeys')
    .select(['id', 'name', 'credential_id', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .limit(PASSKEYS_MAX);

const present = (row: {
  id: string;
  name: string;
  created_at: Date;
  last_used_at: Date | null;
}): SignInPasskey => ({
  id: row.id,
  name: row.name,
  created_utc: row.created_at.toISOString(),
  last_used_utc: row.last_used_at?.toISOString() ?? null,
});

/** Sign-in with passkeys (WebAuthn). */
export function createPasskeys(options: PasskeyOptions): Passkeys {
  const { db, onSessionsEnded } = options;
  const challenges = createChallenges(options.derive, options.now);
  return {
    ...registration(options, challenges),
    ...signingIn(options, challenges),
    list: async ({ userId }) => (await rowsOf(db, userId).execute()).map(present),
    async rename({ userId }, id, name) {
      const row = await db
        .updateTable('auth_passkeys')
        .set({ name })
        .where('user_id', '=', userId)
        .where('id', '=', id)
        .returning(['id', 'name', 'created_at', 'last_used_at'])
        .executeTakeFirstOrThrow(() => notFound('passkey'));
      return present(row);
    },
    async remove(owner, id) {
      await db.transaction().execute((tx) => remove(tx, owner, id));
      onSessionsEnded(owner.userId);
    },
  };
}

function registration(
  options: PasskeyOptions,
  challenges: Challenges,
): Pick<Passkeys, 'registrationOptions' | 'register'> {
  const { db, address, log, now } = options;
  return {
    async registrationOptions({ userId, email }) {
      const known = await rowsOf(db, userId).execute();
      refuseMore(known.length);
      return {
        challenge: challengeFor(challenges.create(`register ${userId}`)),
        rp: { id: hostOf(address), name: 'Foyer' },
        user: { id: handleOf(userId), name: email, displayName: email },
        pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
        timeout: TIMEOUT_MS,
        attestation: 'none',
        authenticatorSelection: {
          residentKey: 'required',
          requireResidentKey: true,
          userVerification: 'required',
        },
        excludeCredentials: known.map(({ credential_id: id }) => ({ type: 'public-key', id })),
      };
    },
    async register(owner, sent, name) {
      const isChallenge = (challenge: string) => challenges.isGood(challenge, `register ${owner.userId}`);
      const verified = verifyNew(sent, expectedOf(options, isChallenge));
      if (typeof verified === 'string') {
        log.warn({ problem: verified }, 'a new passkey was refused');
        throw notCreated();
      }
      if (!(await claimOnce(db, owner.userId, verified.mark))) throw notCreated();
      return db.transaction().execute((tx) => store(tx, owner, { ...verified, sent, name, at: now() }));
    },
  };
}

function signingIn(
  options: PasskeyOptions,
  challenges: Challenges,
): Pick<Passkeys, 'signInOptions' | 'check'> {
  const { db, address, log } = options;
  return {
    signInOptions: () => ({
      challenge: challengeFor(challenges.create('sign in')),
      rpId: hostOf(address),
      timeout: TIMEOUT_MS,
      userVerification: 'required',
    }),
    async check(sent) {
      const known = await findByCredential(db, sent.id);
      const handle = sent.response.userHandle;
      // The browser returns the account that the passkey was created for.
      if (!known || (handle && handle !== handleOf(known.userId))) throw new PasskeyRefused(known?.email);
      const isChallenge = (challenge: string) => challenges.isGood(challenge, 'sign in');
      const used = verifyUse(sent, known, expectedOf(options, isChallenge));
      if (typeof used === 'string') {
        log.warn({ problem: used }, 'a passkey was refused');
        throw new PasskeyRefused(known.email);
      }
      if (!(await claimOnce(db, known.userId, used.mark))) throw new PasskeyRefused(known.email);
      return { id: known.id, userId: known.userId, email: known.email, counter: used.counter };
    },
  };
}

/** Browsers want a challenge in base64url. */
const challengeFor = (challenge: string): string => Buffer.from(challenge).toString('base64url');

const notCreated = (): AppError =>
  new AppError('invalid_input', 'The passkey wasn’t created. Start again.', {
    reason: 'passkey_not_created',
  });

function refuseMore(count: number): void {
  if (count < PASSKEYS_MAX) return;
  throw new AppError('conflict', `An account has at most ${PASSKEYS_MAX} passkeys. Remove one first.`, {
    reason: 'passkeys_full',
    values: { count: PASSKEYS_MAX },
  });
}

async function findByCredential(db: Db, credentialId: string) {
  const row = await db
    .selectFrom('auth_passkeys as p')
    .innerJoin('auth_users as u', 'u.id', 'p.user_id')
    .select(['p.id', 'p.user_id', 'p.public_key', 'p.counter', 'u.email'])
    .where('p.credential_id', '=', credentialId)
    .executeTakeFirst();
  return (
    row && {
      id: row.id,
      userId: row.user_id,
      email: row.email,
      credentialId,
      publicKey: row.public_key,
      counter: Number(row.counter),
    }
  );
}

interface NewPasskey {
  credentialId: string;
  publicKey: Buffer;
  counter: number;
  sent: NewCredential;
  name: string;
  at: Date;
}

async function store(tx: Db, { userId, sessionId }: Owner, made: NewPasskey): Promise<SignInPasskey> {
  // Two at once must not exceed the limit.
  await tx.selectFrom('auth_users').select('id').where('id', '=', userId).forUpdate().execute();
  refuseMore((await rowsOf(tx, userId).execute()).length);
  try {
    const row = await tx
      .insertInto('auth_passkeys')
      .values({
        id: randomUUID(),
        user_id: userId,
        name: made.name.slice(0, PASSKEY_NAME_MAX),
        credential_id: made.credentialId,
        public_key: made.publicKey,
        counter: made.counter,
        transports: made.sent.response.transports,
        created_at: made.at,
      })
      .returning(['id', 'name', 'created_at', 'last_used_at'])
      .executeTakeFirstOrThrow();
    await tx
      .updateTable('auth_sessions')
      .set({ passkey_id: row.id })
      .where('id', '=', sessionId)
      .where('provider_id', 'is', null)
      .execute();
    return present(row);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw notCreated();
  }
}

/** Whether the passkey still exists, after a session was opened with it: a removal at the same time wins. */
export async function notePasskeyUse(db: Db, passkey: UsedPasskey, at: Date): Promise<boolean> {
  const noted = await db
    .updateTable('auth_passkeys')
    .set(({ fn, ref, val }) => ({
      counter: fn<number>('greatest', [ref('counter'), val(passkey.counter)]),
      last_used_at: at,
    }))
    .where('id', '=', passkey.id)
    .returning('id')
    .executeTakeFirst();
  return noted !== undefined;
}

async function remove(tx: Db, { userId, sessionId }: Owner, id: string): Promise<void> {
  await tx
    .deleteFrom('auth_passkeys')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirstOrThrow(() => notFound('passkey'));
  const opened = tx.deleteFrom('auth_sessions').where('user_id', '=', userId).where('passkey_id', '=', id);
  await opened.where('id', '<>', sessionId).execute();
  // It continues as one that was opened with a password.
  await tx
    .updateTable('auth_sessions')
    .set({ passkey_id: null })
    .where('id', '=', sessionId)
    .where('passkey_id', '=', id)
    .execute();
}
