import { realpath } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { StartError } from '../base/start-error.ts';
import type { Config } from '../config.ts';
import { DataFolderTaken, openDataFolder } from '../data-folder.ts';
import { findRunningPostgres, startEmbeddedPostgres } from '../db/embedded/embedded.ts';

/** Any number: held shared by whoever works on a PostgreSQL that another command may stop, exclusively to stop it. */
const GUESTS_LOCK = 5_902_771_346;
/** How long a server may take to bring its PostgreSQL up, or another command to end. */
const PATIENCE_MS = 15_000;
const POLL_MS = 100;
const CONNECT_TIMEOUT_MS = 5_000;

/** By it others see in `pg_stat_activity` that a command is at work, not a server. */
const COMMAND_NAME = 'foyer command';

export interface DatabaseDoor {
  readonly url: string;
  /** Leaves everything as it was found: a PostgreSQL that was started for this is stopped. */
  close(): Promise<void>;
}

/** A connection of its own for one long piece of work: no time limits, as the pool has them. */
export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: COMMAND_NAME,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  });
  // What was under way is told by its own promise; an idle connection that breaks is found at the next query.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Works beside whoever runs the folder's PostgreSQL. Undefined when there is none, or it is just ending. */
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

/** Waits until no other command is at work on a PostgreSQL that is about to be stopped; those who come later wait too. */
async function seeGuestsOut(url: string): Promise<pg.Client | undefined> {
  const client = await connect(url).catch(() => undefined);
  await client?.query('select pg_advisory_lock($1)', [GUESTS_LOCK]).catch(() => undefined);
  return client;
}

/**
 * Takes the data folder and starts its PostgreSQL.
 * @throws DataFolderTaken, StartError
 */
export async function enterAsOwner(dataDir: string): Promise<DatabaseDoor> {
  const folder = await openDataFolder(dataDir);
  try {
    const postgres = await startEmbeddedPostgres({ dataDir: folder.dir, log: () => undefined });
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
 * Reaches the database of this installation: DATABASE_URL, else the PostgreSQL that runs in the data folder, else one
 * that is started there for as long as the command takes.
 * @throws StartError with one clear line.
 */
export async function openDatabaseDoor({ databaseUrl, dataDir }: Config): Promise<DatabaseDoor> {
  if (databaseUrl !== undefined) return { url: databaseUrl, close: async () => undefined };
  const dir = await realpath(dataDir).catch(() => dataDir);
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const guest = await enterAsGuest(dir);
    if (guest) return guest;
    try {
      return await enterAsOwner(dir);
    } catch (error) {
      // Its holder is just starting, or ending.
      if (!(error instanceof DataFolderTaken)) throw error;
      if (Date.now() > deadline)
        throw new StartError(
          `Another Foyer uses the data folder ${dir}, but its PostgreSQL doesn't answer. If that server uses DATABASE_URL, set it here too; otherwise try again.`,
        );
    }
    await delay(POLL_MS);
  }
}
