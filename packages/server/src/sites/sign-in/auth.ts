import type { SignedInDevice } from '@foyer/protocol';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { PublicAddress } from '../../core/public-address.ts';
import type { Tables } from '../../db/tables.generated.ts';
import { personalWords } from './accounts.ts';
import { refuseEasyPassword } from './easy-passwords.ts';
import { createUseNotes, listSessions } from './sign-in-sessions.ts';

/** Where better-auth is mounted. */
export const AUTH_PATH = '/app/auth';
/** Carries the caller's address to better-auth; set by our door, so what a client sends under it never gets there. */
export const ADDRESS_HEADER = 'x-foyer-address';

export interface AuthSession {
  userId: string;
  sessionId: string;
  email: string;
  /** Signing in takes a code as well as the password. */
  twoFactor: boolean;
  /** To be sent along with the answer: the session was prolonged. */
  setCookies: string[];
}

export interface Auth {
  readonly address: PublicAddress;
  /** Whose cookie it is. It is asked of the database each time, so an ended session is over at once. */
  sessionOf(
    headers: Headers | Record<string, string | string[] | undefined>,
    options?: { prolong?: boolean },
  ): Promise<AuthSession | undefined>;
  /** One of better-auth's own routes. @throws what kept it from answering, such as a lost database. */
  handle(request: Request): Promise<Response>;
  /** Signs a person in whose password has just been set or checked. @returns the cookies to set. */
  signIn(credentials: { email: string; password: string }, headers: Headers): Promise<string[]>;
  /** @throws AppError 400 about the field at `path`: the password is easy to guess for those who know the person. */
  refuseEasyPassword(userId: string, password: string, path: string): Promise<void>;
  /** Signs a person out everywhere and closes their sockets. */
  endAllSessions(userId: string): Promise<void>;
  endOtherSessions(session: Pick<AuthSession, 'userId' | 'sessionId'>): Promise<void>;
  listSessions(session: Pick<AuthSession, 'userId' | 'sessionId'>): Promise<SignedInDevice[]>;
  /** This session is at work, from there. */
  noteUse(sessionId: string, address: string): void;
  /** Ends one of the person's own sessions. @returns false when the person has none of that id. */
  endSession(userId: string, sessionId: string): Promise<boolean>;
}

/** The part of sign-in that better-auth does. */
export interface SignIn extends Pick<Auth, 'handle' | 'signIn'> {
  sessionOf(headers: Headers, prolong: boolean): Promise<AuthSession | undefined>;
}

export interface AuthOptions {
  db: Kysely<Tables>;
  address: PublicAddress;
  /** FOYER_SECRET; sessions are signed with a key made from it. */
  secret: string;
  log: Logger;
  /** Some or all sessions of a person are over: their sockets are to be closed. */
  onSessionsEnded(userId: string): void;
}

function webHeaders(headers: Headers | Record<string, string | string[] | undefined>): Headers {
  if (headers instanceof Headers) return headers;
  const cookie = headers.cookie;
  return new Headers(typeof cookie === 'string' ? { cookie } : {});
}

/**
 * Sign-in by better-auth on our database: passwords and sessions, and no way to sign up. Loaded by the first who has a
 * cookie or wants one: it takes a tenth of the memory of a process that serves no desk.
 */
export function createAuth(options: AuthOptions): Auth {
  const { db, address, onSessionsEnded } = options;
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
    async refuseEasyPassword(userId, password, path) {
      await refuseEasyPassword(password, await personalWords(db, userId), path);
    },
    async endAllSessions(userId) {
      await db.deleteFrom('auth_sessions').where('user_id', '=', userId).execute();
      onSessionsEnded(userId);
    },
    async endOtherSessions({ userId, sessionId }) {
      await db
        .deleteFrom('auth_sessions')
        .where('user_id', '=', userId)
        .where('id', '<>', sessionId)
        .execute();
      onSessionsEnded(userId);
    },
    noteUse: createUseNotes(db, options.log),
    listSessions: (session) => listSessions(db, session),
    async endSession(userId, sessionId) {
      const over = db.deleteFrom('auth_sessions').where('user_id', '=', userId).where('id', '=', sessionId);
      const ended = await over.returning('id').executeTakeFirst();
      if (ended) onSessionsEnded(userId);
      return ended !== undefined;
    },
  };
}
