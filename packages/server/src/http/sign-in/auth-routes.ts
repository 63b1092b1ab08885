import { EMAIL_MAX, PASSWORD_MAX, SIGN_IN_CODE_MAX } from '@foyer/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError, invalidInput, notFound } from '../../base/errors.ts';
import type { Services } from '../../core/context.ts';
import { password } from '../../sites/sign-in/accounts.ts';
import { ADDRESS_HEADER, AUTH_PATH, type Auth, type AuthSession } from '../../sites/sign-in/auth.ts';
import { checkedInput } from '../../sites/sign-in/checked-input.ts';
import type { SignInFailure } from '../../sites/sign-in/failed-sign-ins.ts';
import { type AttemptLimiter, addressKey, createAttemptLimiter } from '../rest/rate-limit.ts';
import { createKnownBrowsers } from './known-browsers.ts';
import { checkOrigin } from './origin-check.ts';

const BODY_MAX_BYTES = 16 * 1024;
const MINUTE_MS = 60_000;
const ATTEMPTS_PER_ADDRESS = 10;
/** Guessing from many addresses is bounded by the account; high, so that it is hard to lock somebody out. */
const ATTEMPTS_PER_ACCOUNT = 100;
const ACCOUNT_WINDOW_MS = 60 * MINUTE_MS;

const signInBody = z.strictObject({
  email: z.string().trim().toLowerCase().max(EMAIL_MAX),
  password: z.string().max(PASSWORD_MAX),
});
const passwordBody = z.strictObject({ password: z.string().max(PASSWORD_MAX) });
/** As it is read off a screen or typed from paper. */
const codeBody = z.strictObject({
  code: z
    .string()
    .max(SIGN_IN_CODE_MAX)
    .transform((code) => code.replace(/\s/g, '')),
});
const sessionBody = z.strictObject({ id: z.string().min(1).max(100) });
const changePasswordBody = z.object({
  currentPassword: z.string().max(PASSWORD_MAX),
  newPassword: password,
});

/** @throws AppError 429 */
export function takeAttempt(limiter: AttemptLimiter, key: string): void {
  const { allowed, retryAfterS } = limiter.take(key);
  if (allowed) return;
  throw new AppError('rate_limited', `Too many attempts. Try again in ${retryAfterS} s.`, {
    reason: 'attempts',
    values: { count: retryAfterS },
    headers: { 'retry-after': String(retryAfterS) },
  });
}

/** What better-auth may see of a request: the cookie and the browser's name, and the address as we know it. */
export function authHeaders(request: FastifyRequest, auth: Auth): Headers {
  const headers = new Headers({
    [ADDRESS_HEADER]: request.ip,
    'user-agent': request.headers['user-agent'] ?? '',
    origin: new URL(auth.baseUrl).origin,
    'content-type': 'application/json',
  });
  if (request.headers.cookie !== undefined) headers.set('cookie', request.headers.cookie);
  return headers;
}

export function setCookies(reply: FastifyReply, cookies: readonly string[]): void {
  for (const cookie of cookies) void reply.header('set-cookie', cookie);
}

/** A session's token has no use outside its signed cookie, and none in a page. */
const withoutTokens = (json: string): unknown =>
  JSON.parse(json, (key, value) => (key === 'token' ? undefined : value));

const REFUSALS: Record<string, AppError> = {
  INVALID_EMAIL: new AppError('unauthorized', 'The e-mail address or the password is wrong.', {
    reason: 'wrong_sign_in',
  }),
  INVALID_EMAIL_OR_PASSWORD: new AppError('unauthorized', 'The e-mail address or the password is wrong.', {
    reason: 'wrong_sign_in',
  }),
  INVALID_CODE: new AppError(
    'unauthorized',
    'The code is wrong, or was used already. Wait for the next one.',
    { reason: 'wrong_code' },
  ),
  INVALID_BACKUP_CODE: new AppError('unauthorized', 'The backup code is wrong, or was used already.', {
    reason: 'wrong_backup_code',
  }),
  INVALID_TWO_FACTOR_COOKIE: new AppError('unauthorized', 'Too late, or too many tries: sign in again.', {
    reason: 'sign_in_again',
  }),
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: new AppError('unauthorized', 'Too many tries: sign in again.', {
    reason: 'sign_in_again',
  }),
  ACCOUNT_TEMPORARILY_LOCKED: new AppError(
    'rate_limited',
    'Too many wrong codes in a row. Try again in a quarter of an hour.',
    { reason: 'codes_locked', headers: { 'retry-after': '900' } },
  ),
  TOTP_ALREADY_ENABLED: new AppError('conflict', 'Two-factor sign-in is on already.', {
    reason: 'two_factor_on',
  }),
  TWO_FACTOR_NOT_ENABLED: new AppError('conflict', 'Two-factor sign-in is not on.', {
    reason: 'two_factor_off',
  }),
  TOTP_NOT_ENABLED: new AppError('conflict', 'Two-factor sign-in is not on.', { reason: 'two_factor_off' }),
  INVALID_PASSWORD: invalidInput([
    { path: 'currentPassword', message: 'is not your password', reason: 'wrong_password' },
  ]),
};
const WRONG_PASSWORD = invalidInput([
  { path: 'password', message: 'is not your password', reason: 'wrong_password' },
]);

