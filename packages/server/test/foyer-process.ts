import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { until } from './harness.ts';
import { scratchFolder } from './scratch.ts';

const FOYER = fileURLToPath(new URL('../bin/foyer.js', import.meta.url));

/** A real installation with its own data folder and PostgreSQL, controlled through the command line. */
export interface Installation {
  port: number;
  url: string;
  dataDir: string;
  /** The output of the running server. */
  output(): string;
  start(): Promise<void>;
  /** Ends the server and resolves with its exit code or signal. */
  end(signal: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Runs `foyer … --json` and returns its one object. */
  foyer<T>(...args: string[]): Promise<T>;
  remove(): Promise<void>;
}

/** Below the range from which systems assign free ports, so that a port stays free while a server restarts. */
const PORTS = { from: 10_000, to: 32_000 };

/** Whether something accepts connections on a port of the loopback. */
export const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

/** A free port of the loopback. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.from, PORTS.to);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

export async function makeInstallation(environment: Record<string, string> = {}): Promise<Installation> {
  const dataDir = await scratchFolder('foyer-story-');
  const port = await freePort();
  const url = `http://localhost:${port}`;
  // The test run's own environment must not affect the product.
  const { DATABASE_URL: _, ...inherited } = process.env;
  const env = {
    ...inherited,
    PORT: String(port),
    FOYER_DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    ...environment,
  };
  let server: ChildProcess | undefined;
  let printed = '';

  const isServing = (): Promise<boolean> => {
    if (server?.exitCode !== null) throw new Error(`the server ended: ${printed}`);
    return fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  };

  const installation: Installation = {
    port,
    url,
    dataDir,
    output: () => printed,
    async start() {
      const started = spawn(process.execPath, [FOYER, 'start'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
      server = started;
      for (const stream of [started.stdout, started.stderr])
        stream.on('data', (chunk) => (printed += String(chunk)));
      // Otherwise the next test would only fail with refused connections.
      started.once('exit', (code, signal) => {
        if (server === started) console.error(`the server ended by itself (${code ?? signal}): ${printed}`);
      });
      await until(isServing);
    },
    async end(signal) {
      const ending = server;
      if (!ending) throw new Error('the server does not run');
      const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) =>
        ending.once('exit', (code, by) => resolve({ code, signal: by })),
      );
      ending.kill(signal);
      server = undefined;
      return ended;
    },
    foyer: (...args) =>
      new Promise((resolve, reject) => {
        execFile(process.execPath, [FOYER, ...args, '--json'], { env }, (error, stdout, stderr) => {
          if (error) reject(new Error(`foyer ${args.join(' ')}: ${stderr || stdout}`));
          else resolve(JSON.parse(stdout));
        });
      }),
    async remove() {
      if (server) await installation.end('SIGTERM');
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  return installation;
}
