import type { SignedInDevice } from '@foyer/protocol';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Keyring } from '../../core/keyring.ts';
import type { PublicAddress } from '../../core/public-address.ts';
import { createTokenDeriver } from '../../core/vault.ts';
import type { Tables } from '../../db/tables.generated.ts';
import { findPasswordHash, personalWords } from './accounts.ts';
import { type IsBreached, neverBreached } from './breached-passwords.ts';
import { refuseWeakPassword } from './easy-passwords.ts';
import {
  createPasskeys,
  notePasskeyUse,
  PasskeyRefused,
  type Passkeys,
  type UsedPasskey,
} from './passkeys/passkeys.ts';
import { isPassword } from './password-hash.ts';
import { createUseNotes, listSessions, ofProvider, type SessionProvider } from './sign-in-sessions.ts';

/** Where better-auth is mounted. */
export const AUTH_PATH = '/app/auth';
/**
 * Carries the caller's address to better-auth. Our entry point sets it, so a client's own value never gets there.
 */
export const ADDRESS_HEADER = 'x-foyer-address';

export interface AuthSession {
  userId: string;
  sessionId: string;
  email: string;
  /** Whether signing in requires a code besides the password. */
  twoFactor: boolean;
  /** Undefined: opened with a password or a passkey. */
  provider: SessionProvider | undefined;
  /** The passkey that has opened it: two factors at once. */
  passkeyId?: string;
  createdAt: Date;
  /** To within a few minutes. */
  lastUsedAt: Date;
  /** Cookies to set in the response: the session was extended. */
  setCookies: string[];
}

export interface Auth {
  readonly address: PublicAddress;
  readonly isBreached: IsBreached;
  /** The session behind a cookie. Read from the database each time, so that an ended session is over at once. */
  sessionOf(
    headers: Headers | Record<string, string | string[] | undefined>,
    options?: { prolong?: boolean },
  ): Promise<AuthSession | undefined>;
  /** Handles one of better-auth's own routes. @throws whatever kept it from answering, such as a lost database */
  handle(request: Request): Promise<Response>;
  /** Signs in a person whose password has just been set or checked. @returns the cookies to set */
  signIn(credentials: { email: string; password: string }, headers: Headers): Promise<string[]>;
  /**
   * @throws AppError 400 for the field at `path` if the password is known from a breach, or easy to guess for people who
   * know the person
   */
  refuseWeakPassword(userId: string, password: string, path: string): Promise<void>;
  /** Signs in a person whom an identity provider has identified. */
  openProviderSession(about: ProviderSession, headers: Headers): Promise<OpenedSession>;
  /** Whether it is the password of the account. Accounts of identity providers have none. */
  isPassword(userId: string, password: string): Promise<boolean>;
  readonly passkeys: Passkeys;
  /** Signs in the owner of a passkey. @returns the cookies to set. @throws AppError 401 if it was removed meanwhile */
  openPasskeySession(passkey: UsedPasskey, headers: Headers): Promise<string[]>;
  /** Signs a person out everywhere and closes their sockets. */
  endAllSessions(userId: string): Promise<void>;
  /** @param within the provider whose sessions alone are ended */
  endOtherSessions(session: SessionKeys, within?: SessionProvider): Promise<void>;
  listSessions(session: AuthSession): Promise<SignedInDevice[]>;
  /** Records that this session is in use, and from where. */
  noteUse(sessionId: string, address: string): void;
  /** Ends one of the person's own sessions. @returns false if the person has no session with that id */
  endSession(session: Pick<AuthSession, 'userId' | 'provider'>, sessionId: string): Promise<boolean>;
}

type SessionKeys = Pick<AuthSession, 'userId' | 'sessionId'>;

export interface ProviderSession extends SessionProvider {
  userId: string;
  /** Whether people with two-factor sign-in must enter a code. */
  asksCode: boolean;
}

export interface OpenedSession {
  /** Cookies to set in the response. */
  cookies: string[];
  /** The session is opened by the code. */
  needsCode: boolean;
}

