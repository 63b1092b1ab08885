import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../test/foyer-process.ts';
import { clusterFolder } from '../db/embedded-cluster.ts';
import { findPostmaster, stopPostmaster } from '../db/embedded-postmaster.ts';

// For the tests of the command line alone: the real program in processes of its own.

const FOYER = fileURLToPath(new URL('../../bin/foyer.js', import.meta.url));
const PATIENCE_MS = 60_000;
/** A test here starts many processes, each of which loads the whole server; the machine may be busy. */
export const PROCESSES_TIMEOUT_MS = 120_000;

type Settings = Record<string, string>;

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** Nothing of the tests' own environment but what programs need to run. */
const environment = (settings: Settings): Settings => ({
  PATH: '/usr/local/bin:/usr/bin:/bin',
  HOME: tmpdir(),
  ...settings,
});

/** Runs one command to its end. */
export function foyer(args: readonly string[], settings: Settings, stdin = ''): Promise<Ran> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [FOYER, ...args],
      { env: environment(settings), cwd: tmpdir() },
      (_error, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
    child.stdin?.end(stdin);
  });
}

/** Runs a command that must go well. @returns its one JSON object. */
export async function foyerJson<T>(args: readonly string[], settings: Settings, stdin = ''): Promise<T> {
  const { code, stdout, stderr } = await foyer([...args, '--json'], settings, stdin);
  if (code !== 0) throw new Error(`foyer ${args.join(' ')} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout);
}

export async function until<T>(what: string, look: () => Promise<T | undefined | false>): Promise<T> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`${what} did not happen`);
    await delay(20);
  }
}

export interface RunningServer {
  url: string;
  process: ChildProcess;
  /** What it has said so far. */
  output(): string;
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** A data folder of its own with what runs in it. */
export class Installation {
  readonly dir: string;
  readonly #running = new Set<ChildProcess>();

  constructor(dir: string) {
    this.dir = dir;
  }

  get settings(): Settings {
    return { FOYER_DATA_DIR: join(this.dir, 'data') };
  }

  file(name: string): string {
    return join(this.dir, name);
  }

  run(args: readonly string[], stdin?: string): Promise<Ran> {
    return foyer(args, this.settings, stdin);
  }

  json<T>(args: readonly string[], stdin?: string): Promise<T> {
    return foyerJson<T>(args, this.settings, stdin);
  }

  /**
   * Begins a server (`start`, `demo`) and waits until it serves.
   * @param inShell in a shell of its own, as npm does: signals go to that
   */
  async serve(command = 'start', more: Settings = {}, inShell = false): Promise<RunningServer> {
    const port = await freePort();
    const settings = { ...this.settings, PORT: String(port), LOG_LEVEL: 'warn', ...more };
    const program = [process.execPath, FOYER, command];
    const [run = '', ...args] = inShell ? ['/bin/sh', '-c', '"$@"; exit $?', 'sh', ...program] : program;
    const child = spawn(run, args, {
      env: environment(settings),
      cwd: tmpdir(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#running.add(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    const url = `http://127.0.0.1:${port}`;
    const healthy = () =>
      fetch(`${url}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      );
    await until(`the server's start (${command})`, async () => {
      if (child.exitCode !== null) throw new Error(`the server ended: ${output}`);
      return healthy();
    });
    const end = async (signal: NodeJS.Signals): Promise<number | null> => {
      const ended = once(child, 'exit');
      child.kill(signal);
      const [code] = await ended;
      this.#running.delete(child);
      return code;
    };
    return { url, process: child, output: () => output, end };
  }

  /** Whether a PostgreSQL runs in the data folder. */
  async hasPostgres(folder = 'data'): Promise<boolean> {
    return (await findPostmaster(clusterFolder(join(this.dir, folder)))) !== undefined;
  }

  async clear(): Promise<void> {
    for (const child of this.#running) {
      const ended = once(child, 'exit');
      if (child.exitCode === null && child.kill('SIGKILL')) await ended;
    }
    for (const folder of ['data', 'data/demo']) {
      const cluster = clusterFolder(join(this.dir, folder));
      const found = await findPostmaster(cluster);
      if (found) await stopPostmaster(found.pid, cluster);
    }
    await rm(this.dir, { recursive: true, force: true, maxRetries: 5 });
  }
}

export async function newInstallation(): Promise<Installation> {
  return new Installation(await mkdtemp(join(tmpdir(), 'foyer-cli-')));
}
