import type { FastifyRequest } from 'fastify';
import type { Actor } from '../core/actor.ts';
import type { Site, SiteContext } from '../core/context.ts';
import { addressKey } from '../limits/address-key.ts';
import { findAgentOfUser } from '../sites/agents/agents.ts';
import { isOver } from '../sites/sign-in/sign-in-sessions.ts';
import type { Parts } from './parts.ts';

export type Callers = ReturnType<typeof createCallers>;

/** Identifies the caller of a request and creates its context. */
export function createCallers({ auth, database, contextFor, now }: Parts) {
  /** The agent behind the desk's cookie, at the site that the desk shows. */
  const agentOf = async (request: FastifyRequest) => {
    const session = await auth.sessionOf(request.headers);
    if (!session) return undefined;
    const agent = await findAgentOfUser(database.db, session.userId, wantedSite(request), session);
    if (agent && isOver(agent.sessionLimits, session, now())) {
      await auth.endSession(session, session.sessionId);
      return undefined;
    }
    if (isUse(request)) auth.noteUse(session.sessionId, request.ip);
    if (!agent) return undefined;
    const actor = { ...agent.actor, signInId: session.sessionId };
    return { ...agent, actor, userId: session.userId };
  };
  return {
    agentOf,
    /**
     * Like `agentOf`, but refuses people who must set up two-factor sign-in first: only the desk's own operations
     * let them do that.
     */
    async admittedAgent(request: FastifyRequest) {
      const agent = await agentOf(request);
      return agent?.mustEnrol ? undefined : agent;
    },
    /** Whether somebody is signed in who doesn't work for the requested site. */
    isOutsider: async (request: FastifyRequest): Promise<boolean> =>
      wantedSite(request) !== undefined &&
      (await auth.sessionOf(request.headers)) !== undefined &&
      (await agentOf(request)) === undefined,
    contextFor: (site: Site, actor: Actor, request: FastifyRequest): SiteContext =>
      contextFor(site, actor, {
        about: { request_id: request.id, site_id: site.id },
        address: request.ip,
        caller: addressKey(request.ip),
      }),
  };
}

/**
 * Whether a person uses the desk. Requests that it makes automatically, such as for pictures, and a reconnecting socket
 * don't keep anybody signed in.
 */
const isUse = ({ method, headers }: FastifyRequest): boolean =>
  method !== 'GET' && method !== 'HEAD' && headers['x-foyer-idle'] === undefined;

/**
 * The site that the desk's tab shows, since a person may have several: in a header, or in the URL where headers
 * can't be set. Undefined if none is given; no site has the id 0.
 */
function wantedSite({ headers, url }: FastifyRequest): number | undefined {
  const named = headers['x-foyer-site'] ?? new URL(url, 'http://localhost').searchParams.get('site');
  if (named === null) return undefined;
  return /^[1-9]\d{0,14}$/.test(String(named)) ? Number(named) : 0;
}
