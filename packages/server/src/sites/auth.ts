import { AsyncLocalStorage } from 'node:async_hooks';
import { betterAuth } from 'better-auth';
import { APIError } from 'better-auth/api';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Tables } from '../db/tables.ts';
import { AppError } from '../errors.ts';
import { deriveKey } from '../vault.ts';
import { PASSWORD_MAX, PASSWORD_MIN } from './accounts.ts';

/** Where better-auth is mounted. */
export const AUTH_PATH = '/app/auth';
/** Carries the caller's address to better-auth; set by our door, so what a client sends under it never gets there. */
export const ADDRESS_HEADER = 'x-foyer-address';

const SESSION_S = 30 * 86_400;
const SESSION_UPDATE_S = 86_400;

export interface AuthSession {
  userId: string;
  sessionId: string;
  /** To be sent along with the answer: the session was prolonged. */
  setCookies: string[];
}

export interface Auth {
  readonly baseUrl: string;
  /** Whose cookie it is. It is asked of the database each time, so an ended session is over at once. */
  sessionOf(
    headers: Headers | Record<string, string | string[] | undefined>,
    options?: { prolong?: boolean },
  ): Promise<AuthSession | undefined>;
  /** One of better-auth's own routes. @throws what kept it from answering, such as a lost database. */
  handle(request: Request): Promise<Response>;
  /** Signs a person in whose password has just been set or checked. @returns the cookies to set. */
  signIn(credentials: { email: string; password: string }, headers: Headers): Promise<string[]>;
  endOtherSessions(session: AuthSession): Promise<void>;
}

export interface AuthOptions {
  db: Kysely<Tables>;
  baseUrl: string;
  /** FOYER_SECRET; sessions are signed with a key made from it. */
  secret: string;
  log: Logger;
  /** Some or all sessions of a person are over: their sockets are to be closed. */
  onSessionsEnded(userId: string): void;
}

const TIMES = { createdAt: 'created_at', updatedAt: 'updated_at' } as const;
/** better-auth's names for the columns of migration 0001. */
const TABLES = {
  user: { modelName: 'auth_users', fields: { ...TIMES, emailVerified: 'email_verified' } },
  session: {
    modelName: 'auth_sessions',
    fields: {
      ...TIMES,
      userId: 'user_id',
      expiresAt: 'expires_at',
      ipAddress: 'ip_address',
      userAgent: 'user_agent',
    },
  },
  account: {
    modelName: 'auth_accounts',
    fields: {
      ...TIMES,
      userId: 'user_id',
      accountId: 'account_id',
      providerId: 'provider_id',
      accessToken: 'access_token',
      refreshToken: 'refresh_token',
      idToken: 'id_token',
      accessTokenExpiresAt: 'access_token_expires_at',
      refreshTokenExpiresAt: 'refresh_token_expires_at',
    },
  },
  verification: { modelName: 'auth_verifications', fields: { ...TIMES, expiresAt: 'expires_at' } },
} as const;

/** better-auth logs the cause of a failure and answers without it; here it is caught, call by call. */
interface Failure {
  cause?: unknown;
}
const failures = new AsyncLocalStorage<Failure>();

async function withCause<T>(work: () => Promise<T>, failed: (result: T) => boolean): Promise<T> {
  const failure: Failure = {};
  const result = await failures.run(failure, async () => {
    try {
      return await work();
    } catch (error) {
      throw failure.cause ?? error;
    }
  });
  if (failure.cause !== undefined) throw failure.cause;
  if (failed(result)) throw new Error('better-auth failed without a cause');
  return result;
}

function loggerOf(log: Logger) {
  return {
    // Its warnings tell of wrong passwords, which are no fault of ours.
    level: 'error' as const,
    disableColors: true,
    log(level: string, message: string, ...details: unknown[]) {
      const cause = details.find((detail) => detail instanceof Error);
      const failure = failures.getStore();
      if (failure && cause) failure.cause ??= cause;
      else if (level === 'error') log.error({ err: cause }, `sign-in: ${message}`);
    },
  };
}

