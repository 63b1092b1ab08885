import { constants } from 'node:fs';
import { access, mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { reasonOf, StartError } from './base/start-error.ts';

/** How long a start waits for a server that was just killed. The wait blocks the process. */
const LOCK_WAIT_MS = 500;

/** The garbage collector would close an unreferenced lock, and so release it. */
const held = new Set<DatabaseSync>();

/** Another process holds the data folder. */
export class DataFolderTaken extends StartError {}

interface DataFolder {
  /** Absolute, with symbolic links resolved. */
  dir: string;
  release(): Promise<void>;
}

/**
 * Creates the data folder if necessary and locks it for this process. A second process is refused until `release`
 * or until this process ends in any way.
 * @throws StartError naming FOYER_DATA_DIR if the folder can't be written; DataFolderTaken
 */
export async function openDataFolder(dir: string): Promise<DataFolder> {
  const path = await writableFolder(resolve(dir));
  const pidFile = join(path, 'foyer.pid');
  const lock = await takeLock(path, pidFile);
  try {
    await writeFile(pidFile, `${process.pid}\n`, { mode: 0o600 });
  } catch (error) {
    lock.close();
    throw unwritable(path, error);
  }
  held.add(lock);
  const release = async () => {
    if (!held.delete(lock)) return;
    await rm(pidFile, { force: true });
    lock.close();
  };
  return { dir: path, release };
}

async function writableFolder(dir: string): Promise<string> {
  // PostgreSQL's lock file has the path as one of its lines.
  if (/\p{Cc}/u.test(dir)) {
    throw new StartError('FOYER_DATA_DIR is invalid: the path has a control character.');
  }
  try {
    await mkdir(dirname(dir), { recursive: true });
    await mkdir(dir, { mode: 0o700 }).catch(ignoreExisting);
    await access(dir, constants.R_OK | constants.W_OK | constants.X_OK);
    return await realpath(dir);
  } catch (error) {
    throw unwritable(dir, error);
  }
}

// Uses SQLite, which comes with Node, only for its lock: a kernel lock that is taken at once or not at all, is
// released even after kill -9, and is visible from another container on the same folder, where a process id means
// nothing. It is a POSIX lock: opening and closing this file elsewhere in the process would release it, so nothing
// else may touch `foyer.lock`.
async function takeLock(dir: string, pidFile: string): Promise<DatabaseSync> {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(join(dir, 'foyer.lock'), { timeout: LOCK_WAIT_MS });
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock?.close();
    if (!/locked/.test(reasonOf(error))) throw unwritable(dir, error);
    const pid = await readFile(pidFile, 'utf8').catch(() => '');
    const owner = /^\d+\s*$/.test(pid) ? `process ${pid.trim()}` : 'another process';
    throw new DataFolderTaken(
      `Another Foyer (${owner}) is already running on the data folder ${dir}. Stop it, or set FOYER_DATA_DIR to another folder.`,
    );
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

function unwritable(dir: string, error: unknown): StartError {
  return new StartError(`FOYER_DATA_DIR is invalid: ${dir} isn't writable (${reasonOf(error)}).`);
}
