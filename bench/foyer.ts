import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { type Database, openDatabase } from '../packages/server/src/db/database.ts';
import { startEmbeddedPostgres } from '../packages/server/src/db/embedded/embedded.ts';
import { migrateAt } from '../packages/server/src/db/migrate.ts';
import { parentOf } from './processes.ts';

const PROGRAM = join(import.meta.dirname, '..', 'packages', 'server', 'bin', 'foyer.js');
const START_LIMIT_MS = 60_000;

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return address.port;
}

export interface RunningFoyer {
  url: string;
  process: ChildProcess;
  /** From `spawn` to the first response of /healthz. */
  startMs: number;
  stop(): Promise<void>;
}

/** Foyer as `npm start` runs it, in a separate process; `FOYER_BENCH_NODE_OPTIONS` applies only to that process. */
export async function startFoyer(environment: Record<string, string>): Promise<RunningFoyer> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const options = process.env.FOYER_BENCH_NODE_OPTIONS?.split(' ') ?? [];
  const from = performance.now();
  const child = spawn(process.execPath, [...options, PROGRAM, 'start'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      FOYER_BASE_URL: url,
      FOYER_LIMIT_FACTOR: '1000',
      ...environment,
    },
  });
  const exited = once(child, 'exit');
  while (!(await answers(`${url}/healthz`))) {
    if (child.exitCode !== null || performance.now() - from > START_LIMIT_MS) {
      child.kill('SIGKILL');
      throw new Error('Foyer did not start');
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await exited;
  };
  return { url, process: child, startMs: performance.now() - from, stop };
}

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    (response) => response.ok,
    () => false,
  );

export async function temporaryFolder(): Promise<{ dir: string; remove(): Promise<void> }> {
  const dir = await mkdtemp(join(tmpdir(), 'foyer-bench-'));
  return { dir, remove: () => rm(dir, { recursive: true, force: true, maxRetries: 5 }) };
}

export interface World {
  foyer: RunningFoyer;
  database: Database;
}

/** The first process of a database's PostgreSQL, on this machine. */
export async function postmasterBehind({ db }: Database): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  return parentOf(rows[0]?.pid ?? 0);
}

/** A migrated PostgreSQL without a server, deleted afterwards. */
export async function withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const folder = await temporaryFolder();
  const undo: (() => Promise<void>)[] = [folder.remove];
  try {
    const postgres = await startEmbeddedPostgres({ dataDir: folder.dir, log: () => undefined });
    undo.push(() => postgres.stop());
    await migrateAt(postgres.url);
    // Bulk inserts of the test data take long.
    const database = openDatabase(postgres.url, { patient: true });
    undo.push(() => database.close());
    return await work(database);
  } finally {
    for (const step of undo.reverse()) await step();
  }
}

/** A server on a PostgreSQL that this process may use too, both deleted afterwards. */
export async function withWorld<T>(
  work: (world: World) => Promise<T>,
  environment: Record<string, string> = {},
): Promise<T> {
  const folder = await temporaryFolder();
  const undo: (() => Promise<void>)[] = [folder.remove];
  try {
    const postgres = await startEmbeddedPostgres({ dataDir: folder.dir, log: () => undefined });
    undo.push(() => postgres.stop());
    const own = await temporaryFolder();
    undo.push(own.remove);
    const foyer = await startFoyer({ DATABASE_URL: postgres.url, FOYER_DATA_DIR: own.dir, ...environment });
    undo.push(() => foyer.stop());
    const database = openDatabase(postgres.url, { patient: true });
    undo.push(() => database.close());
    return await work({ foyer, database });
  } finally {
    for (const step of undo.reverse()) await step();
  }
}
