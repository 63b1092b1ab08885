import { type Logger, pino } from 'pino';
import { type KnownSecrets, knowledgeServices, settledServices } from '../app/services.ts';
import { AppError } from '../base/errors.ts';
import { type Config, readConfig } from '../config.ts';
import { createContext, type Services, type SiteContext } from '../core/context.ts';
import { createEmitter } from '../core/events.ts';
import { Keyring } from '../core/keyring.ts';
import { openPublicAddress } from '../core/public-address.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { migrateAt } from '../db/migrate.ts';
import { derivedBy, firstDerived, readAdopted } from '../secrets/installation.ts';
import { findSecrets } from '../server-secret.ts';
import { BlockRules } from '../sites/blocks/rules.ts';
import { createFilesQuota } from '../sites/files-quota.ts';
import { getSite } from '../sites/sites.ts';
import { type DatabaseDoor, openDatabaseDoor } from './database-door.ts';

/**
 * A command runs its statements one after another. A few more connections are for statements beside a transaction.
 */
const POOL_MAX = 4;
const STDERR = 2;

/** What a command works with: the migrated database, and the operations that every entry point runs. */
export interface Workplace {
  readonly config: Config;
  readonly database: Database;
  /** The server's public address, with which links begin. */
  readonly baseUrl: string;
  /** The migrations applied on opening. */
  readonly migrated: readonly string[];
  /** @throws AppError 404 for an unknown site. */
  siteContext(siteId: number): Promise<SiteContext>;
  /** Runs an operation of the registry as the operator. */
  run(siteId: number, operation: string, input: object): Promise<unknown>;
}

/** Only errors, on stderr: stdout is the command's result. */
export const commandLog = (): Logger => pino({ level: 'error' }, pino.destination(STDERR));

const absent = (what: string) => (): never => {
  throw new AppError('unavailable', `The command line can't do this: ${what}.`);
};

/** The secrets as servers know them. With secrets that aren't the installation's, it uses the newest. */
async function knownSecrets(config: Config, database: Database): Promise<KnownSecrets | undefined> {
  const secrets = await findSecrets(config);
  if (secrets === undefined) return undefined;
  const keys = new Keyring(secrets);
  const isOurs = await readAdopted(database.db, keys);
  const { pushSeed } = isOurs ? await firstDerived(database.db, keys) : derivedBy(keys);
  return { keys, pushSeed };
}

async function servicesOf(config: Config, database: Database, log: Logger): Promise<Services> {
  const unknown = absent("it has no secret, set FOYER_SECRET to the server's value");
  return {
    ...settledServices(
      config,
      await openPublicAddress(database.db, config),
      await knownSecrets(config, database),
      unknown,
      log,
    ),
    // Only servers have sockets, so a command can't know who is online.
    presence: { onlineAgents: async () => [] },
    desks: { areOpen: async () => false },
    liveVisitors: { of: () => ({ visitors: [], beyond: 0 }), call: () => false },
    passing: { show: () => undefined },
    // Strangers have no access to the command line.
    admit: async () => undefined,
    filesQuota: createFilesQuota(config.siteFilesMaxBytes, () => new Date()),
    blocksOf: async () => BlockRules.NONE,
    hasChatSlas: async () => true,
    redactionOf: async (siteId) => (await getSite(database.db, siteId)).redaction,
    ...knowledgeServices(database.db, log, { ai: undefined, encoder: undefined }),
    catalogues: { catalogueOf: async () => absent('it has no help centre')() },
  };
}

interface Parts {
  config: Config;
  database: Database;
  services: Services;
  log: Logger;
}

function contextMaker({ config, database, services, log }: Parts) {
  // Servers find its changes in the outboxes.
  const emitter = createEmitter(() => undefined, { toSyslog: config.syslog !== undefined });
  return async (siteId: number): Promise<SiteContext> => {
    const { id, plan } = await getSite(database.db, siteId);
    return createContext({
      site: { id, plan },
      actor: { kind: 'operator' },
      db: database.db,
      log,
      services,
      now: () => new Date(),
      emitter,
      send: async () => absent('it runs no jobs')(),
    });
  };
}

async function operate(ctx: SiteContext, name: string, input: object): Promise<unknown> {
  // Loaded here: all operations take a quarter of a command's time, and most commands need none.
  const { findOperation, mayRun, runOperation } = await import('../registry.ts');
  const operation = findOperation(name);
  if (!operation || !mayRun(operation, ctx.actor)) throw new Error(`the operator has no operation ${name}`);
  return runOperation(operation, ctx, input);
}

async function furnish(
  config: Config,
  door: DatabaseDoor,
): Promise<{ place: Workplace; close(): Promise<void> }> {
  const log = commandLog();
  const migrated = await migrateAt(door.url);
  const database = openDatabase(door.url, { max: POOL_MAX });
  try {
    const services = await servicesOf(config, database, log);
    const siteContext = contextMaker({ config, database, services, log });
    const run = async (siteId: number, name: string, input: object): Promise<unknown> =>
      operate(await siteContext(siteId), name, input);
    const baseUrl = services.address.url;
    return {
      place: { config, database, baseUrl, migrated, siteContext, run },
      close: () => database.close(),
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Opens the migrated database for one task, and leaves everything as it was found. */
export async function withWorkplace<T>(work: (place: Workplace) => Promise<T>): Promise<T> {
  const config = readConfig();
  const door = await openDatabaseDoor(config);
  try {
    const { place, close } = await furnish(config, door);
    return await work(place).finally(close);
  } finally {
    await door.close();
  }
}
