import { CLOSE_RESTART } from '@foyer/protocol';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { createSignedLinks, type SignedLinks } from './attachments/signed-links.ts';
import type { Config } from './config.ts';
import { type Actor, createContext, type Services, type Site, type SiteContext } from './context.ts';
import { createFeed, lastSeqOf } from './conversations/feed.ts';
import { createReplyTimes } from './conversations/reply-times.ts';
import { registerCustomerDoor } from './customer-door.ts';
import { type Database, type Db, openDatabase } from './db/database.ts';
import { migrateAt } from './db/migrate.ts';
import { createEmitter, type Notice } from './events.ts';
import { registerHelpDoor } from './help-door.ts';
import { createAdmission } from './http/admission.ts';
import { registerAssets } from './http/assets.ts';
import { registerAuthRoutes } from './http/auth-routes.ts';
import { registerDashboard } from './http/dashboard.ts';
import { registerHealth } from './http/health.ts';
import { registerMcp } from './http/mcp/mcp.ts';
import { registerReference } from './http/openapi/reference.ts';
import { checkOrigin, isOwnHandshake } from './http/origin-check.ts';
import { servePictures } from './http/pictures.ts';
import { registerPreAuthRoutes } from './http/pre-auth-routes.ts';
import { addressKey, createAttemptLimiter, createRateLimiter } from './http/rate-limit.ts';
import { registerRest } from './http/rest.ts';
import { createServer, newRequestId } from './http/server.ts';
import { registerWidgetRoutes } from './http/widget-routes.ts';
import { type JobQueue, openQueue } from './jobs/queue.ts';
import { type Schedule, startSchedule } from './jobs/schedule.ts';
import { createHelpCatalogues } from './knowledge/help-catalogue.ts';
import { importSampleKnowledge } from './knowledge/sample.ts';
import { registerMailOffDoor } from './mail-off-door.ts';
import { notificationNews } from './notifications/notifications.ts';
import { lastAsked } from './realtime/last-asked.ts';
import { type Live, startLive } from './realtime/live.ts';
import { registerPolling } from './realtime/polling.ts';
import { registerSockets } from './realtime/socket.ts';
import type { VisitorOptions } from './realtime/visitor.ts';
import { jobs, recurringJobs } from './registry.ts';
import { knowledgeServices, settledServices } from './services.ts';
import { noteAtDesk, standingOfAgents } from './sites/agent-presence.ts';
import { findAgentOfUser, listSitesOfUser } from './sites/agents.ts';
import { type Auth, createAuth } from './sites/auth.ts';
import { createSiteDirectory, type SiteDirectory } from './sites/directory.ts';
import { createTeamFaces } from './sites/faces.ts';
import { findPicture } from './sites/pictures.ts';
import { createSnippetSightings } from './sites/snippet-sightings.ts';
import { createTokenAuthenticator, type TokenAuthenticator } from './sites/token-authenticator.ts';
import { presentTicketSummary, ticketsOfIds } from './tickets/tickets.ts';
import { registerUploadDoor } from './upload-door.ts';
import { readVersion } from './version.ts';
import { collect } from './visitors/collect.ts';
import { createPageBook, type PageBook } from './visitors/page-book.ts';
import { createDeliveryWorker, type DeliveryWorker } from './webhooks/deliveries.ts';
import { endLeases } from './webhooks/lane-queue.ts';
import { welcome } from './welcome.ts';

export interface AppOptions {
  config: Config;
  databaseUrl: string;
  /** FOYER_SECRET, or the one that is kept in the data folder. */
  secret: string;
  log: Logger;
  now?: () => Date;
  /**
   * No other process works on this database, as the lock of the data folder proves for an embedded one: what is held
   * there was left behind by one that died.
   */
  alone?: boolean;
}

export interface App {
  readonly server: FastifyInstance;
  readonly database: Database;
  readonly live: Live;
  /** @param options `past`: the clock of what is told as past, such as the demo's chats; no job follows from it */
  contextFor(site: Site, actor: Actor, options?: { past?: () => Date }): SiteContext;
  /** @returns the address that it listens at. */
  listen(): Promise<string>;
  /** Stops accepting, finishes what is in flight, closes sockets with 1012, releases jobs (decisions 1). */
  close(): Promise<void>;
}

