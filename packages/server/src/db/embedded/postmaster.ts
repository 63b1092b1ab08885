import { execFile } from 'node:child_process';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

const POLL_MS = 20;
const ORPHANS_WAIT_MS = 5_000;
/** How long to wait before the next, harsher signal. Together less than the 10 s that the server has to stop. */
const STOP_STEPS: [NodeJS.Signals, number][] = [
  ['SIGINT', 5_000],
  ['SIGQUIT', 2_000],
  ['SIGKILL', 2_000],
];

/** What a running PostgreSQL writes into its lock file, `postmaster.pid`. */
export interface Postmaster {
  pid: number;
  port: number;
  socketDir: string;
  ready: boolean;
}

/** The PostgreSQL running on the folder, if any. A lock file without its process doesn't count. */
export async function findPostmaster(clusterDir: string): Promise<Postmaster | undefined> {
  const text = await readFile(join(clusterDir, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 1 || !(await runsOn(pid, clusterDir))) return undefined;
  return {
    pid,
    port: Number(lines[3]),
    socketDir: lines[4] ?? '',
    ready: lines[7]?.trim() === 'ready',
  };
}

/**
 * Whether the process exists, is a PostgreSQL and works on this folder. A process id alone may have been reused.
 */
export async function runsOn(pid: number, clusterDir: string): Promise<boolean> {
  if (process.platform !== 'linux') return await commandNames(pid, clusterDir);
  try {
    const [home, cluster, name] = await Promise.all([
      // All PostgreSQL processes have their data folder as working directory. A zombie has none.
      stat(`/proc/${pid}/cwd`),
      stat(clusterDir),
      readFile(`/proc/${pid}/comm`, 'utf8'),
    ]);
    return home.ino === cluster.ino && home.dev === cluster.dev && name.trim() === 'postgres';
  } catch {
    return false;
  }
}

async function commandNames(pid: number, clusterDir: string): Promise<boolean> {
  const { stdout } = await run('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).catch(() => ({
    stdout: '',
  }));
  return stdout.includes('postgres') && stdout.includes(clusterDir);
}

/**
 * Removes the lock file of a killed PostgreSQL. PostgreSQL does so itself, unless its process id was reused. Waits
 * for its child processes first: only that lock file would keep a new PostgreSQL from starting beside them.
 */
export async function clearDeadPostmaster(clusterDir: string): Promise<void> {
  if (process.platform !== 'linux') return;
  const lockFile = join(clusterDir, 'postmaster.pid');
  if (!(await stat(lockFile).catch(() => undefined))) return;
  const deadline = Date.now() + ORPHANS_WAIT_MS;
  for (
    let orphans = await listOrphans(clusterDir);
    orphans.length > 0;
    orphans = await listOrphans(clusterDir)
  ) {
    if (await findPostmaster(clusterDir)) return;
    if (Date.now() > deadline) for (const pid of orphans) send(pid, 'SIGKILL');
    await delay(POLL_MS);
  }
  if (await findPostmaster(clusterDir)) return;
  await rm(lockFile, { force: true });
}

async function listOrphans(clusterDir: string): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter(Number.isInteger);
  const found = await Promise.all(pids.map(async (pid) => ((await runsOn(pid, clusterDir)) ? [pid] : [])));
  return found.flat();
}

/** Stops a PostgreSQL with a fast shutdown, and harder if that doesn't end it. */
export async function stopPostmaster(pid: number, clusterDir: string): Promise<void> {
  for (const [signal, waitMs] of STOP_STEPS) {
    if (!(await runsOn(pid, clusterDir))) return;
    send(pid, signal);
    const deadline = Date.now() + waitMs;
    while (Date.now() < deadline) {
      if (!(await runsOn(pid, clusterDir))) return;
      await delay(POLL_MS);
    }
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It exited in the meantime.
  }
}
