import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { delimiter, join } from 'node:path';
import { freePort, isListening } from './foyer-process.ts';
import { until } from './harness.ts';
import { scratchFolder } from './scratch.ts';

// A separate Redis or Valkey for tests, on a free port, started from the program that is installed on the machine.

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The installed program, if any. */
export const redisProgram = ['redis-server', 'valkey-server']
  .flatMap((name) => (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name)))
  .find(isProgram);

export interface RedisServer {
  port: number;
  url: string;
  /** Loses everything, like Redis without persistence. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Accepts connections and never responds. */
  hang(): void;
  goOn(): void;
  /** @returns the response's first line, without its type; of an array, all of its lines */
  ask(...command: string[]): Promise<string>;
  close(): Promise<void>;
}

interface Options {
  /** Lines of a configuration file. */
  settings?: readonly string[];
  isSentinel?: boolean;
  /** Whether it serves only TLS. `ask` doesn't work then. */
  tls?: boolean;
}

const toResp = (command: readonly string[]): string =>
  `*${command.length}\r\n${command.map((part) => `$${Buffer.byteLength(part)}\r\n${part}\r\n`).join('')}`;

/** Whether a response is complete, for the commands in tests: its announced lines are there. */
const isWhole = (text: string): boolean => {
  if (!text.endsWith('\r\n')) return false;
  const lines = text.split('\r\n');
  const [first = ''] = lines;
  if (first.startsWith('$') && first !== '$-1')
    return Buffer.byteLength(text) >= first.length + 4 + Number(first.slice(1));
  return !first.startsWith('*') || lines.length > Number(first.slice(1)) * 2;
};

async function ask(port: number, command: readonly string[]): Promise<string> {
  const socket = createConnection({ port, host: '127.0.0.1' });
  await once(socket, 'connect');
  socket.write(toResp(command));
  let text = '';
  try {
    for await (const chunk of socket) {
      text += String(chunk);
      if (isWhole(text)) break;
    }
  } finally {
    socket.destroy();
  }
  return text
    .split('\r\n')
    .filter((line) => line !== '' && !/^[$*]\d+$/.test(line))
    .map((line) => line.replace(/^[+:-]/, ''))
    .join('\n');
}

export async function startRedis({
  settings = [],
  isSentinel = false,
  tls = false,
}: Options = {}): Promise<RedisServer> {
  if (redisProgram === undefined) throw new Error('no redis-server');
  const file = redisProgram;
  const folder = await scratchFolder('foyer-redis-');
  const port = await freePort();
  const config = join(folder, 'redis.conf');
  const ports = tls ? ['port 0', `tls-port ${port}`] : [`port ${port}`];
  // Its default title would hide the folder by which it is found if this process is killed.
  const common = ['bind 127.0.0.1', `dir ${folder}`, 'save ""', 'appendonly no', 'set-proc-title no'];
  const lines = [...ports, ...common, ...settings];
  await writeFile(config, `${lines.join('\n')}\n`);
  let child: ChildProcess | undefined;
  const server: RedisServer = {
    port,
    url: `redis://127.0.0.1:${port}`,
    async start() {
      child = spawn(file, [config, ...(isSentinel ? ['--sentinel'] : [])], { stdio: 'ignore' });
      await until(() => isListening(port));
    },
    async kill() {
      const ending = child;
      child = undefined;
      if (!ending || ending.exitCode !== null) return;
      const ended = once(ending, 'exit');
      ending.kill('SIGKILL');
      await ended;
    },
    hang: () => void child?.kill('SIGSTOP'),
    goOn: () => void child?.kill('SIGCONT'),
    ask: (...command) => ask(port, command),
    async close() {
      await server.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
  await server.start();
  return server;
}