/** Statements at once: the embedded PostgreSQL takes 60 connections, and there may be a command line beside us. */
const POOL_MAX = 10;
const INDEXED_SITES_MAX = 100;
/** A page sends one collect for a burst of events; a shared office has many pages. */
const COLLECT_PER_MINUTE = 600;
const GOODBYE_MS = 1_500;
const TIDY_MS = 100;

/** Everything that the doors and workers of one process share. */
interface Parts {
  options: AppOptions;
  database: Database;
  live: Live;
  queue: JobQueue;
  services: Services;
  signedLinks: SignedLinks;
  sites: SiteDirectory;
  tokens: TokenAuthenticator;
  deliveries: DeliveryWorker | undefined;
  auth: Auth;
  pages: PageBook;
  /** @param db a transaction to work in, whose end is the caller's. */
  contextFor(
    site: Site,
    actor: Actor,
    options?: { about?: Record<string, unknown>; db?: Db; address?: string; past?: () => Date },
  ): SiteContext;
}

/** Builds a process of Foyer on a database, migrated first; nothing is served before `listen`. */
export async function createApp(options: AppOptions): Promise<App> {
  const { config, log, databaseUrl } = options;
  await migrateAt(databaseUrl);
  const database = openDatabase(databaseUrl, {
    max: POOL_MAX,
    onError: (error) => log.warn({ err: error }, 'a database connection was lost'),
  });
  try {
    if (options.alone) await endLeases(database.db);
    const parts = await assemble(options, database);
    const server = await buildServer(parts);
    const schedule = config.role === 'web' ? undefined : await startJobs(parts);
    return {
      server,
      database,
      live: parts.live,
      contextFor: parts.contextFor,
      listen: () => server.listen({ host: config.host, port: config.port }),
      close: () => closeApp(server, parts, schedule),
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function assemble(options: AppOptions, database: Database): Promise<Parts> {
  const { config, log, secret, now = () => new Date() } = options;
  const { db } = database;
  const sites = createSiteDirectory(db, now);
  const tokens = createTokenAuthenticator({ db, now, log });
  const faces = createTeamFaces(db, now);
  const settled = settledServices(config, secret, () => {
    throw new Error('a server has its secret');
  });
  const deliveries =
    config.role === 'web'
      ? undefined
      : createDeliveryWorker({
          db,
          log,
          services: settled,
          delaysMs: config.webhooks.delaysMs,
          gentle: config.role === 'all',
          now,
        });

  const forget = (): void => {
    sites.forget();
    tokens.forget();
    faces.forget();
  };
  const checkAgents = lastAsked(async (siteId: number) => {
    try {
      const standing = await standingOfAgents(db, siteId);
      live.agentSockets.check(siteId, standing);
      for (const [agentId, { presence }] of standing) live.presence.chose({ siteId, agentId }, presence);
    } catch (error) {
      log.warn({ err: error }, 'the rights of open sockets could not be checked');
    }
  });
  const onNotice = (siteId: number, notice: Notice): void => {
    const { kind } = notice;
    if (kind === 'deliveries') deliveries?.wake();
    else if (kind === 'tokens') tokens.forget(siteId);
    else if (kind === 'site') forget();
    else if (kind === 'agents') {
      faces.forget();
      checkAgents(siteId);
    } else if (kind === 'signed_out') live.agentSockets.endUser(notice.userId);
  };
  const onGap = (): void => {
    forget();
    deliveries?.wake();
    for (const siteId of live.agentSockets.sites()) checkAgents(siteId);
  };
  const officeHoursOf = async (siteId: number) => (await sites.byId(siteId))?.officeHours ?? null;
  const feed = {
    ...createFeed(db, { attachmentUrl: settled.attachmentUrl, now }),
    tickets: async (siteId: number, ids: readonly number[]) =>
      (await ticketsOfIds({ db, site: { id: siteId } }, ids)).map(presentTicketSummary),
    notifications: (siteId: number, ids: readonly number[]) => notificationNews(db, siteId, ids, now()),
  };
  const live = await startLive({
    database,
    feed,
    log,
    now,
    onNotice,
    onGap,
    officeHoursOf,
    facesOf: faces.of,
    noteAtDesk: (seats) => noteAtDesk(db, seats, now()),
  });
  const queue = await openQueue(database.url, jobs, log);
  const auth = createAuth({ db, baseUrl: config.baseUrl, secret, log, onSessionsEnded: live.endUser });
  const signedLinks = createSignedLinks({ baseUrl: config.baseUrl, secret });
  const services: Services = {
    ...settled,
    presence: live.presence,
    passing: live,
    ...knowledgeServices(db, log, { ai: config.ai, maxSites: INDEXED_SITES_MAX }),
    catalogues: createHelpCatalogues({ db, maxSites: INDEXED_SITES_MAX }),
  };
  const emitter = createEmitter(live.tell);
  const noJobs = async (): Promise<void> => undefined;
  const contextFor: Parts['contextFor'] = (site, actor, options = {}) => {
    const { about = { site_id: site.id }, db: within, address, past } = options;
    const call = address === undefined ? {} : { address };
    return createContext(
      {
        site,
        actor,
        db: within ?? db,
        log,
        about,
        ...call,
        services,
        emitter,
        ...(past ? { now: past, send: noJobs } : { now, send: queue.send }),
      },
      // Told to nobody: its one caller makes a site, which nobody can know of before the commit.
      within && [],
    );
  };
  const pages = createPageBook({
    db,
    now,
    contextFor,
    onFailure: (error) => log.warn({ err: error }, 'open pages were not kept'),
  });
  return {
    options,
    database,
    live,
    pages,
    queue,
    services,
    signedLinks,
    sites,
    tokens,
    deliveries,
    auth,
    contextFor,
  };
}

async function startJobs({ queue, sites, contextFor, database, options }: Parts): Promise<Schedule> {
  const { alone, log, now = () => new Date() } = options;
  const jobContext = async (siteId: number): Promise<SiteContext | undefined> => {
    const site = await sites.byId(siteId);
    return site && contextFor(site, { kind: 'job' });
  };
  if (alone) await queue.reclaim();
  await queue.work(jobs, jobContext);
  return startSchedule({ jobs: recurringJobs, db: database.db, log, now, contextFor: jobContext });
}

async function closeApp(
  server: FastifyInstance,
  { live, queue, tokens, deliveries, pages, database, options: { log } }: Parts,
  schedule: Schedule | undefined,
): Promise<void> {
  for (const peer of live.hub.peers) peer.close(CLOSE_RESTART, 'restarting');
  // Who does not answer the goodbye, because it does not read, must not keep the process.
  const cut = setTimeout(() => {
    for (const client of server.websocketServer?.clients ?? []) client.terminate();
  }, GOODBYE_MS);
  // A connection whose request was under way is idle only now, and would be kept for its next one.
  const tidy = setInterval(() => server.server.closeIdleConnections(), TIDY_MS);
  const steps: [string, () => Promise<unknown> | undefined][] = [
    // A receiver that is slow and a request that is need not wait for each other.
    ['server and deliveries', () => Promise.all([server.close(), deliveries?.stop()])],
    ['jobs', () => Promise.all([queue.stop(), schedule?.stop()])],
    ['token counts', () => tokens.stop()],
    ['open pages', () => pages.stop()],
    ['notices', () => live.close()],
    ['database', () => database.close()],
  ];
  for (const [name, step] of steps) {
    await step()?.catch((error) => log.error({ err: error, step: name }, 'did not stop cleanly'));
  }
  clearTimeout(cut);
  clearInterval(tidy);
}

async function buildServer(parts: Parts): Promise<FastifyInstance> {
  const { options, database, live, sites, tokens, auth } = parts;
  const { config, log, now = () => new Date() } = options;
  const server = createServer({ log, trustProxy: config.trustProxy });
  registerHealth(server, {
    ping: () => database.pool.query('select 1'),
    openSockets: () => [...live.hub.peers].length,
  });
  if (config.role === 'worker') return server;

  const contextFor = (site: Site, actor: Actor, request: FastifyRequest): SiteContext =>
    parts.contextFor(site, actor, {
      about: { request_id: request.id, site_id: site.id },
      address: request.ip,
    });
  const agentOf = async (request: FastifyRequest) => {
    const session = await auth.sessionOf(request.headers);
    if (!session) return undefined;
    auth.noteUse(session.sessionId, request.ip);
    const agent = await findAgentOfUser(database.db, session.userId, wantedSite(request));
    if (!agent) return undefined;
    const actor = { ...agent.actor, signInId: session.sessionId };
    return { ...agent, actor, userId: session.userId };
  };
  /** For all doors but the one through which a code can be set up. */
  const admittedAgent = async (request: FastifyRequest) => {
    const agent = await agentOf(request);
    return agent?.mustEnrol ? undefined : agent;
  };
  const replyTimes = createReplyTimes(now);
  const snippets = createSnippetSightings({ db: database.db, baseUrl: config.baseUrl, log, now });
  const collects = createAttemptLimiter({ max: COLLECT_PER_MINUTE, windowMs: 60_000, now });

  const visitors: VisitorOptions = {
    hub: live.hub,
    presence: live.presence,
    availabilityOf: live.availability.of,
    newRequestId,
    lastSeqOf,
    passTyping: live.passTyping,
    contextFor: (site, actor, requestId) =>
      parts.contextFor(site, actor, { about: { request_id: requestId, site_id: site.id } }),
    findSite: (key) => sites.byKey(key),
    async welcome(site, hello, userAgent) {
      if (hello.page_url) snippets.note(site.id, hello.page_url);
      return welcome(parts.contextFor, replyTimes, await sites.byId(site.id), hello, userAgent);
    },
    pages: parts.pages,
  };
  await registerSockets(server, {
    ...visitors,
    agentOf: async (request) =>
      isOwnHandshake(request, config.baseUrl) ? admittedAgent(request) : undefined,
    track: live.agentSockets.track,
    viewing: live.viewing,
  });
  registerPolling(server, {
    ...visitors,
    checkOrigin: (request) => checkOrigin(request, config.baseUrl),
    addressKey,
  });
  const admit = createAdmission({
    authenticate: tokens.authenticate,
    limiter: createRateLimiter({ now }),
    queryToken: config.queryToken,
  });
  registerRest(server, { admit, contextFor });
  const { baseUrl, queryToken } = config;
  const version = await readVersion();
  await registerReference(server, { baseUrl, version, queryToken });
  registerMcp(server, { admit, baseUrl, origins: config.mcpOrigins, version, contextFor });
  registerDashboard(server, { baseUrl: config.baseUrl, agentOf, contextFor });
  registerWidgetRoutes(server, {
    findSite: (key) => sites.byKey(key),
    noteSnippet: snippets.note,
    collect,
    contextFor: (site, request) => contextFor(site, { kind: 'job' }, request),
    admit: (address) => collects.take(addressKey(address)).allowed,
  });
  registerAuthRoutes(server, auth, {
    async note(userId, action, address) {
      for (const { id } of await listSitesOfUser(database.db, userId)) {
        const agent = await findAgentOfUser(database.db, userId, id);
        if (!agent) continue;
        const audit = { subject: 'sign_in', subjectId: agent.actor.agentId, action } as const;
        await parts.contextFor(agent.site, agent.actor, { address }).emit({ audit });
      }
    },
  });
  registerPreAuthRoutes(server, {
    auth,
    db: database.db,
    now,
    contextFor,
    importSample: (tx, site) =>
      importSampleKnowledge(parts.contextFor(site, { kind: 'operator' }, { db: tx })),
  });
  registerUploadDoor(server, {
    db: database.db,
    baseUrl,
    sites,
    agentOf: admittedAgent,
    contextFor,
    now,
  });
  await registerHelpDoor(server, { db: database.db, baseUrl, sites, contextFor, now });
  await registerCustomerDoor(server, {
    db: database.db,
    signedLinks: parts.signedLinks,
    services: parts.services,
    contextFor,
    now,
  });
  await registerMailOffDoor(server, { sites, services: parts.services, contextFor: parts.contextFor, now });
  servePictures(server, '/pictures/', 'cross-origin', (name) => findPicture(database.db, name));
  await registerAssets(server, {
    baseUrl: config.baseUrl,
    findSite: (key) => sites.byKey(key),
    demoSite: async (key) => (key === undefined ? await sites.first() : await sites.byKey(key))?.publicKey,
  });
  return server;
}

/** The dashboard names the site that it shows where a person has several. */
function wantedSite(request: FastifyRequest): number | undefined {
  const named =
    request.headers['x-foyer-site'] ?? new URL(request.url, 'http://localhost').searchParams.get('site_id');
  return /^[1-9]\d{0,15}$/.test(String(named ?? '')) ? Number(named) : undefined;
}
