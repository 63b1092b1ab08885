import type { FastifyInstance } from 'fastify';
import type { Actor } from '../core/actor.ts';
import type { Site, SiteContext } from '../core/context.ts';
import { Keyring } from '../core/keyring.ts';
import { type Database, type DatabaseOptions, LOOKUP_CONNECTIONS, openDatabase } from '../db/database.ts';
import { startFills } from '../db/fills.ts';
import { migrateAt } from '../db/migrate.ts';
import { openReplica, type Replica } from '../db/replica/replica.ts';
import { startImapFleet } from '../email/routes/imap/fleet.ts';
import { type MailServer, startMailServer } from '../email/routes/smtp/server.ts';
import { type Schedule, startSchedule } from '../jobs/schedule.ts';
import { joinShares } from '../jobs/shares.ts';
import type { Live } from '../realtime/live.ts';
import { openRedis, type Redis } from '../redis/redis.ts';
import { jobs, recurringJobs } from '../registry.ts';
import { firstDerived, followSecret } from '../secrets/installation.ts';
import { createSyslogForwarding } from '../syslog/forward.ts';
import { endLeases } from '../webhooks/sending/lane-leases.ts';
import { createJobContexts } from './context-factory.ts';
import { type AppOptions, createParts, type Parts } from './parts.ts';
import { buildServer } from './routes.ts';
import { joinInstallation } from './same-installation.ts';
import { shutDown } from './shutdown.ts';

export type { AppOptions } from './parts.ts';

export interface App {
  readonly server: FastifyInstance;
  readonly database: Database;
  readonly live: Live;
  /**
   * @param options `past`: the clock for events in the past, such as the demo's chats; no job is queued for them
   */
  contextFor(site: Site, actor: Actor, options?: { past?: () => Date }): SiteContext;
  /** @returns the address on which it listens */
  listen(): Promise<string>;
  /** The port that takes mail, once it listens; undefined without FOYER_MAIL_PORT. */
  readonly mailPort: number | undefined;
  /** Called before `close`, while this process still serves: `/readyz` fails, and sockets move to other processes. */
  drain(hurry: AbortSignal): Promise<void>;
  /** Stops accepting, finishes running requests, closes sockets with 1012 and releases jobs. */
  close(): Promise<void>;
}

/**
 * Connections that the operating system completes and keeps until the process accepts them, where it allows as many:
 * when a process comes back, all its visitors connect within seconds, while it has the most to do. With Node's 511, the
 * others are dropped and repeated a second later, then two, then four.
 */
const BACKLOG = 4_096;

/**
 * Assembles a process of Foyer on a database, which it migrates first. It serves nothing before `listen`.
 * @throws StartError if it can't work beside the installation's other processes
 */
export async function createApp(options: AppOptions): Promise<App> {
  const { config, log, databaseUrl, directUrl = databaseUrl, alone = false } = options;
  await migrateAt(directUrl);
  const { poolMax, statementTimeoutMs, prepared } = config.database;
  const settings: DatabaseOptions = {
    statementTimeoutMs,
    directUrl,
    prepared,
    onError: (error) => log.warn({ err: error }, 'a database connection was lost'),
  };
  const database = openDatabase(databaseUrl, { ...settings, max: poolMax });
  const lookups = openDatabase(databaseUrl, { ...settings, max: LOOKUP_CONNECTIONS });
  let redis: Redis | undefined;
  let replica: Replica | undefined;
  try {
    const keys = new Keyring([options.secret, ...(options.olderSecrets ?? [])]);
    await joinInstallation(database, keys);
    const { pushSeed, redisName } = await firstDerived(database.db, keys);
    if (alone) await endLeases(database.db);
    redis = await openConfiguredRedis(options, redisName);
    replica = await openConfiguredReplica(options, database);
    const parts = await createParts(options, { database, lookups, redis, replica, keys, pushSeed });
    const server = await buildServer(parts);
    const schedule = config.role === 'web' ? undefined : await startJobs(parts, alone);
    const following = followSecret(database.db, keys, log);
    let mailServer: MailServer | undefined;
    return {
      server,
      database,
      live: parts.live,
      contextFor: parts.contextFor,
      get mailPort() {
        return mailServer?.port;
      },
      async listen() {
        mailServer = await startConfiguredMailServer(parts);
        return server.listen({ host: config.host, port: config.port, backlog: BACKLOG });
      },
      drain: (hurry) => parts.draining.drain(config.drainMs, hurry),
      async close() {
        await Promise.all([mailServer?.stop(), following.stop()]);
        await shutDown(server, parts, schedule);
      },
    };
  } catch (error) {
    redis?.close();
    await replica?.close();
    await lookups.close();
    await database.close();
    throw error;
  }
}

/** Under a name of the installation's own, because other programs may use the same server. */
async function openConfiguredRedis({ config, log }: AppOptions, name: string): Promise<Redis | undefined> {
  if (!config.redis) return undefined;
  return openRedis({ address: config.redis, namespace: `foyer:${name}`, log });
}

/** A worker runs no operations, so it reads nothing that may lag. */
async function openConfiguredReplica(
  { config, replicaUrl, log }: AppOptions,
  primary: Database,
): Promise<Replica | undefined> {
  if (replicaUrl === undefined || config.role === 'worker') return undefined;
  const { replicaPoolMax: poolMax, replicaMaxLagMs: maxLagMs, statementTimeoutMs } = config.database;
  return openReplica({ url: replicaUrl, primary, poolMax, maxLagMs, statementTimeoutMs, log });
}

async function startConfiguredMailServer(parts: Parts): Promise<MailServer | undefined> {
  const { config, database, log, limits } = parts;
  if (!config.mailServer) return undefined;
  const contextFor = createJobContexts(parts);
  return startMailServer({ settings: config.mailServer, db: database.db, log, limits, contextFor });
}

async function startJobs(parts: Parts, alone: boolean): Promise<Pick<Schedule, 'stop'>> {
  const { config, queue, database, backups, address, log, now } = parts;
  const jobContext = createJobContexts(parts);
  if (alone) await queue.reclaim();
  await queue.work(jobs, jobContext);
  const { db, pool } = database;
  const shares = await joinShares({ db, log, alone });
  const syslog = createSyslogForwarding({
    db,
    log,
    now,
    address: config.syslog,
    host: new URL(address.url).hostname,
  });
  const chores = [...queue.chores, syslog.chore, ...(backups ? [backups.chore] : [])];
  const schedule = startSchedule({
    jobs: recurringJobs,
    chores,
    shares,
    db,
    log,
    now,
    contextFor: jobContext,
  });
  const fills = startFills({ pool, log });
  const imap = startImapFleet({ db, log, shares, guard: config.webhooks, contextFor: jobContext });
  const stop = async (): Promise<void> => {
    backups?.stop();
    await imap.stop();
    await Promise.all([schedule.stop(), fills.stop()]);
    syslog.stop();
  };
  return { stop };
}
