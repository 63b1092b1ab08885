import { AsyncLocalStorage } from 'node:async_hooks';
import { PASSWORD_MAX, PASSWORD_MIN } from '@foyer/protocol';
import { DAY_S } from '@foyer/protocol/values/durations';
import { type BetterAuthOptions, betterAuth } from 'better-auth';
import { APIError } from 'better-auth/api';
import { getAdapter } from 'better-auth/db/adapter';
import type { Logger } from 'pino';
import { AppError } from '../../base/errors.ts';
import { type Keyring, keyringOf } from '../../core/keyring.ts';
import { isOlderVersionRunning } from '../../db/process-versions.ts';
import { ADDRESS_HEADER, AUTH_PATH, type AuthOptions, type SignIn } from './auth.ts';
import { hashSecrets } from './hashed-secrets.ts';
import { hashPassword, isPassword } from './password-hash.ts';
import { providerOfChallenge, providerSessions, SESSION_FIELDS } from './provider-sessions.ts';
import { secretsOf, withCurrentSignatures } from './rotated-secrets.ts';
import { claimCodes, twoFactorPlugin } from './two-factor-plugin.ts';

const SESSION_S = 30 * DAY_S;
const SESSION_UPDATE_S = DAY_S;

const TIMES = { createdAt: 'created_at', updatedAt: 'updated_at' } as const;
/** better-auth's names for the columns of its tables. */
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

/** better-auth logs the cause of a failure but doesn't return it; here it is captured for each call. */
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
    // Its warnings are about wrong passwords, which aren't errors of ours.
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

const EMAIL_AND_PASSWORD = {
  enabled: true,
  disableSignUp: true,
  minPasswordLength: PASSWORD_MIN,
  maxPasswordLength: PASSWORD_MAX,
  password: { hash: hashPassword, verify: ({ hash, password }) => isPassword(hash, password) },
} satisfies BetterAuthOptions['emailAndPassword'];

const SESSION = {
  ...TABLES.session,
  additionalFields: SESSION_FIELDS,
  expiresIn: SESSION_S,
  updateAge: SESSION_UPDATE_S,
  // No session counts as fresh: sensitive calls require the password.
  freshAge: 0,
  cookieCache: { enabled: false },
} as const;

const advancedOf = (isHttps: boolean) =>
  ({
    // `__Host-` binds the cookie to this host and to https; better-auth's own prefix is `__Secure-`.
    useSecureCookies: false,
    cookiePrefix: isHttps ? '__Host-foyer' : 'foyer',
    defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', path: '/', secure: isHttps },
    disableOriginCheck: false,
    disableCSRFCheck: false,
    ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
    database: { validateSchema: false },
  }) satisfies BetterAuthOptions['advanced'];

/** Ends the sessions that a changed account or a new sign-in makes invalid. */
function databaseHooks({ db, onSessionsEnded, now = () => new Date() }: AuthOptions) {
  const endSessions = async (userId: string): Promise<void> => {
    await db.deleteFrom('auth_sessions').where('user_id', '=', userId).execute();
    onSessionsEnded(userId);
  };
  return {
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
        before: async (session, context) => {
          const provider = await providerOfChallenge(context);
          const at = now();
          return { data: { ...session, ...provider, createdAt: at, lastUsedAt: at } };
        },
        after: async ({ userId }) => {
          const over = db.deleteFrom('auth_sessions').where('user_id', '=', userId);
          await over.where('expires_at', '<', new Date()).execute();
        },
      },
      delete: { after: async ({ userId }) => onSessionsEnded(userId) },
    },
  } satisfies BetterAuthOptions['databaseHooks'];
}

/** The migration since which a session may be one of a provider, and acts at its site only. */
const PROVIDERS_SINCE = 143;
/** The migration since which the secrets of sign-ins are stored as hashes. */
const HASHED_SINCE = 136;

function settingsOf(options: AuthOptions, keys: Keyring) {
  const { db, address, log } = options;
  const baseUrl = address.startUrl;
  return {
    ...TABLES,
    appName: 'Foyer',
    baseURL: new URL(baseUrl).origin,
    basePath: AUTH_PATH,
    ...secretsOf(keys),
    database: { db, type: 'postgres' as const, transaction: true },
    plugins: [twoFactorPlugin(new URL(baseUrl).host), providerSessions()],
    hooks: { before: claimCodes(db) },
    emailAndPassword: EMAIL_AND_PASSWORD,
    session: SESSION,
    // Our entry point limits attempts by address and account.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    // By default it prints failures to the console.
    onAPIError: { throw: true },
    logger: loggerOf(log),
    advanced: advancedOf(baseUrl.startsWith('https:')),
    databaseHooks: databaseHooks(options),
  } satisfies BetterAuthOptions;
}

