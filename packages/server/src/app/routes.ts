import type { FastifyInstance } from 'fastify';
import { readVersion } from '../base/version.ts';
import { createInbound } from '../email/routes/http/receive.ts';
import { registerAssets } from '../http/assets.ts';
import { registerDashboard } from '../http/dashboard.ts';
import { separateFiles } from '../http/files/files-origin.ts';
import { servePictures } from '../http/files/pictures.ts';
import { registerHealth } from '../http/health.ts';
import { registerInboundEmail } from '../http/inbound-email.ts';
import { registerMcp } from '../http/mcp/mcp.ts';
import { registerMetrics } from '../http/metrics/metrics.ts';
import { registerReference } from '../http/openapi/reference.ts';
import { answerProactiveCall } from '../http/proactive-calls.ts';
import { createAdmission } from '../http/rest/admission.ts';
import { registerRest } from '../http/rest/rest.ts';
import { createServer } from '../http/server.ts';
import { registerStream } from '../http/stream/stream.ts';
import { requireHttps } from '../http/strict-transport.ts';
import { registerWidgetRoutes } from '../http/widget-routes.ts';
import { addressKey } from '../limits/address-key.ts';
import type { Peer } from '../realtime/peer.ts';
import { isCallerBlocked } from '../sites/blocks/find-block.ts';
import { findPicture } from '../sites/pictures.ts';
import { createSnippetSightings, type SnippetSightings } from '../sites/snippet-sightings.ts';
import { collect } from '../visitors/events/collect.ts';
import { createBacklogReader } from './backlog.ts';
import { type Callers, createCallers } from './callers.ts';
import { registerConnections } from './connections.ts';
import { createJobContexts } from './context-factory.ts';
import { registerHelpRoutes } from './help-centre.ts';
import { createLiveReports } from './live-reports.ts';
import { registerMailOffRoutes } from './mail-off.ts';
import type { Parts } from './parts.ts';
import { registerLinkRoutes } from './portal.ts';
import { registerSignIn } from './sign-in.ts';
import { registerUploadRoutes } from './uploads.ts';

function countPeers(peers: Iterable<Peer>): Record<Peer['actor']['kind'], number> {
  const count = { visitor: 0, agent: 0 };
  for (const { actor } of peers) count[actor.kind] += 1;
  return count;
}

/** The server with all routes. A worker process only answers health checks. */
export async function buildServer(parts: Parts): Promise<FastifyInstance> {
  const { config, log, now, database, live, sites, services, address, signedLinks, limits } = parts;
  const server = createServer({ log, trustProxy: config.trustProxy });
  requireHttps(server, address);
  separateFiles(server, config.filesUrl);
  const { pool } = database;
  const isRedisUp = () => parts.redis?.isUp();
  const { replica } = parts;
  registerHealth(server, {
    ping: () => pool.query('select 1'),
    isDraining: () => parts.draining.isOn,
    isRedisUp,
    replicaState: () => replica?.state(),
  });
  registerMetrics(server, {
    token: config.metricsToken,
    version: await readVersion(),
    openSockets: () => countPeers(live.hub.peers),
    isRedisUp,
    replica: () => replica && { isUp: replica.state() === 'up', lagS: replica.lagS() },
    connections: () => database.connections(),
    backlog: createBacklogReader({ database, log, now }),
    backups: () => parts.backups?.state(),
  });
  if (config.role === 'worker') return server;

  const { db } = database;
  const callers = createCallers(parts);
  const { contextFor } = callers;
  const snippets = createSnippetSightings({ db, address, log, now });
  await registerConnections(server, parts, callers, snippets);
  await registerApi(server, parts, callers);
  registerWidget(server, parts, callers, snippets);
  registerSignIn(server, parts, callers);
  const agentOf = callers.admittedAgent;
  registerUploadRoutes(server, { db, address, services, sites, agentOf, contextFor, limits });
  await registerHelpRoutes(server, { db, address, sites, contextFor, limits });
  const guard = config.webhooks;
  await registerLinkRoutes(server, { db, signedLinks, services, contextFor, limits, guard, now });
  await registerMailOffRoutes(server, { sites, services, contextFor: parts.contextFor, limits });
  await registerInboundEmail(
    server,
    createInbound({ db, contextFor: createJobContexts(parts), sns: parts.sns }),
  );
  servePictures(server, '/pictures/', 'cross-origin', (name) => findPicture(db, name));
  await registerAssets(server, {
    address,
    findSite: (key) => sites.byKey(key),
    demoSite: async (key) => (key === undefined ? await sites.first() : await sites.byKey(key))?.publicKey,
  });
  return server;
}

/** What programs and the desk call: REST and its reference, MCP, and the desk's operations. */
async function registerApi(server: FastifyInstance, parts: Parts, callers: Callers): Promise<void> {
  const { config, limits, tokens, address } = parts;
  const { agentOf, isOutsider, contextFor } = callers;
  const { queryToken, siteShareMax, mcpOrigins } = config;
  const admit = createAdmission({
    authenticate: tokens.authenticate,
    limiter: limits.ofTokens,
    queryToken,
    siteShareMax,
  });
  registerRest(server, { admit, contextFor });
  registerStream(server, { admit, db: parts.database.db, now: parts.now });
  const version = await readVersion();
  await registerReference(server, { address, version, queryToken });
  registerMcp(server, { admit, address, origins: mcpOrigins, version, contextFor });
  registerDashboard(server, { address, agentOf, isOutsider, contextFor });
}

function registerWidget(
  server: FastifyInstance,
  { sites, address, live, limits, now }: Parts,
  { contextFor }: Callers,
  snippets: SnippetSightings,
): void {
  const collects = limits.of('collect');
  const siteCollects = limits.of('collect site');
  const report = createLiveReports(live.visitors, limits);
  registerWidgetRoutes(server, {
    findSite: (key) => sites.byKey(key),
    address,
    noteSnippet: snippets.note,
    collect,
    contextFor: (site, request) => contextFor(site, { kind: 'job' }, request),
    admit: async (siteId, address) =>
      (await collects.take(addressKey(address))).allowed && (await siteCollects.take(String(siteId))).allowed,
    live: async (site, request) =>
      (await isCallerBlocked(contextFor(site, { kind: 'job' }, request))) ? {} : report(site, request),
    proactive: (site, request) =>
      answerProactiveCall(contextFor(site, { kind: 'job' }, request), site, request),
    now,
  });
}
