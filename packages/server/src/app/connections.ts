import type { FastifyInstance } from 'fastify';
import { createSemaphore } from '../base/semaphore.ts';
import { lastSeqOf } from '../conversations/feed.ts';
import { createReplyTimes } from '../conversations/routing/reply-times.ts';
import { newRequestId } from '../http/server.ts';
import { checkOrigin, checkPageOrigin, isOwnHandshake } from '../http/sign-in/origin-check.ts';
import { addressKey } from '../limits/address-key.ts';
import { createChallenges } from '../limits/challenges.ts';
import { registerPolling } from '../realtime/polling.ts';
import { registerSockets } from '../realtime/socket.ts';
import type { VisitorOptions } from '../realtime/visitor.ts';
import type { SnippetSightings } from '../sites/snippet-sightings.ts';
import type { Callers } from './callers.ts';
import { welcome } from './handshake.ts';
import type { Parts } from './parts.ts';

/** Sockets of visitors and agents, and polling for networks without WebSockets, connected to their domains. */
export async function registerConnections(
  server: FastifyInstance,
  parts: Parts,
  { admittedAgent }: Callers,
  snippets: SnippetSightings,
): Promise<void> {
  const { live, sites, address } = parts;
  const visitors = visitorOptions(parts, snippets);
  await registerSockets(server, {
    ...visitors,
    agentOf: async (request) => (isOwnHandshake(request, address) ? admittedAgent(request) : undefined),
    async checkPage(publicKey, request) {
      const site = await sites.byKey(publicKey);
      if (site) checkPageOrigin(site, request, address);
    },
    addressKey,
    arrive: live.agentSockets.arrive,
    viewing: live.viewing,
  });
  registerPolling(server, {
    ...visitors,
    checkOrigin: (request) => checkOrigin(request, address),
    addressKey,
    limitFactor: parts.config.limitFactor,
  });
}

function visitorOptions(
  { config, live, sites, pages, contextFor, now, limits, services }: Parts,
  snippets: SnippetSightings,
): VisitorOptions {
  const replyTimes = createReplyTimes(now);
  return {
    hub: live.hub,
    presence: live.presence,
    availabilityOf: live.availability.of,
    newRequestId,
    lastSeqOf,
    passTyping: live.passTyping,
    contextFor: (site, actor, requestId, caller, proof) =>
      contextFor(site, actor, { about: { request_id: requestId, site_id: site.id }, caller, proof }),
    challenges: createChallenges({ derive: services.derivedToken, limits, now }),
    hellos: createSemaphore(config.database.poolMax),
    findSite: (key) => sites.byKey(key),
    async welcome(site, hello, caller) {
      if (hello.page_url) snippets.note(site.id, hello.page_url);
      return welcome(contextFor, replyTimes, await sites.byId(site.id), hello, caller);
    },
    pages,
  };
}
