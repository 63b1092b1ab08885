import type { Logger } from 'pino';
import { type Secrets, secretsFor } from '../backup/dump.ts';
import { openPlace } from '../backup/open-place.ts';
import { createServerBackups, type ServerBackups } from '../backup/scheduled.ts';
import type { Config } from '../config.ts';
import { createFeed } from '../conversations/feed.ts';
import { Changes } from '../core/changes.ts';
import type { Admitted, Services } from '../core/context.ts';
import { createEmitter } from '../core/events.ts';
import type { Keyring } from '../core/keyring.ts';
import { openPublicAddress, type StoredAddress } from '../core/public-address.ts';
import type { Addresses } from '../db/addresses.ts';
import type { Database, Db } from '../db/database.ts';
import type { Replica } from '../db/replica/replica.ts';
import type { Sns } from '../email/routes/http/sns.ts';
import { createSignedLinks, type SignedLinks } from '../files/signed-links.ts';
import { createVisitorLimits } from '../http/visitor-limits.ts';
import { type JobQueue, openQueue } from '../jobs/queue.ts';
import { createHelpCatalogues } from '../knowledge/help/catalogue.ts';
import { createLimits, type Limits } from '../limits/limits.ts';
import { notificationNews } from '../notifications/notifications.ts';
import { type Live, startLive } from '../realtime/live.ts';
import type { Redis } from '../redis/redis.ts';
import { jobs } from '../registry.ts';
import { createTeamFaces } from '../sites/agents/faces.ts';
import { noteAtDesk } from '../sites/agents/presence.ts';
import { BlockRules, createBlockCache } from '../sites/blocks/rules.ts';
import { createSiteDirectory } from '../sites/directory.ts';
import { createFilesQuota } from '../sites/files-quota.ts';
import { redactionOfSite } from '../sites/redaction.ts';
import { type Auth, createAuth } from '../sites/sign-in/auth.ts';
import { createTokenAuthenticator } from '../sites/tokens/token-authenticator.ts';
import { presentTicketSummary, ticketsOfIds } from '../tickets/tickets.ts';
import { createPageViewBuffer, type PageViewBuffer } from '../visitors/pages/page-view-buffer.ts';
import { createDeliveryWorker, type DeliveryWorker } from '../webhooks/deliveries.ts';
import { type ContextFactory, createContextFactory } from './context-factory.ts';
import { createDraining, type Draining } from './drain.ts';
import { type Caches, createInvalidation } from './invalidation.ts';
import {
  type Elsewhere,
  knowledgeServices,
  type Paces,
  type SettledServices,
  settledServices,
} from './services.ts';

export interface AppOptions extends Paces, Elsewhere, Addresses {
  config: Config;
  /** FOYER_SECRET, or the one in the data folder. */
  secret: string;
  /** FOYER_SECRET_OLD, or what follows the newest one in the data folder. The newest first. */
  olderSecrets?: readonly string[];
  log: Logger;
  now?: () => Date;
  /** What one address may create per minute at the public entry points. Defaults are in `http/visitor-limits`. */
  admittedPerMinute?: Partial<Record<Admitted, number>>;
  /** Replaces the connection to Amazon SNS. */
  sns?: Sns;
  /**
   * No other process uses this database, as the lock of the data folder proves for an embedded one. Existing leases
   * and running jobs belong to a process that died.
   */
  alone?: boolean;
}

/** Other servers, already connected. */
export interface Engines {
  database: Database;
  /**
   * For the reads of caches. Transactions use the caches, so connections of `database` could deadlock: once
   * transactions hold all of them, each would wait for another one.
   */
  lookups: Database;
  /** Undefined without REDIS_URL. */
  redis: Redis | undefined;
  /** Undefined without DATABASE_REPLICA_URL, and in a worker. */
  replica: Replica | undefined;
}

/** What a process has before its parts are created. */
export interface Joined extends Engines {
  /** With the secret that the installation works with. */
  keys: Keyring;
  /** See `secrets/installation`. */
  pushSeed: Buffer;
}

/** What the entry points and workers of one process share. */
export interface Parts extends Engines {
  config: Config;
  log: Logger;
  now(): Date;
  limits: Limits;
  live: Live;
  draining: Draining;
  queue: JobQueue;
  services: Services;
  address: StoredAddress;
  signedLinks: SignedLinks;
  sites: Caches['sites'];
  tokens: Caches['tokens'];
  deliveries: DeliveryWorker | undefined;
  auth: Auth;
  pages: PageViewBuffer;
  contextFor: ContextFactory;
  sns: Sns | undefined;
  /** Undefined without FOYER_BACKUP_TO, and in a process that runs no jobs. */
  backups: ServerBackups | undefined;
}

