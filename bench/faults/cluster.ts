import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type CutLine, openLine } from '../../packages/server/test/cut-line.ts';
import { makePostgres, type PostgresServer } from '../../packages/server/test/postgres-server.ts';
import { type RedisServer, redisProgram, startRedis } from '../../packages/server/test/redis-server.ts';
import { openRoundRobin, type RoundRobin } from '../../packages/server/test/round-robin.ts';
import { freePort, temporaryFolder } from '../foyer.ts';
import { type Ask, commandsOf } from './furnish.ts';

/** This version, as it was built. */
export const PROGRAM = join(import.meta.dirname, '..', '..', 'packages', 'server', 'bin', 'foyer.js');

/** What a process says of itself in `/metrics`. */
export interface Figures {
  residentMb: number;
  heapMb: number;
  cpuS: number;
  /** Sockets of visitors. */
  visitors: number;
}

/** One process of Foyer, always on the same port. */
export interface Node {
  readonly url: string;
  /** @param program of another version than this one */
  start(program?: string): Promise<void>;
  signal(name: NodeJS.Signals): void;
  /** SIGKILL, and its end. */
  kill(): Promise<void>;
  /** SIGTERM, and its end. @returns its exit code */
  end(): Promise<number | null>;
  /** From outside, within a second. */
  isReady(): Promise<boolean>;
  figures(): Promise<Figures>;
}

export interface Cluster {
  nodes: Node[];
  balancer: RoundRobin;
  redis: RedisServer | undefined;
  /** The database that the nodes reach now, directly. */
  postgres(): PostgresServer;
  /** The primary crashes, and its synchronous standby takes its address. Only once. */
  failOver(): Promise<void>;
  foyer: Ask;
  close(): Promise<void>;
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`, { signal: AbortSignal.timeout(1_000) }).then(
    ({ ok }) => ok,
    () => false,
  );

async function readFigures(url: string): Promise<Figures> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const lines = text.split('\n');
  const read = (name: string): number =>
    Number(lines.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1) ?? Number.NaN);
  return {
    residentMb: read('process_resident_memory_bytes') / 2 ** 20,
    heapMb: read('nodejs_heap_size_used_bytes') / 2 ** 20,
    cpuS: read('process_cpu_seconds_total'),
    visitors: read('foyer_sockets_open{kind="visitor"}'),
  };
}

/** A process that is not yet started. */
export async function makeNode(environment: Record<string, string>, logFile: string): Promise<Node> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const log = createWriteStream(logFile, { flags: 'a' });
  let child: ChildProcess | undefined;
  return {
    url,
    isReady: () => isReady(url),
    figures: () => readFigures(url),
    async start(program = PROGRAM) {
      child = spawn(process.execPath, [program, 'start'], {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...environment, PATH: process.env.PATH, PORT: String(port), LOG_LEVEL: 'warn' },
      });
      child.stdout?.pipe(log, { end: false });
      child.stderr?.pipe(log, { end: false });
      while (!(await isReady(url))) {
        if (child.exitCode !== null) throw new Error(`a node ended, see ${logFile}`);
        await delay(50);
      }
    },
    signal: (name) => void child?.kill(name),
    async kill() {
      if (!child || child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
    async end() {
      if (!child || child.exitCode !== null) return null;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      return child.exitCode;
    },
  };
}

const NOTHING = `${'0'.repeat(12)}${JSON.stringify({ nothing: 'x'.repeat(1024 ** 2) })}`;
/** From a sender that nobody knows. One message that is larger than any buffer may be; by a script, because the names of the channels are the nodes' own. */
const OVERFLOW = [
  ['CONFIG', 'SET', 'client-output-buffer-limit', 'pubsub 65536 65536 0'],
  [
    'EVAL',
    `for _, name in ipairs(redis.call('PUBSUB', 'CHANNELS')) do redis.call('PUBLISH', name, ARGV[1]) end`,
    '0',
    NOTHING,
  ],
  ['CONFIG', 'SET', 'client-output-buffer-limit', 'pubsub 33554432 8388608 60'],
];
/** A primary, and a standby that has whatever the primary has acknowledged. */
async function makePair(): Promise<{ primary: PostgresServer; standby: PostgresServer }> {
  const primary = await makePostgres({ max_connections: '150' });
  const standby = await primary.copy();
  await primary.configure({ synchronous_standby_names: 'standby' });
  await standby.configure({
    // By default it waits 5 s before it connects again, and commits wait for it.
    wal_retrieve_retry_interval: '200ms',
    primary_conninfo: `host=127.0.0.1 port=${primary.port} user=foyer application_name=standby`,
    synchronous_standby_names: '',
  });
  await writeFile(join(standby.folder, 'standby.signal'), '');
  await primary.start();
  await standby.start();
  return { primary, standby };
}

/** The buffers of all that listen overflow, so it ends their connections. */
export async function overflow(redis: RedisServer): Promise<void> {
  for (const command of OVERFLOW) await redis.ask(...command);
}

/** Three nodes behind a balancer, on a PostgreSQL with a standby behind one address, with Redis if it is installed. */
export async function makeCluster(count: number, withRedis: boolean): Promise<Cluster> {
  const folder = await temporaryFolder();
  const { primary, standby } = await makePair();
  let current = primary;
  const line: CutLine = await openLine(() => current.port);
  const redis = withRedis && redisProgram ? await startRedis() : undefined;
  const nodes: Node[] = [];
  const balancer = await openRoundRobin(() => nodes.map(({ url }) => Number(new URL(url).port)));
  const shared = {
    DATABASE_URL: `postgres://foyer@127.0.0.1:${line.port}/postgres`,
    FOYER_SECRET: randomBytes(32).toString('base64url'),
    FOYER_BASE_URL: balancer.url,
    FOYER_WEBHOOK_ALLOW_PRIVATE: 'true',
    // All visitors have one address here.
    FOYER_LIMIT_FACTOR: '1000',
    FOYER_WEBHOOK_DELAYS: '1s,2s,5s,10s,30s',
    ...(redis ? { REDIS_URL: redis.url } : {}),
  };
  const environment = (name: string) => ({ ...shared, FOYER_DATA_DIR: join(folder.dir, name) });
  for (let place = 0; place < count; place++)
    nodes.push(await makeNode(environment(`node-${place}`), join(folder.dir, `node-${place}.log`)));
  console.log(`logs of the nodes: ${folder.dir}`);
  for (const node of nodes) await node.start();
  return {
    nodes,
    balancer,
    redis,
    postgres: () => current,
    async failOver() {
      line.cut();
      await primary.stop('SIGQUIT');
      await standby.query('select pg_promote()');
      current = standby;
      line.mend();
    },
    foyer: commandsOf(PROGRAM, environment('cli')),
    async close() {
      await Promise.all(nodes.map((node) => node.kill()));
      await redis?.close();
      await balancer.close();
      await line.close();
      await standby.stop();
      await primary.stop();
    },
  };
}
