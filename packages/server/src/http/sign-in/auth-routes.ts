import { EMAIL_MAX, PASSWORD_MAX, SIGN_IN_CODE_MAX } from '@foyer/protocol';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { AppError, notFound } from '../../base/errors.ts';
import { addressKey } from '../../limits/address-key.ts';
import { password } from '../../sites/sign-in/accounts.ts';
import { AUTH_PATH, type Auth } from '../../sites/sign-in/auth.ts';
import { checkedInput } from '../../sites/sign-in/checked-input.ts';
import { pass, send, setCookies } from './auth-answers.ts';
import {
  type AuthRouteOptions,
  createGuard,
  type Guard,
  ownerOf,
  refuseBesideProvider,
  requireSession,
  takeAttempt,
} from './guard.ts';
import { checkOrigin } from './origin-check.ts';
import { registerPasskeys } from './passkey-routes.ts';

const BODY_MAX_BYTES = 16 * 1024;

const signInBody = z.strictObject({
  email: z.string().trim().toLowerCase().max(EMAIL_MAX),
  password: z.string().max(PASSWORD_MAX),
});
const passwordBody = z.strictObject({ password: z.string().max(PASSWORD_MAX) });
/** A code as copied from a screen or paper. */
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

/** The password was correct, and a code is required. */
const needsCode = z.object({ twoFactorRedirect: z.literal(true) });

const LIMIT = { bodyLimit: BODY_MAX_BYTES };

function registerSignIn(door: FastifyInstance, auth: Auth, guard: Guard): void {
  const { byAddress, byAccount, byUser, browsers, failed, tell } = guard;
  door.post('/sign-in/email', LIMIT, async (request, reply) => {
    const address = addressKey(request.ip);
    await takeAttempt(byAddress, address);
    const body = checkedInput(signInBody, request.body);
    const account = await guard.takeAccountAttempt(request, body.email);
    const answer = await pass(request, auth, body).catch((error) => {
      if (error instanceof AppError && error.code === 'unauthorized') failed(request, body.email, 'failed');
      throw error;
    });
    await byAddress.forgive(address);
    await refuseBesideProvider(request, auth, guard, { email: body.email, answer });
    // While the code is missing, the attempt counts: somebody who knows the password may be guessing codes.
    if (!needsCode.safeParse(answer.body).success) {
      await byAccount.forgive(account);
      setCookies(reply, [browsers.cookieFor(body.email)]);
      await tell(request, (await ownerOf(auth, answer))?.userId, 'password');
    }
    return send(reply, answer);
  });

  for (const path of ['/two-factor/verify-totp', '/two-factor/verify-backup-code']) {
    door.post(path, LIMIT, async (request, reply) => {
      const address = addressKey(request.ip);
      await takeAttempt(byAddress, address);
      const before = await auth.sessionOf(request.headers);
      if (before) await takeAttempt(byUser, before.userId);
      const answer = await pass(request, auth, checkedInput(codeBody, request.body)).catch((error) => {
        request.log.warn({ address: request.ip, failure: 'code' }, 'a sign-in failed');
        throw error;
      });
      await byAddress.forgive(address);
      // From now on a code is required: sessions without one end.
      const session = before?.twoFactor ? undefined : await ownerOf(auth, answer);
      if (session) setCookies(reply, [browsers.cookieFor(session.email)]);
      if (before && session) await auth.endOtherSessions(session);
      const how = path.endsWith('backup-code') ? 'backup_code' : 'code';
      await tell(request, session?.userId, before ? 'two_factor_on' : how);
      return send(reply, answer);
    });
  }
}

/** Changes for which a signed-in person must enter the password. */
function registerAccount(door: FastifyInstance, auth: Auth, { byUser, tell }: Guard): void {
  door.post('/change-password', LIMIT, async (request, reply) => {
    const { userId } = await requireSession(request, auth);
    await takeAttempt(byUser, userId);
    const body = checkedInput(changePasswordBody, request.body);
    await auth.refuseWeakPassword(userId, body.newPassword, 'newPassword');
    // Always: people change a password because somebody else may know the old one.
    const answer = await pass(request, auth, { ...body, revokeOtherSessions: true });
    await tell(request, userId, 'password_changed');
    return send(reply, answer);
  });

  for (const [path, action] of [
    ['/two-factor/enable', 'two_factor_begun'],
    ['/two-factor/disable', 'two_factor_off'],
    ['/two-factor/generate-backup-codes', 'backup_codes_renewed'],
  ] as const) {
    door.post(path, LIMIT, async (request, reply) => {
      const { userId } = await requireSession(request, auth);
      await takeAttempt(byUser, userId);
      const answer = await pass(request, auth, checkedInput(passwordBody, request.body));
      await tell(request, userId, action);
      return send(reply, answer);
    });
  }
}

function registerSessions(door: FastifyInstance, auth: Auth, { tell }: Guard): void {
  door.get('/list-sessions', async (request, reply) =>
    reply.send(await auth.listSessions(await requireSession(request, auth))),
  );

  door.post('/revoke-session', LIMIT, async (request, reply) => {
    const session = await requireSession(request, auth);
    const { id } = checkedInput(sessionBody, request.body);
    if (!(await auth.endSession(session, id))) throw notFound('session');
    await tell(request, session.userId, 'device_ended');
    return reply.send({ status: true });
  });

  door.post('/revoke-other-sessions', LIMIT, async (request, reply) => {
    const session = await requireSession(request, auth);
    await auth.endOtherSessions(session, session.provider);
    await tell(request, session.userId, 'others_ended');
    return reply.send({ status: true });
  });

  door.post('/sign-out', LIMIT, async (request, reply) => send(reply, await pass(request, auth)));
  door.post('/revoke-sessions', LIMIT, async (request, reply) => {
    // The sessions at the person's other sites aren't the business of one site's provider.
    const { provider, userId, sessionId } = await requireSession(request, auth);
    if (!provider) return send(reply, await pass(request, auth));
    await auth.endOtherSessions({ userId, sessionId }, provider);
    await auth.endSession({ userId, provider }, sessionId);
    return reply.send({ status: true });
  });
  door.get('/get-session', async (request, reply) => send(reply, await pass(request, auth)));
}

/** The routes of better-auth that the desk needs. All others are 404. */
export function registerAuthRoutes(server: FastifyInstance, auth: Auth, options: AuthRouteOptions): void {
  const guard = createGuard(auth, options);
  void server.register(
    async (door) => {
      door.addHook('onRequest', async (request, reply) => {
        void reply.header('cache-control', 'no-store');
        checkOrigin(request, auth.address);
      });
      registerSignIn(door, auth, guard);
      registerPasskeys(door, auth, guard);
      registerAccount(door, auth, guard);
      registerSessions(door, auth, guard);
      door.all('/*', async () => {
        throw notFound('address');
      });
    },
    { prefix: AUTH_PATH },
  );
}