/** Starts everything that doesn't serve requests: caches, the bus, the queue, the webhook worker. */
export async function createParts(options: AppOptions, joined: Joined): Promise<Parts> {
  const { config, log, now = () => new Date() } = options;
  const { keys, pushSeed, ...engines } = joined;
  const { database, lookups, redis, replica } = engines;
  const { db } = database;
  const address = await openPublicAddress(db, config);
  const settled = settledServices(config, address, { keys, pushSeed }, absent, log, options);
  const limits = processLimits(options, db, redis, settled);
  const caches = createCaches(options, { db, lookups: lookups.db }, settled, now);
  const deliveries = startDeliveries(options, db, settled, now);
  const changes = new Changes();
  const live: Live = await startLive({
    database,
    changes,
    redis,
    feed: createLiveFeed(db, settled, now),
    log,
    now,
    ...createInvalidation({ db, log, address, caches, deliveries, live: () => live }),
    ...aboutSites(caches, settled),
    noteAtDesk: (seats) => noteAtDesk(db, seats, now()),
  });
  const keyIds = keys.known.map(({ id }) => id);
  const queue = await openQueue({ ...database, keyIds }, jobs, log, config.database.jobsPoolMax);
  const services: Services = {
    ...settled,
    presence: live.presence,
    desks: live.desks,
    liveVisitors: live.visitors,
    passing: live,
    ...knowledgeServices(db, log, config),
    catalogues: createHelpCatalogues({ db }),
    admit: visitorLimits(limits, caches, options),
    ...ofSites(caches),
    filesQuota: createFilesQuota(config.siteFilesMaxBytes, now),
  };
  const emitter = createEmitter(live.tell, { changes, toSyslog: config.syslog !== undefined });
  const contextFor = createContextFactory({ db, replica, log, now, services, emitter, send: queue.send });
  return {
    config,
    log,
    now,
    ...engines,
    limits,
    live,
    draining: createDraining(live),
    queue,
    services,
    address,
    signedLinks: createSignedLinks({ address, secret: keys }),
    sites: caches.sites,
    tokens: caches.tokens,
    deliveries,
    auth: createAuth({ db, address, secret: keys, log, now, ...settledSignIn(settled, live) }),
    pages: createPages(options, db, contextFor),
    contextFor,
    sns: options.sns,
    backups: createConfiguredBackups(options, keys, now),
  };
}

const processLimits = (
  { config, now }: AppOptions,
  db: Db,
  redis: Redis | undefined,
  { derivedToken: derive }: SettledServices,
): Limits => createLimits({ db, redis, derive, clock: now, loadFactor: config.limitFactor });

const settledSignIn = ({ isBreached }: SettledServices, { endUser }: Live) => ({
  isBreached,
  onSessionsEnded: endUser,
});

function createConfiguredBackups(
  { config, databaseUrl, directUrl = databaseUrl, log }: AppOptions,
  keys: Keyring,
  now: () => Date,
): ServerBackups | undefined {
  const { backups: settings, s3, backupRecipients: recipients } = config;
  if (settings === undefined || config.role === 'web') return undefined;
  const place = openPlace(settings.to, s3);
  const secrets = (): Secrets => secretsFor(keys, config);
  return createServerBackups({ settings, place, recipients, secrets, directUrl, log, now });
}

const visitorLimits = (limits: Limits, { sites }: Caches, { admittedPerMinute }: AppOptions) =>
  createVisitorLimits(limits, {
    challengesOf: async (siteId) => (await sites.byId(siteId))?.challenges ?? 'off',
    perMinute: admittedPerMinute,
  });

/** What domains ask of a site at every message, from the caches. */
const ofSites = ({
  sites,
  blocks,
}: ReturnType<typeof createCaches>): Pick<Services, 'blocksOf' | 'redactionOf' | 'hasChatSlas'> => ({
  blocksOf: async (siteId) => ((await sites.byId(siteId))?.hasBlocks ? blocks.of(siteId) : BlockRules.NONE),
  redactionOf: async (siteId) => redactionOfSite(await sites.byId(siteId)),
  hasChatSlas: async (siteId) => (await sites.byId(siteId))?.hasChatSlas === true,
});

/** What visitors are shown of a site besides its chats. */
const aboutSites = ({ sites, faces }: ReturnType<typeof createCaches>, { mailer }: SettledServices) => ({
  officeHoursOf: async (siteId: number) => (await sites.byId(siteId))?.officeHours ?? null,
  facesOf: faces.of,
  sendsMail: async (siteId: number) =>
    mailer !== undefined || (await sites.byId(siteId))?.hasMailServer === true,
});

const absent = (): never => {
  throw new Error('a server has its secret');
};

const createPages = (
  { log, now = () => new Date() }: AppOptions,
  db: Db,
  contextFor: ContextFactory,
): PageViewBuffer =>
  createPageViewBuffer({
    db,
    now,
    contextFor,
    onFailure: (error) => log.warn({ err: error }, 'saving open pages failed'),
  });

const createCaches = (
  { log }: AppOptions,
  { db, lookups }: { db: Db; lookups: Db },
  { languageModels }: SettledServices,
  now: () => Date,
) => ({
  sites: createSiteDirectory(lookups, now),
  tokens: createTokenAuthenticator({ db, now, log }),
  faces: createTeamFaces(lookups, now),
  models: languageModels,
  blocks: createBlockCache(lookups, now),
});

/** @returns undefined in a process that only serves requests. */
function startDeliveries(
  { config, log }: AppOptions,
  db: Database['db'],
  services: SettledServices,
  now: () => Date,
): DeliveryWorker | undefined {
  if (config.role === 'web') return undefined;
  const { delaysMs } = config.webhooks;
  return createDeliveryWorker({ db, log, services, delaysMs, gentle: config.role === 'all', now });
}

/** From where the hub reads what sockets have missed. */
const createLiveFeed = (db: Db, { attachmentUrl }: SettledServices, now: () => Date) => ({
  ...createFeed(db, { attachmentUrl, now }),
  tickets: async (siteId: number, ids: readonly number[]) =>
    (await ticketsOfIds({ db, site: { id: siteId } }, ids)).map(presentTicketSummary),
  notifications: (siteId: number, ids: readonly number[]) => notificationNews(db, siteId, ids, now()),
});
