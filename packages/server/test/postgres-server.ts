import { type ChildProcess, execFile } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chmod, cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { BINARY_ENV, findBinaries } from '../src/db/embedded/binaries.ts';
import { chooseRunner, handOver, type Runner, spawnAs } from '../src/db/embedded/runner.ts';
import { freePort } from './foyer-process.ts';
import { until } from './harness.ts';
import { scratchFolder } from './scratch.ts';

const run = promisify(execFile);

/** A PostgreSQL that listens on a TCP port of the loopback, with `trust` authentication. */
export interface PostgresServer {
  readonly port: number;
  readonly url: string;
  readonly folder: string;
  /** Appends to its settings, which take effect at its next start. */
  configure(settings: Readonly<Record<string, string>>): Promise<void>;
  start(): Promise<void>;
  /** `SIGINT` ends sessions; `SIGQUIT` stops it without a checkpoint, as a crash would. */
  stop(signal?: 'SIGINT' | 'SIGQUIT'): Promise<void>;
  /** A server on a copy of these files. Only while this one is stopped. */
  copy(): Promise<PostgresServer>;
  query(text: string): Promise<pg.QueryResult>;
}

async function serverIn(parent: string, postgres: string, runner: Runner): Promise<PostgresServer> {
  const folder = join(parent, 'cluster');
  const port = await freePort();
  const url = `postgres://foyer@127.0.0.1:${port}/postgres`;
  let child: ChildProcess | undefined;
  const query = async (text: string): Promise<pg.QueryResult> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    return client.query(text).finally(() => client.end());
  };
  return {
    port,
    url,
    folder,
    query,
    async configure(settings) {
      const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
      await appendFile(join(folder, 'postgresql.conf'), lines.join(''));
    },
    async start() {
      const args = ['-D', folder, '-p', String(port), '-c', 'unix_socket_directories='];
      const started = spawnAs(runner, postgres, args, ['ignore', 'ignore', 'pipe']);
      child = started;
      let said = '';
      started.stderr?.on('data', (text) => (said += String(text)));
      await until(async () => {
        if (started.exitCode !== null) throw new Error(`PostgreSQL ended: ${said}`);
        return query('select').then(
          () => true,
          () => false,
        );
      });
    },
    async stop(signal = 'SIGINT') {
      if (!child || child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
      child = undefined;
    },
    async copy() {
      const own = await scratchFolder('foyer-postgres-');
      const copied = await serverIn(own, postgres, runner);
      await cp(folder, copied.folder, { recursive: true });
      await handOver(copied.folder, runner);
      await chmod(copied.folder, 0o700);
      return copied;
    },
  };
}

/** A new cluster of the bundled PostgreSQL, not yet started. */
export async function makePostgres(settings: Readonly<Record<string, string>> = {}): Promise<PostgresServer> {
  const parent = await scratchFolder('foyer-postgres-');
  const { initdb, postgres } = await findBinaries();
  const runner = await chooseRunner(postgres, parent, parent);
  const server = await serverIn(parent, postgres, runner);
  await mkdir(server.folder, { mode: 0o700 });
  await handOver(server.folder, runner);
  const [command = initdb, ...rest] = [...runner.prefix, initdb];
  const args = ['-D', server.folder, '-U', 'foyer', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  await run(command, [...rest, ...args], { cwd: '/', env: BINARY_ENV, ...runner.identity });
  await server.configure({ listen_addresses: '*', fsync: 'off', ...settings });
  return server;
}

/** Gives it a certificate. */
export async function withTls(
  server: PostgresServer,
  { cert, key }: { cert: string; key: string },
): Promise<void> {
  await writeFile(join(server.folder, 'server.crt'), cert);
  await writeFile(join(server.folder, 'server.key'), key, { mode: 0o600 });
  await server.configure({ ssl: 'on' });
}
