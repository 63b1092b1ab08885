import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmod, chown, lstat, mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ifMissing } from '../../base/missing-file.ts';
import { runsOn } from './postmaster.ts';
import type { Runner } from './runner.ts';

/** Only part of the socket's name. Nothing listens on a network. */
export const PORT = 5432;

/** The maximum length of a socket path on any system (macOS: 104 with the trailing zero). */
const MAX_SOCKET_PATH_BYTES = 103;

/**
 * Opens a private folder for PostgreSQL's socket: in the data folder, or below the system's temporary folder if the
 * path is too long or the file system has no sockets. `before` is the folder of an earlier start, reused if nobody
 * else has taken it.
 */
export async function openSocketFolder(dataDir: string, runner: Runner, before?: string): Promise<string> {
  if (before !== undefined && (await openPrivate(before, runner))) return before;
  const near = join(dataDir, 'run');
  if (fits(near)) {
    await mkdir(near, { mode: 0o700, recursive: true });
    await chmod(near, 0o700);
    await give(near, runner);
    if (await canListen(near)) return near;
  }
  const { dev, ino } = await stat(dataDir);
  const id = createHash('sha256').update(`${dataDir}:${dev}:${ino}`).digest('hex').slice(0, 12);
  const far = join(tmpdir(), `foyer-${runner.owner.uid}-${id}`);
  if (await openPrivate(far, runner)) return far;
  const other = await mkdtemp(`${far}-`);
  await give(other, runner);
  return other;
}

/**
 * Removes the socket lock of a killed PostgreSQL. PostgreSQL does so itself, unless the process id was reused or
 * the process wasn't reaped.
 */
export async function clearDeadSocket(socketDir: string, clusterDir: string): Promise<void> {
  const lockFile = join(socketDir, `.s.PGSQL.${PORT}.lock`);
  const text = await readFile(lockFile, 'utf8').catch(ifMissing(undefined));
  if (text === undefined || (await runsOn(Number.parseInt(text, 10), clusterDir))) return;
  await rm(lockFile, { force: true });
}

/** Whether the folder exists and only the runner can enter it. */
async function openPrivate(dir: string, runner: Runner): Promise<boolean> {
  const made = await mkdir(dir, { mode: 0o700 }).then(
    () => true,
    () => false,
  );
  if (made) await give(dir, runner);
  const found = await lstat(dir).catch(() => undefined);
  // Anybody can write to the temporary folder: somebody may have created this name first.
  return found?.isDirectory() === true && found.uid === runner.owner.uid && (found.mode & 0o077) === 0;
}

async function give(dir: string, runner: Runner): Promise<void> {
  if (process.getuid?.() === 0) await chown(dir, runner.owner.uid, runner.owner.gid);
}

function fits(dir: string): boolean {
  return Buffer.byteLength(`${dir}/.s.PGSQL.${PORT}`) <= MAX_SOCKET_PATH_BYTES;
}

async function canListen(dir: string): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(join(dir, `p${process.pid}`));
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
