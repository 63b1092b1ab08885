import { realpath } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { StartError } from '../base/start-error.ts';
import type { Config } from '../config.ts';
import { DataFolderTaken, openDataFolder } from '../data-folder.ts';
import { ownAddresses } from '../db/addresses.ts';
import { findRunningPostgres, startEmbeddedPostgres } from '../db/embedded/embedded.ts';

/**
 * An arbitrary lock id: shared by everything that works on a PostgreSQL that another command may stop, exclusive to
 * stop it.
 */
const GUESTS_LOCK = 5_902_771_346;
/** How long a server may take to start its PostgreSQL, or another command to end. */
const PATIENCE_MS = 15_000;
const POLL_MS = 100;
const CONNECT_TIMEOUT_MS = 5_000;

/** Shows others in `pg_stat_activity` that this is a command, not a server. */
const COMMAND_NAME = 'foyer command';

export interface DatabaseDoor {
  readonly url: string;
  /** Leaves everything as it was: stops a PostgreSQL that was started for this. */
  close(): Promise<void>;
}

/** A separate connection for long work, without the pool's time limits. */
export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: COMMAND_NAME,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  });
  // Running queries report errors through their promise. A broken idle connection is noticed by the next query.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Joins the running PostgreSQL of a folder. Undefined if there is none, or it is stopping. */
async function enterAsGuest(dataDir: string): Promise<DatabaseDoor | undefined> {
  const found = await findRunningPostgres(dataDir);
  if (!found) return undefined;
  const client = await connect(found.url).catch(() => undefined);
  if (!client) return undefined;
  try {
    await client.query('select pg_advisory_lock_shared($1)', [GUESTS_LOCK]);
  } catch {
    await client.end().catch(() => undefined);
    return undefined;
  }
  return { url: found.url, close: () => client.end() };
}

/** Waits until no other command uses a PostgreSQL that is about to be stopped. New ones wait too. */
async function seeGuestsOut(url: string): Promise<pg.Client | undefined> {
  const client = await connect(url).catch(() => undefined);
  await client?.query('select pg_advisory_lock($1)', [GUESTS_LOCK]).catch(() => undefined);
  return client;
}

/**
 * Locks the data folder and starts its PostgreSQL.
 * @throws DataFolderTaken, StartError
 */
export async function enterAsOwner({
  dataDir,
  walArchive,
}: Pick<Config, 'dataDir' | 'walArchive'>): Promise<DatabaseDoor> {
  const folder = await openDataFolder(dataDir);
  try {
    const postgres = await startEmbeddedPostgres({ dataDir: folder.dir, walArchive, log: () => undefined });
    const interrupted = (): void => void close().finally(() => process.exit(1));
    const close = async (): Promise<void> => {
      process.off('SIGINT', interrupted).off('SIGTERM', interrupted);
      const lock = await seeGuestsOut(postgres.url);
      await postgres.stop();
      await lock?.end().catch(() => undefined);
      await folder.release();
    };
    process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
    return { url: postgres.url, close };
  } catch (error) {
    await folder.release();
    throw error;
  }
}

/**
 * The address of the database that the environment names. Commands use PostgreSQL itself: they lock and copy, and need
 * few connections.
 */
export async function ownDirectUrl(config: Config): Promise<string | undefined> {
  const own = await ownAddresses(config);
  return own?.directUrl ?? own?.databaseUrl;
}

/**
 * Connects to this installation's database: DATABASE_URL, or the PostgreSQL running in the data folder, or one that
 * is started there for the duration of the command.
 * @throws StartError with one clear line
 */
export async function openDatabaseDoor(config: Config): Promise<DatabaseDoor> {
  const url = await ownDirectUrl(config);
  if (url !== undefined) return { url, close: async () => undefined };
  const { dataDir, walArchive } = config;
  const dir = await realpath(dataDir).catch(() => dataDir);
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const guest = await enterAsGuest(dir);
    if (guest) return guest;
    try {
      return await enterAsOwner({ dataDir: dir, walArchive });
    } catch (error) {
      // The holder of the folder is just starting or stopping.
      if (!(error instanceof DataFolderTaken)) throw error;
      if (Date.now() > deadline)
        throw new StartError(
          `Another Foyer uses the data folder ${dir}, but its PostgreSQL doesn't answer. If that server uses DATABASE_URL, set it here too; otherwise try again.`,
        );
    }
    await delay(POLL_MS);
  }
}