async function createBetterAuth(options: AuthOptions, keys: Keyring) {
  const settings = settingsOf(options, keys);
  const adapter = await getAdapter(settings);
  const suitsOlder = (): Promise<boolean> => isOlderVersionRunning(options.db, HASHED_SINCE);
  return betterAuth({ ...settings, database: () => hashSecrets(adapter, suitsOlder) });
}

/** The cookie of the session, signed with the secret in use, for a browser whose cookie was signed with an older one. */
function renewedCookies(
  auth: Awaited<ReturnType<typeof createBetterAuth>>,
  expiresAt: Date,
  renewed: ReadonlyMap<string, string>,
): string[] {
  const { cookiePrefix, defaultCookieAttributes } = auth.options.advanced;
  const name = `${cookiePrefix}.session_token`;
  const value = renewed.get(name);
  if (value === undefined) return [];
  const secure = defaultCookieAttributes.secure ? '; Secure' : '';
  const maxAge = Math.max(0, Math.floor((expiresAt.getTime() - Date.now()) / 1_000));
  return [`${name}=${value}; Max-Age=${maxAge}; Path=/; HttpOnly; SameSite=Lax${secure}`];
}

function asAnswer(error: unknown): Response {
  if (error instanceof APIError) return Response.json(error.body ?? {}, { status: error.statusCode });
  throw error;
}

/** better-auth with the secret that the installation uses. A rotation creates a new one. */
function libraryOf(options: AuthOptions, keys: Keyring) {
  let made: { by: string; auth: ReturnType<typeof createBetterAuth> } | undefined;
  return () => {
    const by = `${keys.current.id} ${keys.isRotated}`;
    if (made?.by !== by) made = { by, auth: createBetterAuth(options, keys) };
    return made.auth;
  };
}

/** Sessions of people whom a provider or a passkey has identified. */
const openers = (
  { db }: AuthOptions,
  library: ReturnType<typeof libraryOf>,
): Pick<SignIn, 'openProviderSession' | 'openPasskeySession'> => ({
  async openProviderSession(body, headers) {
    const auth = await library();
    if (await isOlderVersionRunning(db, PROVIDERS_SINCE))
      throw new Error('a process of an older version is running, which would open all sites of the account');
    const { headers: answer, response } = await withCause(
      () => auth.api.openProviderSession({ body, headers, returnHeaders: true }),
      () => false,
    );
    return { cookies: answer.getSetCookie(), needsCode: response.needsCode };
  },
  async openPasskeySession(passkey, headers) {
    const auth = await library();
    const body = { userId: passkey.userId, passkeyId: passkey.id };
    const { headers: answer, response } = await withCause(
      () => auth.api.openPasskeySession({ body, headers, returnHeaders: true }),
      () => false,
    );
    return { cookies: answer.getSetCookie(), sessionId: response.sessionId };
  },
});

/** Wraps better-auth so that a failure, such as a lost database, throws its cause. Refusals are responses. */
export async function createSignIn(options: AuthOptions): Promise<SignIn> {
  const keys = keyringOf(options.secret);
  const library = libraryOf(options, keys);
  await library();
  return {
    async sessionOf(sent, prolong) {
      const auth = await library();
      const { headers, renewed } = withCurrentSignatures(sent, keys);
      const { headers: answer, response } = await withCause(
        () => auth.api.getSession({ headers, query: { disableRefresh: !prolong }, returnHeaders: true }),
        () => false,
      );
      if (!response) return undefined;
      const { user, session } = response;
      const { siteId, providerId, passkeyId, createdAt, lastUsedAt } = session;
      return {
        userId: user.id,
        sessionId: session.id,
        email: user.email,
        twoFactor: user.twoFactorEnabled === true,
        provider: siteId && providerId ? { siteId, providerId } : undefined,
        ...(passkeyId && { passkeyId }),
        createdAt,
        lastUsedAt: lastUsedAt ?? createdAt,
        setCookies: [
          ...(prolong ? renewedCookies(auth, session.expiresAt, renewed) : []),
          ...answer.getSetCookie(),
        ],
      };
    },
    async handle(request) {
      const auth = await library();
      const { headers, renewed } = withCurrentSignatures(request.headers, keys);
      const current = renewed.size > 0 ? new Request(request, { headers }) : request;
      return withCause(
        () => auth.handler(current).catch(asAnswer),
        (response) => response.status >= 500,
      );
    },
    ...openers(options, library),
    async signIn(body, headers) {
      const auth = await library();
      const response = await withCause(
        () => auth.api.signInEmail({ body, headers, asResponse: true }),
        (answer) => answer.status >= 500,
      );
      if (!response.ok)
        throw new AppError('unauthorized', 'The automatic sign-in failed. Sign in with your password.');
      return response.headers.getSetCookie();
    },
  };
}