/** The part of sign-in that better-auth does. */
export interface SignIn extends Pick<Auth, 'handle' | 'signIn' | 'openProviderSession'> {
  sessionOf(headers: Headers, prolong: boolean): Promise<AuthSession | undefined>;
  openPasskeySession(
    passkey: UsedPasskey,
    headers: Headers,
  ): Promise<{ cookies: string[]; sessionId: string }>;
}

export interface AuthOptions {
  db: Kysely<Tables>;
  address: PublicAddress;
  /** FOYER_SECRET. Sessions are signed with a key derived from it. */
  secret: Keyring | string;
  log: Logger;
  now?(): Date;
  /** Checks each newly chosen password; default: nothing is checked. */
  isBreached?: IsBreached;
  /** Called when some or all sessions of a person have ended: their sockets must be closed. */
  onSessionsEnded(userId: string): void;
}

function webHeaders(headers: Headers | Record<string, string | string[] | undefined>): Headers {
  if (headers instanceof Headers) return headers;
  const cookie = headers.cookie;
  return new Headers(typeof cookie === 'string' ? { cookie } : {});
}

/** Ends sessions, with the sockets that they have opened. */
const sessionEnds = ({
  db,
  onSessionsEnded,
}: AuthOptions): Pick<Auth, 'endAllSessions' | 'endOtherSessions' | 'endSession'> => ({
  async endAllSessions(userId) {
    await db.deleteFrom('auth_sessions').where('user_id', '=', userId).execute();
    onSessionsEnded(userId);
  },
  async endOtherSessions({ userId, sessionId }, within) {
    await db
      .deleteFrom('auth_sessions')
      .where('user_id', '=', userId)
      .where('id', '<>', sessionId)
      .where(ofProvider(within))
      .execute();
    onSessionsEnded(userId);
  },
  async endSession({ userId, provider }, sessionId) {
    const over = db.deleteFrom('auth_sessions').where('user_id', '=', userId).where('id', '=', sessionId);
    const ended = await over.where(ofProvider(provider)).returning('id').executeTakeFirst();
    if (ended) onSessionsEnded(userId);
    return ended !== undefined;
  },
});

/**
 * Sign-in by better-auth on our database: passwords and sessions, without sign-up. Loaded with the first cookie or
 * sign-in, because it takes a tenth of the memory of a process that serves no desk.
 */
export function createAuth(options: AuthOptions): Auth {
  const { db, address, log, onSessionsEnded, isBreached = neverBreached, now = () => new Date() } = options;
  const derive = createTokenDeriver(options.secret);
  const passkeys = createPasskeys({ db, address, log, now, derive, onSessionsEnded });
  let made: Promise<SignIn> | undefined;
  const library = (): Promise<SignIn> => {
    made ??= import('./better-auth.ts').then(({ createSignIn }) => createSignIn(options));
    return made;
  };
  return {
    address,
    async sessionOf(headers, { prolong = false } = {}) {
      const sent = webHeaders(headers);
      if (!sent.has('cookie')) return undefined;
      return (await library()).sessionOf(sent, prolong);
    },
    async handle(request) {
      return (await library()).handle(request);
    },
    async signIn(credentials, headers) {
      return (await library()).signIn(credentials, headers);
    },
    async openProviderSession(about, headers) {
      return (await library()).openProviderSession(about, headers);
    },
    passkeys,
    async openPasskeySession(passkey, headers) {
      const { cookies, sessionId } = await (await library()).openPasskeySession(passkey, headers);
      if (await notePasskeyUse(db, passkey, now())) return cookies;
      await db.deleteFrom('auth_sessions').where('id', '=', sessionId).execute();
      throw new PasskeyRefused(passkey.email);
    },
    async isPassword(userId, password) {
      const hash = await findPasswordHash(db, userId);
      return hash !== null && (await isPassword(hash, password));
    },
    isBreached,
    async refuseWeakPassword(userId, password, path) {
      await refuseWeakPassword(password, await personalWords(db, userId), isBreached, path);
    },
    ...sessionEnds(options),
    noteUse: createUseNotes(db, log, now),
    listSessions: (session) => listSessions(db, session),
  };
}