function createBetterAuth({ db, baseUrl, secret, log, onSessionsEnded }: AuthOptions) {
  const isHttps = baseUrl.startsWith('https:');
  const endSessions = async (userId: string): Promise<void> => {
    await db.deleteFrom('auth_sessions').where('user_id', '=', userId).execute();
    onSessionsEnded(userId);
  };
  return betterAuth({
    ...TABLES,
    appName: 'Foyer',
    baseURL: new URL(baseUrl).origin,
    basePath: AUTH_PATH,
    secret: deriveKey(secret, 'sign-in').toString('base64url'),
    database: { db, type: 'postgres', transaction: true },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_MIN,
      maxPasswordLength: PASSWORD_MAX,
    },
    session: {
      ...TABLES.session,
      expiresIn: SESSION_S,
      updateAge: SESSION_UPDATE_S,
      // What needs more than a session asks for the password.
      freshAge: 0,
      cookieCache: { enabled: false },
    },
    // Our door limits by the address and by the account.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    // Its own answer to a failure prints to the console.
    onAPIError: { throw: true },
    logger: loggerOf(log),
    advanced: {
      // `__Host-` binds the cookie to this host and to https; better-auth's own prefix is `__Secure-`.
      useSecureCookies: false,
      cookiePrefix: isHttps ? '__Host-foyer' : 'foyer',
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', path: '/', secure: isHttps },
      disableOriginCheck: false,
      disableCSRFCheck: false,
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
      database: { validateSchema: false },
    },
    databaseHooks: {
      account: {
        update: {
          // First the sessions, then the password: a crash between the two leaves no session of the old one alive.
          before: async (account, context) => {
            const userId = context?.context.session?.user.id;
            if (typeof account.password === 'string' && userId) await endSessions(userId);
          },
        },
      },
      session: {
        create: {
          after: async ({ userId }) => {
            const over = db.deleteFrom('auth_sessions').where('user_id', '=', userId);
            await over.where('expires_at', '<', new Date()).execute();
          },
        },
        delete: { after: async ({ userId }) => onSessionsEnded(userId) },
      },
    },
  });
}

function webHeaders(headers: Headers | Record<string, string | string[] | undefined>): Headers {
  if (headers instanceof Headers) return headers;
  const cookie = headers.cookie;
  return new Headers(typeof cookie === 'string' ? { cookie } : {});
}

function asAnswer(error: unknown): Response {
  if (error instanceof APIError) return Response.json(error.body ?? {}, { status: error.statusCode });
  throw error;
}

/** Sign-in by better-auth on our database: passwords and sessions, and no way to sign up. */
export function createAuth(options: AuthOptions): Auth {
  const auth = createBetterAuth(options);
  const { db, baseUrl, onSessionsEnded } = options;
  return {
    baseUrl,
    async sessionOf(headers, { prolong = false } = {}) {
      const sent = webHeaders(headers);
      if (!sent.has('cookie')) return undefined;
      const { headers: answer, response } = await withCause(
        () =>
          auth.api.getSession({ headers: sent, query: { disableRefresh: !prolong }, returnHeaders: true }),
        () => false,
      );
      if (!response) return undefined;
      const { user, session } = response;
      return { userId: user.id, sessionId: session.id, setCookies: answer.getSetCookie() };
    },
    handle: (request) =>
      withCause(
        () => auth.handler(request).catch(asAnswer),
        (response) => response.status >= 500,
      ),
    async signIn(body, headers) {
      const response = await withCause(
        () => auth.api.signInEmail({ body, headers, asResponse: true }),
        (answer) => answer.status >= 500,
      );
      if (!response.ok) throw new AppError('unauthorized', 'The sign-in failed: sign in with your password.');
      return response.headers.getSetCookie();
    },
    async endOtherSessions({ userId, sessionId }) {
      await db
        .deleteFrom('auth_sessions')
        .where('user_id', '=', userId)
        .where('id', '<>', sessionId)
        .execute();
      onSessionsEnded(userId);
    },
  };
}
