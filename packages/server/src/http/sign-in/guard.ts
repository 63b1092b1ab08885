import type { FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import type { Services } from '../../core/context.ts';
import { admit } from '../../limits/admit.ts';
import type { Limiter, Limits } from '../../limits/limits.ts';
import type { Auth, AuthSession } from '../../sites/sign-in/auth.ts';
import type { SignInFailure } from '../../sites/sign-in/failed-sign-ins.ts';
import { cookiesOf, type Passed } from './auth-answers.ts';
import { createKnownBrowsers } from './known-browsers.ts';

/** @throws AppError 429 */
export const takeAttempt = (limiter: Limiter, key: string): Promise<void> =>
  admit(limiter, key, {
    message: (retryAfterS) => `Too many attempts. Try again in ${retryAfterS} s.`,
    reason: 'attempts',
  });

/** @throws AppError 401 */
export async function requireSession(request: FastifyRequest, auth: Auth): Promise<AuthSession> {
  const session = await auth.sessionOf(request.headers);
  if (!session) throw new AppError('unauthorized', 'Sign in first.');
  return session;
}

export interface AuthRouteOptions {
  limits: Limits;
  attemptsPerAccount?: number;
  /** Records a person's change of their account in the audit log of each of their sites. */
  note?(userId: string, action: string, address: string): Promise<void>;
  /** Whether the account of this address, whose password is right, may only sign in with an identity provider. */
  refusesPassword?(email: string): Promise<boolean>;
  /** An attempt to sign in to the account of this address failed, or was refused by a limit. */
  noteFailure?(email: string, failure: SignInFailure, address: string): void;
  derive: Services['derivedToken'];
}

/** Limits attempts and records their results. */
export function createGuard(
  auth: Auth,
  {
    limits,
    attemptsPerAccount,
    note = async () => undefined,
    noteFailure = () => undefined,
    refusesPassword = async () => false,
    derive,
  }: AuthRouteOptions,
) {
  const byAccount = limits.of('sign-in account', attemptsPerAccount);
  const browsers = createKnownBrowsers(auth.address.startUrl, derive);
  /** Identifies the account across attempts without revealing it. */
  const accountMark = (email: string): string => derive(`account ${email}`).slice(0, 12);

  const failed = (request: FastifyRequest, email: string, failure: SignInFailure): void => {
    request.log.warn({ address: request.ip, account: accountMark(email), failure }, 'a sign-in failed');
    noteFailure(email, failure, request.ip);
  };
  return {
    byAddress: limits.of('sign-in address'),
    byUser: limits.of('sign-in person'),
    challenges: limits.of('passkey challenges'),
    byAccount,
    browsers,
    failed,
    refusesPassword,
    /**
     * A browser that has signed in to the account before has its own attempts: strangers who use up the account's
     * can't lock out somebody who works there every day.
     */
    async takeAccountAttempt(request: FastifyRequest, email: string): Promise<string> {
      const known = browsers.find(request, email);
      const key = known === undefined ? email : `${email} ${known}`;
      try {
        await takeAttempt(byAccount, key);
      } catch (error) {
        failed(request, email, 'locked');
        throw error;
      }
      return key;
    },
    /** The action is done: a failure to log it must not fail the request. */
    async tell(request: FastifyRequest, userId: string | undefined, action: string): Promise<void> {
      if (userId === undefined) return;
      await note(userId, `sign_in.${action}`, request.ip).catch((error) =>
        request.log.error({ err: error, action }, 'recording an account event failed'),
      );
    },
  };
}

export type Guard = ReturnType<typeof createGuard>;

/** The session that a response has opened. */
export const ownerOf = async (
  auth: Auth,
  answer: Pick<Passed, 'cookies'>,
): Promise<AuthSession | undefined> => auth.sessionOf({ cookie: cookiesOf(answer) });

/**
 * Refuses a right password or passkey where only an identity provider signs people in. After its check, so that
 * nobody else learns whether there is an account.
 * @throws AppError 401
 */
export async function refuseBesideProvider(
  request: FastifyRequest,
  auth: Auth,
  { failed, refusesPassword }: Guard,
  { email, answer }: { email: string; answer: Pick<Passed, 'cookies'> },
): Promise<void> {
  if (!(await refusesPassword(email))) return;
  const session = await ownerOf(auth, answer);
  if (session) await auth.endSession(session, session.sessionId);
  failed(request, email, 'failed');
  throw new AppError(
    'unauthorized',
    'Your team signs in with an identity provider. Passwords and passkeys aren’t accepted.',
    {
      reason: 'sign_in_with_provider',
    },
  );
}
