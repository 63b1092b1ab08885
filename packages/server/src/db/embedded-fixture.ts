import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { clusterFolder } from './embedded-cluster.ts';
import { findPostmaster, stopPostmaster } from './embedded-postmaster.ts';

// For the tests of the embedded PostgreSQL alone.

const OWNER_SCRIPT = `
  import { openDataFolder } from ${JSON.stringify(new URL('../data-folder.ts', import.meta.url).href)};
  import { startEmbeddedPostgres } from ${JSON.stringify(new URL('./embedded.ts', import.meta.url).href)};
  try {
    const { dir } = await openDataFolder(process.argv[1]);
    const { url } = await startEmbeddedPostgres({ dataDir: dir, log: () => {} });
    console.log(JSON.stringify({ url }));
    process.stdin.resume();
  } catch (error) {
    console.log(JSON.stringify({ refused: error.name + ': ' + error.message }));
  }`;

export interface Owner {
  process: ChildProcess;
  /** What it said first: the URL, or why it did not start. */
  said: Promise<{ url?: string; refused?: string }>;
}

/** The command of a process that starts the PostgreSQL of a data folder and then stays. */
export function ownerCommand(dataDir: string): [string, ...string[]] {
  return [process.execPath, '--input-type=module', '-e', OWNER_SCRIPT, dataDir];
}

/** Runs such a command, with `prefix` before it, as the given user. */
export function spawnOwner(
  dataDir: string,
  prefix: string[] = [],
  identity: { uid?: number; gid?: number } = {},
): Owner {
  const [command = '', ...args] = [...prefix, ...ownerCommand(dataDir)];
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'], cwd: '/', ...identity });
  const said = new Promise<{ url?: string; refused?: string }>((resolve, reject) => {
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (text.includes('\n')) resolve(JSON.parse(text));
    });
    child.once('error', reject);
    child.once('close', () => reject(new Error(`ended, having said: ${text}`)));
  });
  said.catch(() => {});
  return { process: child, said };
}

export async function killHard(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** A folder of folders for a test; `clear` ends what still runs in them and removes them. */
export async function makeGround(parent: string): Promise<{ dir: string; clear(): Promise<void> }> {
  await mkdir(parent, { recursive: true });
  const dir = await mkdtemp(join(parent, 'foyer-pg-'));
  const clear = async () => {
    await rm(dir, { recursive: true, maxRetries: 5 });
  };
  return { dir, clear };
}

export async function endPostgres(dataDir: string): Promise<void> {
  const found = await findPostmaster(clusterFolder(dataDir));
  if (found) await stopPostmaster(found.pid, clusterFolder(dataDir));
}

/** One statement on a connection of its own. */
export async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query(sql)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Asks until there is an answer that is not undefined; the test's own time limit ends it. */
export async function until<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await delay(5);
  }
}