function refusalOf(status: number, json: string, sent: object): AppError {
  const body = z
    .object({ code: z.string().optional(), message: z.string().optional() })
    .safeParse(JSON.parse(json || '{}'));
  const code = body.data?.code ?? '';
  const known = code === 'INVALID_PASSWORD' && 'password' in sent ? WRONG_PASSWORD : REFUSALS[code];
  if (known) {
    const { message, issues, reason, headers } = known;
    return new AppError(known.code, message, {
      ...(issues && { issues }),
      ...(reason && { reason }),
      headers,
    });
  }
  if (status === 401) return new AppError('unauthorized', 'Sign in first.');
  if (status === 403) return new AppError('insufficient_scope', body.data?.message ?? 'This is not allowed.');
  return new AppError('invalid_input', body.data?.message ?? 'The request could not be read.');
}

/** What better-auth answered, less what has no place outside a cookie. */
interface Passed {
  status: number;
  cookies: string[];
  body: unknown;
}

/** The password was right, and a code is wanted. */
const needsCode = z.object({ twoFactorRedirect: z.literal(true) });

/** Lets better-auth answer in its own form; a refusal goes out as every door's does. */
async function pass(request: FastifyRequest, auth: Auth, body: object = {}): Promise<Passed> {
  const address = new URL(request.url.split('?', 1)[0] ?? '', auth.baseUrl);
  const response = await auth.handle(
    new Request(address, {
      method: request.method,
      headers: authHeaders(request, auth),
      ...(request.method === 'GET' ? {} : { body: JSON.stringify(body) }),
    }),
  );
  const json = await response.text();
  if (!response.ok) throw refusalOf(response.status, json, body);
  return {
    status: response.status,
    cookies: response.headers.getSetCookie(),
    body: withoutTokens(json || 'null'),
  };
}

/** As the next request sends them. */
const cookiesOf = ({ cookies }: Passed): string =>
  cookies.map((cookie) => cookie.split(';', 1)[0]).join('; ');

function send(reply: FastifyReply, { status, cookies, body }: Passed): FastifyReply {
  setCookies(reply, cookies);
  void reply.code(status).type('application/json; charset=utf-8');
  return reply.send(JSON.stringify(body));
}

/** @throws AppError 401 */
async function requireSession(request: FastifyRequest, auth: Auth): Promise<AuthSession> {
  const session = await auth.sessionOf(request.headers);
  if (!session) throw new AppError('unauthorized', 'Sign in first.');
  return session;
}

interface AuthRouteOptions {
  now?: () => Date;
  attemptsPerAccount?: number;
  /** Tells the audit log of each site of the person what they did with their account. */
  note?(userId: string, action: string, address: string): Promise<void>;
  /** An attempt to sign in to the account of this address has failed, or was not even tried. */
  noteFailure?(email: string, failure: SignInFailure, address: string): void;
  derive: Services['derivedToken'];
}

