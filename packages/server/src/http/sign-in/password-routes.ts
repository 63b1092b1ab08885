import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Tables } from '../../db/tables.generated.ts';
import { addressKey } from '../../limits/address-key.ts';
import type { Limits } from '../../limits/limits.ts';
import { accountEmail } from '../../sites/sign-in/accounts.ts';
import type { Auth } from '../../sites/sign-in/auth.ts';
import { checkedInput } from '../../sites/sign-in/checked-input.ts';
import { checkReset, resetPassword } from '../../sites/sign-in/password-resets.ts';
import { sendData } from '../answer.ts';
import { takeAttempt } from './guard.ts';
import { checkOrigin } from './origin-check.ts';

const BODY_MAX_BYTES = 16 * 1024;

const requestInput = z.strictObject({ email: accountEmail });

interface PasswordOptions {
  db: Kysely<Tables>;
  auth: Auth;
  now(): Date;
  limits: Limits;
  /** Whether this installation can send a link to any person. */
  canMailLinks(): Promise<boolean>;
  /** Sends a link if the address has an account. */
  mailLink(email: string): Promise<void>;
  /** Called after the person's password has changed. */
  onReset(userId: string, address: string): Promise<void>;
}

/** For forgotten passwords: a link by email, and the page behind it. */
export function registerPasswordRoutes(server: FastifyInstance, options: PasswordOptions): void {
  const { db, auth, now, limits } = options;
  const calls = limits.of('password calls');
  const linksByAddress = limits.of('password links address');
  const linksByAccount = limits.of('password links account');

  void server.register(
    async (door) => {
      door.addHook('onRequest', async (request, reply) => {
        void reply.header('cache-control', 'no-store');
        checkOrigin(request, auth.address);
        await takeAttempt(calls, addressKey(request.ip));
      });
      const limit = { bodyLimit: BODY_MAX_BYTES };

      door.post('/options', limit, async (_request, reply) =>
        sendData(reply, { mail: await options.canMailLinks() }),
      );

      door.post('/request', limit, async (request, reply) => {
        const { email } = checkedInput(requestInput, request.body);
        await takeAttempt(linksByAddress, addressKey(request.ip));
        await takeAttempt(linksByAccount, email);
        // Not awaited: the response time must not reveal whether the account exists.
        void options
          .mailLink(email)
          .catch((error) => request.log.error({ err: error }, 'a link for a new password was not queued'));
        return sendData(reply, { requested: true });
      });

      door.post('/check', limit, async ({ body }, reply) =>
        sendData(reply, await checkReset(db, body, now())),
      );

      door.post('/reset', limit, async (request, reply) => {
        const { userId } = await resetPassword({ db, now: now(), isBreached: auth.isBreached }, request.body);
        // Once more, for a sign-in with the old password that was in progress.
        await auth.endAllSessions(userId);
        await options
          .onReset(userId, request.ip)
          .catch((error) => request.log.error({ err: error }, 'a reset password was not noted'));
        return sendData(reply, { reset: true });
      });
    },
    { prefix: '/app/password' },
  );
}
