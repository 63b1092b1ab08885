import type { FastifyRequest } from 'fastify';
import type { Actor } from '../core/actor.ts';
import type { Site, SiteContext } from '../core/context.ts';
import { addressKey } from '../http/rest/rate-limit.ts';
import { findAgentOfUser } from '../sites/agents/agents.ts';
import type { Parts } from './parts.ts';

export type Callers = ReturnType<typeof createCallers>;

/** Who a request comes from, and the context that it works in. */
export function createCallers({ auth, database, contextFor }: Parts) {
  /** The agent of the desk's cookie, at the site that the desk shows. */
  const agentOf = async (request: FastifyRequest) => {
    const session = await auth.sessionOf(request.headers);
    if (!session) return undefined;
    auth.noteUse(session.sessionId, request.ip);
    const agent = await findAgentOfUser(database.db, session.userId, wantedSite(request));
    if (!agent) return undefined;
    const actor = { ...agent.actor, signInId: session.sessionId };
    return { ...agent, actor, userId: session.userId };
  };
  return {
    agentOf,
    /** As `agentOf`, but nobody who must set up a second factor first: only the desk's own operations let them do that. */
    async admittedAgent(request: FastifyRequest) {
      const agent = await agentOf(request);
      return agent?.mustEnrol ? undefined : agent;
    },
    contextFor: (site: Site, actor: Actor, request: FastifyRequest): SiteContext =>
      contextFor(site, actor, {
        about: { request_id: request.id, site_id: site.id },
        address: request.ip,
        caller: addressKey(request.ip),
      }),
  };
}

/** The desk names the site that it shows, because a person may have several. */
function wantedSite(request: FastifyRequest): number | undefined {
  const named =
    request.headers['x-foyer-site'] ?? new URL(request.url, 'http://localhost').searchParams.get('site_id');
  return /^[1-9]\d{0,15}$/.test(String(named ?? '')) ? Number(named) : undefined;
}
