import type { ChildProcess } from 'node:child_process';
import { open, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { ifMissing } from '../../base/missing-file.ts';
import { reasonOf, StartError } from '../../base/start-error.ts';
import type { Binaries } from './binaries.ts';
import { configureCluster, DATABASE, findPassword } from './cluster.ts';
import {
  clearDeadPostmaster,
  findPostmaster,
  type Postmaster,
  runsOn,
  stopPostmaster,
} from './postmaster.ts';
import { handOver, type Runner, spawnAs } from './runner.ts';
import { clearDeadSocket, openSocketFolder, PORT } from './socket.ts';

const POLL_MS = 10;
const ADOPTED_POLL_MS = 250;
/** A PostgreSQL that claims to be ready but doesn't answer for this long is replaced instead of adopted. */
const ANSWER_WAIT_MS = 5_000;
const SLOW_START_MS = 10_000;
const CONNECT_TIMEOUT_MS = 3_000;
const MAX_LOG_BYTES = 5_000_000;
const LOG_TAIL_BYTES = 8_000;
const MISSING_DATABASE = '3D000';

export interface Launcher {
  dataDir: string;
  clusterDir: string;
  binaries: Binaries;
  runner: Runner;
  /** Where the socket must be, so that a restart keeps the URL. Unset: a new place is chosen. */
  socketDir?: string;
  /** Where the write-ahead log is archived. */
  walArchive?: string | undefined;
  log: (line: string) => void;
}

/** A PostgreSQL that answers. `exited` settles when its process ends, for any reason. */
export interface Running {
  pid: number;
  url: string;
  socketDir: string;
  /** It was running before, so it isn't a child of this process. */
  adopted: boolean;
  exited: Promise<void>;
}

/**
 * Starts the one PostgreSQL of a data folder, or adopts a running one.
 * @throws StartError if it doesn't start
 */
export async function bringUp(launcher: Launcher): Promise<Running> {
  const { clusterDir } = launcher;
  const found = await findPostmaster(clusterDir);
  if (found) {
    const url = await untilAnswers(launcher, found);
    if (url) return adopt(found, url, clusterDir);
    await stopPostmaster(found.pid, clusterDir);
  }
  await clearDeadPostmaster(clusterDir);
  return await launch(launcher);
}

/** The URL of a database, with its password. */
export function databaseUrl(postmaster: Postmaster, password: string, database = DATABASE): string {
  const host = encodeURIComponent(postmaster.socketDir);
  return `postgres://${DATABASE}:${password}@localhost:${postmaster.port}/${database}?host=${host}`;
}

async function launch(launcher: Launcher): Promise<Running> {
  const { dataDir, clusterDir, runner, binaries } = launcher;
  await handOver(clusterDir, runner);
  await configureCluster(clusterDir, launcher.walArchive);
  const socketDir = await openSocketFolder(dataDir, runner, launcher.socketDir);
  await clearDeadSocket(socketDir, clusterDir);
  const logFile = await openLog(dataDir);
  // The setting is a list. Quotes keep a comma in the path from splitting it.
  const quoted = `"${socketDir.replaceAll('"', '""')}"`;
  const args = ['-D', clusterDir, '-p', String(PORT), '-c', `unix_socket_directories=${quoted}`];
  const child = spawnAs(runner, binaries.postgres, args, ['ignore', logFile.fd, logFile.fd]);
  // Listens right away: a PostgreSQL that rejects its settings exits within milliseconds.
  const exited = ended(child);
  await logFile.close();
  child.unref();
  const postmaster = await untilListed(launcher, exited);
  const url = postmaster && (await untilAnswers(launcher, postmaster));
  if (postmaster && url) {
    if (postmaster.pid !== child.pid) return adopt(postmaster, url, clusterDir);
    return { pid: postmaster.pid, url, socketDir, adopted: false, exited };
  }
  if (child.pid !== undefined) await stopPostmaster(child.pid, clusterDir);
  throw new StartError(`PostgreSQL didn't start in ${clusterDir} (${await lastComplaint(dataDir)}).`);
}

function adopt({ pid, socketDir }: Postmaster, url: string, clusterDir: string): Running {
  return { pid, url, socketDir, adopted: true, exited: watch(pid, clusterDir) };
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
}

/** Waits for the lock file. If the child exits, another one may hold the folder that is just starting. */
async function untilListed(launcher: Launcher, exited: Promise<void>): Promise<Postmaster | undefined> {
  let gone = false;
  void exited.then(() => {
    gone = true;
  });
  while (!gone) {
    const postmaster = await findPostmaster(launcher.clusterDir);
    if (postmaster) return postmaster;
    await delay(POLL_MS);
  }
  return await findPostmaster(launcher.clusterDir);
}

/**
 * Waits until it accepts a connection and has our database. Crash recovery can take any time, so there is no limit
 * before it reports that it is ready. Undefined if it exited or doesn't answer.
 */
async function untilAnswers(launcher: Launcher, postmaster: Postmaster): Promise<string | undefined> {
  const { clusterDir, log } = launcher;
  const password = (await findPassword(clusterDir)) ?? '';
  const slow = Date.now() + SLOW_START_MS;
  let told = false;
  let deadline: number | undefined;
  while (await runsOn(postmaster.pid, clusterDir)) {
    const now = await findPostmaster(clusterDir);
    if (now?.ready) {
      deadline ??= Date.now() + ANSWER_WAIT_MS;
      const problem = await tryDatabase(now, password);
      if (!problem) return databaseUrl(now, password);
      if (Date.now() > deadline) {
        log(`PostgreSQL (process ${postmaster.pid}) doesn't answer: ${problem}`);
        return undefined;
      }
    }
    if (!told && Date.now() > slow) {
      told = true;
      log('PostgreSQL is recovering from its last stop; Foyer starts when it has finished');
    }
    await delay(POLL_MS);
  }
  return undefined;
}

async function tryDatabase(postmaster: Postmaster, password: string): Promise<string | undefined> {
  try {
    await query(databaseUrl(postmaster, password), 'SELECT 1');
    return undefined;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== MISSING_DATABASE) return reasonOf(error);
  }
  try {
    await query(databaseUrl(postmaster, password, 'postgres'), `CREATE DATABASE ${DATABASE}`);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

async function query(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** Settles when a process that isn't our child has ended. */
async function watch(pid: number, clusterDir: string): Promise<void> {
  while (await runsOn(pid, clusterDir)) await delay(ADOPTED_POLL_MS, undefined, { ref: false });
}

async function openLog(dataDir: string) {
  const path = join(dataDir, 'postgres.log');
  const found = await stat(path).catch(ifMissing(undefined));
  if (found && found.size > MAX_LOG_BYTES) await rename(path, `${path}.1`);
  return await open(path, 'a', 0o600);
}

async function lastComplaint(dataDir: string): Promise<string> {
  const path = join(dataDir, 'postgres.log');
  const tail = (await readFile(path, 'utf8').catch(() => '')).slice(-LOG_TAIL_BYTES);
  const complaints = [...tail.matchAll(/(?:FATAL|PANIC|error|postgres):\s+(.*)/g)];
  return `${complaints.at(-1)?.[1] ?? 'no message'}; more in ${path}`;
}
