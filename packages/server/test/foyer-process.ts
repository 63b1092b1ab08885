import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { until } from './harness.ts';
import { scratchFolder } from './scratch.ts';

const FOYER = fileURLToPath(new URL('../bin/foyer.js', import.meta.url));

/** A real installation: its own data folder and PostgreSQL, started and asked through the command line. */
export interface Installation {
  port: number;
  url: string;
  dataDir: string;
  /** What the running server has printed. */
  output(): string;
  start(): Promise<void>;
  /** Ends the server as asked and resolves with how it ended. */
  end(signal: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Runs `foyer … --json` and returns its one object. */
  foyer<T>(...args: string[]): Promise<T>;
  remove(): Promise<void>;
}

/** Systems give connections and servers that ask for any port one from above these: it stays free while a server restarts. */
const PORTS = { from: 10_000, to: 32_000 };

/** A port of the loopback that nothing listens on. */
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
  // Nothing of the test run's own environment may decide how the product starts.
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
      // The test that fails next would only see refused connections.
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
