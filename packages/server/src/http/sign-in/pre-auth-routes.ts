import type { Plan } from '@foyer/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { toAppError } from '../../base/errors.ts';
import type { Actor } from '../../core/actor.ts';
import type { Site, SiteContext } from '../../core/context.ts';
import type { StoredAddress } from '../../core/public-address.ts';
import type { Db } from '../../db/database.ts';
import type { Tables } from '../../db/tables.generated.ts';
import { addressKey } from '../../limits/address-key.ts';
import type { Limits } from '../../limits/limits.ts';
import { acceptInvitation, checkInvitation } from '../../sites/agents/invitations.ts';
import type { Auth } from '../../sites/sign-in/auth.ts';
import { checkSetup, completeSetup, isSetUp } from '../../sites/sign-in/setup.ts';
import { sendData } from '../answer.ts';
import { authHeaders, setCookies } from './auth-answers.ts';
import { takeAttempt } from './guard.ts';
import { checkOrigin } from './origin-check.ts';

const BODY_MAX_BYTES = 16 * 1024;

interface PreAuthOptions {
  db: Kysely<Tables>;
  /** The plan of the first site. */
  plan: Plan;
  auth: Auth;
  address: StoredAddress;
  now(): Date;
  limits: Limits;
  contextFor(site: Site, actor: Actor, request: FastifyRequest): SiteContext;
  /** Imports the sample articles into a new site, in the transaction of the setup. */
  importSample(tx: Db, site: Site): Promise<void>;
}

/** Entry points for people without an account: the setup and invitations. */
export function registerPreAuthRoutes(server: FastifyInstance, options: PreAuthOptions): void {
  const { db, plan, auth, address, now, limits, contextFor, importSample } = options;
  const attempts = limits.of('setup');
  const { isBreached } = auth;

  /** The result stays if the sign-in after it fails: the person can sign in manually. */
  const signIn = async (
    request: FastifyRequest,
    reply: FastifyReply,
    { email, password }: { email: string; password: string },
  ): Promise<void> => {
    try {
      setCookies(reply, await auth.signIn({ email, password }, authHeaders(request, auth)));
    } catch (error) {
      request.log.warn({ err: toAppError(error) }, 'the sign-in after setup or invitation failed');
    }
  };

  registerSetupState(server, db);

  void server.register(
    async (door) => {
      door.addHook('onRequest', async (request, reply) => {
        void reply.header('cache-control', 'no-store');
        checkOrigin(request, auth.address);
        await takeAttempt(attempts, addressKey(request.ip));
      });
      const limit = { bodyLimit: BODY_MAX_BYTES };

      door.post('/setup/check', limit, async ({ body }, reply) =>
        // The form asks for the public address unless FOYER_BASE_URL is set.
        sendData(reply, { ...(await checkSetup(db, body)), asks_address: !address.isFixed }),
      );

      door.post('/setup', limit, async (request, reply) => {
        const { site, publicKey, ...credentials } = await completeSetup(
          { db, plan, address, now: now(), importSample, isBreached },
          request.body,
        );
        // Notifies other processes of the address and the new site.
        await contextFor(site, { kind: 'operator' }, request).emit({ notices: [{ kind: 'site' }] });
        await signIn(request, reply, credentials);
        return sendData(reply, { public_key: publicKey, base_url: address.url }, 201);
      });

      door.post('/invitation/check', limit, async ({ body }, reply) =>
        sendData(reply, await checkInvitation(db, body, now())),
      );

      door.post('/invitation/accept', limit, async (request, reply) => {
        const contextOf = (site: Site): SiteContext => contextFor(site, { kind: 'operator' }, request);
        const accepted = await acceptInvitation({ db, now: now(), contextOf, isBreached }, request.body);
        await signIn(request, reply, accepted);
        return sendData(reply, { site_id: accepted.siteId }, 201);
      });
    },
    { prefix: '/app' },
  );
}

/**
 * Reports to the sign-in page whether anybody can sign in. Every visit asks this, so it doesn't count as an attempt.
 */
function registerSetupState(server: FastifyInstance, db: Db): void {
  // Once set up, Foyer stays set up.
  let wasSetUp = false;
  server.get('/app/setup/state', async (_request, reply) => {
    wasSetUp ||= await isSetUp(db);
    return sendData(reply.header('cache-control', 'no-store'), { set_up: wasSetUp });
  });
}
