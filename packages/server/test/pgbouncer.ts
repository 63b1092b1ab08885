import { type ChildProcess, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findBinaries } from '../src/db/embedded/binaries.ts';
import { chooseRunner, spawnAs } from '../src/db/embedded/runner.ts';
import { freePort, isListening } from './foyer-process.ts';
import { until } from './harness.ts';
import { scratchFolder } from './scratch.ts';

const PLACES = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' };

function isInstalled(): boolean {
  try {
    execFileSync('pgbouncer', ['--version'], { env: PLACES, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether to skip the tests that need pgbouncer, which no package registry has. The run reports that; with
 * FOYER_TEST_PGBOUNCER=required they fail instead.
 */
export function lacksPgbouncer(): boolean {
  if (isInstalled()) return false;
  if (process.env.FOYER_TEST_PGBOUNCER === 'required') throw new Error('pgbouncer is not installed');
  console.warn('NOT TESTED: poolers. Install pgbouncer to run these tests.');
  return true;
}

export interface Pgbouncer {
  /** The same database through the pooler. */
  urlOf(databaseUrl: string): string;
  /** Its log. */
  output(): string;
  close(): Promise<void>;
}

/** Of pgbouncer; in session mode each of a process's connections takes one. */
const POOL_SIZE = { transaction: 20, session: 60 };

/** A pgbouncer with its default settings before the server of `databaseUrl`. */
export async function startPgbouncer(
  databaseUrl: string,
  mode: 'transaction' | 'session',
): Promise<Pgbouncer> {
  const folder = await scratchFolder('foyer-pgbouncer-');
  await mkdir(folder, { recursive: true });
  const port = await freePort();
  const { searchParams, port: serverPort, username, password } = new URL(databaseUrl);
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(
    file,
    `[databases]
* = host=${searchParams.get('host') ?? '127.0.0.1'} port=${serverPort || 5432} user=${username} password='${decodeURIComponent(password)}'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = ${POOL_SIZE[mode]}
`,
  );
  const { postgres } = await findBinaries();
  // It refuses root, as PostgreSQL does.
  const runner = await chooseRunner(postgres, folder, folder);
  const child: ChildProcess = spawnAs(runner, 'pgbouncer', [file], ['ignore', 'pipe', 'pipe']);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (output += String(text)));
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended: ${output}`);
    return isListening(port);
  });
  return {
    urlOf: (url) => `postgres://${username}:any@127.0.0.1:${port}${new URL(url).pathname}`,
    output: () => output,
    async close() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}
