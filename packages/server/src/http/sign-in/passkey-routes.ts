import { PASSKEY_NAME_MAX, PASSWORD_MAX, text } from '@foyer/protocol';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { invalidInput } from '../../base/errors.ts';
import { addressKey } from '../../limits/address-key.ts';
import type { Auth, AuthSession } from '../../sites/sign-in/auth.ts';
import { checkedInput } from '../../sites/sign-in/checked-input.ts';
import { PasskeyRefused } from '../../sites/sign-in/passkeys/passkeys.ts';
import { newCredential, usedCredential } from '../../sites/sign-in/passkeys/responses.ts';
import { authHeaders, setCookies } from './auth-answers.ts';
import { type Guard, ownerOf, refuseBesideProvider, requireSession, takeAttempt } from './guard.ts';

/** A credential with its attestation. */
const LIMIT = { bodyLimit: 32 * 1024 };

const passkeyId = z.string().min(1).max(100);
const passwordBody = z.strictObject({ password: z.string().max(PASSWORD_MAX) });
const removeBody = passwordBody.extend({ id: passkeyId });
const name = text(1, PASSKEY_NAME_MAX);
const renameBody = z.strictObject({ id: passkeyId, name });
const registerBody = z.strictObject({ name, credential: newCredential });
const signInBody = z.strictObject({ credential: usedCredential });

/** Sign-in with passkeys, and the passkeys of the signed-in person's account. */
export function registerPasskeys(door: FastifyInstance, auth: Auth, guard: Guard): void {
  registerPasskeySignIn(door, auth, guard);
  registerOwnPasskeys(door, auth, guard);
}

function registerPasskeySignIn(door: FastifyInstance, auth: Auth, guard: Guard): void {
  const { byAddress, byAccount, browsers, challenges, failed, tell } = guard;
  door.post('/passkey/sign-in-options', LIMIT, async (request, reply) => {
    await takeAttempt(challenges, addressKey(request.ip));
    return reply.send(auth.passkeys.signInOptions());
  });

  door.post('/passkey/sign-in', LIMIT, async (request, reply) => {
    const address = addressKey(request.ip);
    await takeAttempt(byAddress, address);
    const { credential } = checkedInput(signInBody, request.body);
    const passkey = await auth.passkeys.check(credential).catch((error) => {
      noteRefusal(request, error, failed);
      throw error;
    });
    const cookies = await auth.openPasskeySession(passkey, authHeaders(request, auth));
    await byAddress.forgive(address);
    await refuseBesideProvider(request, auth, guard, { email: passkey.email, answer: { cookies } });
    await byAccount.forgive(passkey.email);
    setCookies(reply, [...cookies, browsers.cookieFor(passkey.email)]);
    await tell(request, (await ownerOf(auth, { cookies }))?.userId, 'passkey');
    return reply.send({ status: true });
  });
}

/** For an unknown passkey no account is recorded. */
function noteRefusal(request: FastifyRequest, error: unknown, failed: Guard['failed']): void {
  if (error instanceof PasskeyRefused && error.email !== undefined) failed(request, error.email, 'failed');
  else request.log.warn({ address: request.ip, failure: 'passkey' }, 'a sign-in failed');
}

function registerOwnPasskeys(door: FastifyInstance, auth: Auth, guard: Guard): void {
  const { tell } = guard;
  door.get('/passkey/list', async (request, reply) =>
    reply.send(await auth.passkeys.list(await requireSession(request, auth))),
  );

  door.post('/passkey/register-options', LIMIT, async (request, reply) => {
    const session = await requireSession(request, auth);
    await requirePassword(request, auth, guard, session);
    return reply.send(await auth.passkeys.registrationOptions(session));
  });

  door.post('/passkey/register', LIMIT, async (request, reply) => {
    const session = await requireSession(request, auth);
    await takeAttempt(guard.byUser, session.userId);
    const body = checkedInput(registerBody, request.body);
    const passkey = await auth.passkeys.register(session, body.credential, body.name);
    await tell(request, session.userId, 'passkey_added');
    return reply.send(passkey);
  });

  door.post('/passkey/rename', LIMIT, async (request, reply) => {
    const session = await requireSession(request, auth);
    const body = checkedInput(renameBody, request.body);
    return reply.send(await auth.passkeys.rename(session, body.id, body.name));
  });

  door.post('/passkey/remove', LIMIT, async (request, reply) => {
    const session = await requireSession(request, auth);
    const { id, ...sent } = checkedInput(removeBody, request.body);
    await requirePassword(request, auth, guard, session, sent);
    await auth.passkeys.remove(session, id);
    await tell(request, session.userId, 'passkey_removed');
    return reply.send({ status: true });
  });
}

/** Somebody at an unlocked computer must not be able to add a passkey. @throws AppError 400, 429 */
async function requirePassword(
  request: FastifyRequest,
  auth: Auth,
  { byUser }: Guard,
  { userId }: AuthSession,
  sent: unknown = request.body,
): Promise<void> {
  await takeAttempt(byUser, userId);
  const { password } = checkedInput(passwordBody, sent);
  if (await auth.isPassword(userId, password)) return;
  throw invalidInput([{ path: 'password', message: 'is incorrect', reason: 'wrong_password' }]);
}
