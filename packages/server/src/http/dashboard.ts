import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../base/errors.ts';
import { roleRefuses } from '../core/access/permissions.ts';
import type { Actor, AgentActor } from '../core/actor.ts';
import type { Site, SiteContext } from '../core/context.ts';
import type { PublicAddress } from '../core/public-address.ts';
import { findOperation, mayRun, runOperation } from '../registry.ts';
import { sendData } from './answer.ts';
import { checkOrigin } from './sign-in/origin-check.ts';

interface DashboardOptions {
  address: PublicAddress;
  agentOf(
    request: FastifyRequest,
  ): Promise<{ site: Site; actor: AgentActor; mustEnrol: boolean } | undefined>;
  /** Whether somebody is signed in who doesn't work for the requested site. */
  isOutsider(request: FastifyRequest): Promise<boolean>;
  contextFor(site: Site, actor: Actor, request: FastifyRequest): SiteContext;
}

/** For the import of articles: 5 MiB of text, which may double as JSON. */
const IMPORT_BODY_BYTES = 12 * 1024 * 1024;

const signInFirst = (): AppError => new AppError('unauthorized', 'Sign in to continue.');

/**
 * The same response for a site that the person has left and for one that doesn't exist. The desk then opens another
 * site.
 */
const noAgentOfSite = (): AppError =>
  new AppError('insufficient_scope', 'You don’t work for this site.', { reason: 'site_left' });

/** The desk's entry point: the same operations by name, for a signed-in agent. */
export function registerDashboard(
  server: FastifyInstance,
  { address, agentOf, isOutsider, contextFor }: DashboardOptions,
): void {
  server.post<{ Params: { operation: string } }>(
    '/app/api/:operation',
    { bodyLimit: IMPORT_BODY_BYTES },
    async (request, reply) => {
      void reply.header('cache-control', 'no-store');
      checkOrigin(request, address);
      const agent = await agentOf(request);
      if (!agent) throw (await isOutsider(request)) ? noAgentOfSite() : signInFirst();
      const operation = findOperation(request.params.operation);
      if (!operation || !(operation.who.includes('agent') || operation.who.includes('admin'))) {
        throw new AppError('not_found', 'No such operation.');
      }
      if (agent.mustEnrol && !operation.beforeTwoFactor) {
        throw new AppError(
          'insufficient_scope',
          'This site requires two-factor authentication. Set it up first.',
          {
            reason: 'enrol_first',
          },
        );
      }
      if (!mayRun(operation, agent.actor)) throw roleRefuses(agent.actor);
      return sendData(
        reply,
        await runOperation(operation, contextFor(agent.site, agent.actor, request), request.body ?? {}),
      );
    },
  );
}
