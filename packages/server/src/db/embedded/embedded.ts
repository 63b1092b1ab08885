import { realpath, rmdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { reasonOf, StartError } from '../../base/start-error.ts';
import { findBinaries } from './binaries.ts';
import { clusterExists, clusterFolder, createCluster, findPassword, removeTemporary } from './cluster.ts';
import { bringUp, databaseUrl, type Launcher, type Running } from './launch.ts';
import { findPostmaster, type Postmaster, stopPostmaster } from './postmaster.ts';
import { chooseRunner } from './runner.ts';

const POLL_MS = 20;
const FIND_WAIT_MS = 5_000;
const RETRY_FIRST_MS = 100;
const RETRY_MAX_MS = 5_000;
/** After running this long, the retry delay starts over. */
const STEADY_MS = 60_000;

export interface EmbeddedPostgres {
  /** A `postgres://` URL with password, constant for the life of this object. */
  url: string;
  /** Shuts PostgreSQL down: cleanly if that takes less than 5 s, and within 9 s in any case. */
  stop(): Promise<void>;
}

/**
 * Starts or adopts the PostgreSQL of a data folder and keeps it running until `stop`: if it dies, it is restarted
 * at the same URL. The caller must hold the data folder (openDataFolder).
 * @throws StartError with one clear line
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string;
  /** An existing folder for the archive of the write-ahead log. */
  walArchive?: string | undefined;
  log: (line: string) => void;
}): Promise<EmbeddedPostgres> {
  try {
    const { walArchive } = options;
    const launcher = { ...(await prepare(await realpath(options.dataDir), options.log)), walArchive };
    const first = await bringUp(launcher);
    if (first.adopted) options.log(`PostgreSQL is still running (process ${first.pid}); using it`);
    return supervise(launcher, first);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`PostgreSQL couldn't be started in ${options.dataDir} (${reasonOf(error)}).`);
  }
}

/**
 * Finds the running PostgreSQL of a data folder, for a process that works beside the server that owns it and starts
 * or stops nothing. Waits a few seconds for one that is just starting.
 */
export async function findRunningPostgres(dataDir: string): Promise<{ url: string } | undefined> {
  const clusterDir = clusterFolder(await realpath(dataDir).catch(() => dataDir));
  const deadline = Date.now() + FIND_WAIT_MS;
  let found: Postmaster | undefined;
  do {
    found = await findPostmaster(clusterDir);
    const password = await findPassword(clusterDir);
    if (found?.ready && password) return { url: databaseUrl(found, password) };
    await delay(POLL_MS);
  } while (found && Date.now() < deadline);
  return undefined;
}

async function prepare(dataDir: string, log: (line: string) => void): Promise<Launcher> {
  const clusterDir = clusterFolder(dataDir);
  const binaries = await findBinaries();
  const exists = await clusterExists(clusterDir, binaries);
  const runner = await chooseRunner(binaries.postgres, dataDir, clusterDir);
  if (exists) await removeTemporary(dataDir);
  else for (const line of await createCluster(clusterDir, binaries, runner)) log(line);
  return { dataDir, clusterDir, binaries, runner, log };
}

function supervise(launcher: Launcher, first: Running): EmbeddedPostgres {
  const { clusterDir } = launcher;
  const stopping = new AbortController();
  let keeping = true;
  void keepRunning(launcher, first, stopping.signal).finally(() => {
    keeping = false;
  });
  // A restart may be in progress: also stops the PostgreSQL that it starts, until the restart has noticed the signal.
  const stop = async () => {
    stopping.abort();
    for (let last = false; !last; await delay(POLL_MS)) {
      last = !keeping;
      const found = await findPostmaster(clusterDir);
      if (found) await stopPostmaster(found.pid, clusterDir);
    }
    // A clean stop leaves it empty, and nobody would clean it up in the system's temporary folder.
    await rmdir(first.socketDir).catch(() => {});
  };
  let stopped: Promise<void> | undefined;
  return {
    url: first.url,
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}

async function keepRunning(launcher: Launcher, first: Running, stopping: AbortSignal): Promise<void> {
  const again = { ...launcher, socketDir: first.socketDir };
  const stopped = new Promise<void>((resolve) => stopping.addEventListener('abort', () => resolve()));
  let running: Running | undefined = first;
  let waitMs = 0;
  while (!stopping.aborted) {
    const since = Date.now();
    if (running) {
      await Promise.race([running.exited, stopped]);
      if (stopping.aborted) return;
      launcher.log(`PostgreSQL (process ${running.pid}) stopped; restarting it`);
    }
    if (running && Date.now() - since > STEADY_MS) waitMs = 0;
    await pause(waitMs, stopping);
    waitMs = Math.min(Math.max(waitMs * 2, RETRY_FIRST_MS), RETRY_MAX_MS);
    if (!stopping.aborted) running = await tryBringUp(again);
  }
}

async function tryBringUp(launcher: Launcher): Promise<Running | undefined> {
  try {
    const running = await bringUp(launcher);
    launcher.log(`PostgreSQL is running again (process ${running.pid})`);
    return running;
  } catch (error) {
    launcher.log(reasonOf(error));
    return undefined;
  }
}

async function pause(ms: number, stopping: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal: stopping, ref: false }).catch(() => {});
}