/** The routes of better-auth that the dashboard needs, and no other: what is not named here is 404. */
export function registerAuthRoutes(
  server: FastifyInstance,
  auth: Auth,
  {
    now = () => new Date(),
    attemptsPerAccount = ATTEMPTS_PER_ACCOUNT,
    note = async () => undefined,
    noteFailure = () => undefined,
    derive,
  }: AuthRouteOptions,
): void {
  const limits = { max: ATTEMPTS_PER_ADDRESS, windowMs: MINUTE_MS, now };
  const byAddress = createAttemptLimiter(limits);
  const byUser = createAttemptLimiter(limits);
  const byAccount = createAttemptLimiter({ max: attemptsPerAccount, windowMs: ACCOUNT_WINDOW_MS, now });

  const browsers = createKnownBrowsers(auth.baseUrl, derive);
  /** Of the account without saying which, the same for each of its attempts. */
  const accountMark = (email: string): string => derive(`account ${email}`).slice(0, 12);

  const failed = (request: FastifyRequest, email: string, failure: SignInFailure): void => {
    request.log.warn({ address: request.ip, account: accountMark(email), failure }, 'a sign-in failed');
    noteFailure(email, failure, request.ip);
  };

  /**
   * A browser that has signed in to the account before has attempts of its own: strangers who use up the account's
   * keep nobody out who works there every day.
   */
  const takeAccountAttempt = (request: FastifyRequest, email: string): string => {
    const known = browsers.find(request, email);
    const key = known === undefined ? email : `${email} ${known}`;
    try {
      takeAttempt(byAccount, key);
    } catch (error) {
      failed(request, email, 'locked');
      throw error;
    }
    return key;
  };

  /** What is done is done: a log that cannot be written makes no failure of it. */
  const tell = async (request: FastifyRequest, userId: string | undefined, action: string): Promise<void> => {
    if (userId === undefined) return;
    await note(userId, `sign_in.${action}`, request.ip).catch((error) =>
      request.log.error({ err: error, action }, 'what a person did with their account was not noted'),
    );
  };
  const ownerOf = async (answer: Passed): Promise<AuthSession | undefined> =>
    auth.sessionOf({ cookie: cookiesOf(answer) });

  void server.register(
    async (door) => {
      door.addHook('onRequest', async (request, reply) => {
        void reply.header('cache-control', 'no-store');
        checkOrigin(request, auth.baseUrl);
      });
      const limit = { bodyLimit: BODY_MAX_BYTES };

      door.post('/sign-in/email', limit, async (request, reply) => {
        const address = addressKey(request.ip);
        takeAttempt(byAddress, address);
        const body = checkedInput(signInBody, request.body);
        const account = takeAccountAttempt(request, body.email);
        const answer = await pass(request, auth, body).catch((error) => {
          if (error instanceof AppError && error.code === 'unauthorized')
            failed(request, body.email, 'failed');
          throw error;
        });
        byAddress.forgive(address);
        // Who knows a password and guesses codes goes on counting.
        if (!needsCode.safeParse(answer.body).success) {
          byAccount.forgive(account);
          setCookies(reply, [browsers.cookieFor(body.email)]);
          await tell(request, (await ownerOf(answer))?.userId, 'password');
        }
        return send(reply, answer);
      });

      door.post('/change-password', limit, async (request, reply) => {
        const { userId } = await requireSession(request, auth);
        takeAttempt(byUser, userId);
        const body = checkedInput(changePasswordBody, request.body);
        // Whatever the caller asked for: people change a password because somebody else may know the old one.
        const answer = await pass(request, auth, { ...body, revokeOtherSessions: true });
        await tell(request, userId, 'password_changed');
        return send(reply, answer);
      });

      for (const path of ['/two-factor/verify-totp', '/two-factor/verify-backup-code']) {
        door.post(path, limit, async (request, reply) => {
          const address = addressKey(request.ip);
          takeAttempt(byAddress, address);
          const before = await auth.sessionOf(request.headers);
          if (before) takeAttempt(byUser, before.userId);
          const answer = await pass(request, auth, checkedInput(codeBody, request.body)).catch((error) => {
            request.log.warn({ address: request.ip, failure: 'code' }, 'a sign-in failed');
            throw error;
          });
          byAddress.forgive(address);
          // From now on it takes a code: what was signed in without one is over.
          const session = before?.twoFactor ? undefined : await ownerOf(answer);
          if (session) setCookies(reply, [browsers.cookieFor(session.email)]);
          if (before && session) await auth.endOtherSessions(session);
          const how = path.endsWith('backup-code') ? 'backup_code' : 'code';
          await tell(request, session?.userId, before ? 'two_factor_on' : how);
          return send(reply, answer);
        });
      }

      for (const [path, action] of [
        ['/two-factor/enable', 'two_factor_begun'],
        ['/two-factor/disable', 'two_factor_off'],
        ['/two-factor/generate-backup-codes', 'backup_codes_renewed'],
      ] as const) {
        door.post(path, limit, async (request, reply) => {
          const { userId } = await requireSession(request, auth);
          takeAttempt(byUser, userId);
          const answer = await pass(request, auth, checkedInput(passwordBody, request.body));
          await tell(request, userId, action);
          return send(reply, answer);
        });
      }

      door.get('/list-sessions', async (request, reply) =>
        reply.send(await auth.listSessions(await requireSession(request, auth))),
      );

      door.post('/revoke-session', limit, async (request, reply) => {
        const { userId } = await requireSession(request, auth);
        const { id } = checkedInput(sessionBody, request.body);
        if (!(await auth.endSession(userId, id))) throw notFound('session');
        await tell(request, userId, 'device_ended');
        return reply.send({ status: true });
      });

      door.post('/revoke-other-sessions', limit, async (request, reply) => {
        const session = await requireSession(request, auth);
        await auth.endOtherSessions(session);
        await tell(request, session.userId, 'others_ended');
        return reply.send({ status: true });
      });

      for (const path of ['/sign-out', '/revoke-sessions']) {
        door.post(path, limit, async (request, reply) => send(reply, await pass(request, auth)));
      }
      door.get('/get-session', async (request, reply) => send(reply, await pass(request, auth)));
      door.all('/*', async () => {
        throw notFound('address');
      });
    },
    { prefix: AUTH_PATH },
  );
}
