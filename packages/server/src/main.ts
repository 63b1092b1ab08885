import { pino } from 'pino';
import { type App, createApp } from './app/app.ts';
import { startTracing } from './app/tracing.ts';
import { startWatchdog } from './app/watchdog/watchdog.ts';
import { currentTracer } from './base/spans.ts';
import { StartError } from './base/start-error.ts';
import { collectStartGarbage } from './base/start-garbage.ts';
import { readVersion } from './base/version.ts';
import { type Config, isRunByNpm, readConfig } from './config.ts';
import { Keyring } from './core/keyring.ts';
import { createTokenDeriver } from './core/vault.ts';
import { openDataFolder } from './data-folder.ts';
import { ownAddresses } from './db/addresses.ts';
import { startEmbeddedPostgres } from './db/embedded/embedded.ts';
import { databaseStartFailure } from './db/start-failure.ts';
import { readAdopted } from './secrets/installation.ts';
import { keepSecrets, type Secrets } from './server-secret.ts';
import { sharedSetupLink } from './sites/sign-in/setup.ts';

/** A stop that takes longer is aborted, so that the process exits within 10 s. */
const STOP_MS = 9_500;
const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

function whyNotListening(error: unknown, { host, port }: Config): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return new StartError(`Port ${port} on ${host} is already in use. Set PORT to a free port.`);
  if (code === 'EACCES')
    return new StartError(`This user may not open port ${port}. Set PORT to 1024 or higher.`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new StartError(`HOST=${host} isn't an address of this machine.`);
  return error;
}

interface Running {
  app: App;
  stop(): Promise<void>;
}

interface StartOptions {
  config: Config;
  /** Runs before the server listens. @returns what is printed once it does, instead of the setup link */
  prepare?(app: App, secret: string): Promise<string>;
}

/** The output for the owner beside the log: the setup link, until there is a site. */
async function welcome(app: App, secrets: Secrets, { role, baseUrl }: Config): Promise<string> {
  const keys = new Keyring(secrets);
  await readAdopted(app.database.db, keys);
  const derivedToken = createTokenDeriver(keys);
  const link = role === 'worker' ? undefined : await sharedSetupLink(app.database.db, baseUrl, derivedToken);
  return link ? `\n  Welcome to Foyer. Set up your site here (this link works once):\n\n    ${link}\n\n` : '';
}

/** Environment → data folder → PostgreSQL → app → listening. If a step fails, the earlier ones are undone. */
async function start({ config, prepare }: StartOptions): Promise<Running> {
  const undo: (() => Promise<void>)[] = [];
  if (config.tracing) undo.push(await startTracing(config.tracing, await readVersion()));
  const mixin = config.tracing ? { mixin: () => currentTracer()?.ids() ?? {} } : {};
  const log = pino({ level: config.logLevel, ...mixin });
  const stop = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse())
      await step().catch((error) => log.error({ err: error }, 'shutdown was not clean'));
  };
  try {
    const folder = await openDataFolder(config.dataDir);
    undo.push(async () => folder.release());
    let addresses = await ownAddresses(config);
    if (addresses === undefined) {
      const postgres = await startEmbeddedPostgres({
        dataDir: config.dataDir,
        walArchive: config.walArchive,
        log: (line) => log.info(line),
      });
      undo.push(() => postgres.stop());
      addresses = { databaseUrl: postgres.url };
    }
    const secrets = await keepSecrets(config);
    const [secret, ...olderSecrets] = secrets;
    const app = await createApp({
      config,
      ...addresses,
      secret,
      olderSecrets,
      log,
      alone: config.databaseUrl === undefined,
    });
    undo.push(() => app.close());
    // Before the server listens: a database error here must not take down a server that visitors already use.
    const words = prepare ? await prepare(app, secret) : await welcome(app, secrets, config);
    await app.listen().catch((error) => {
      throw whyNotListening(error, config);
    });
    const endWatch = startWatchdog(config.watchdogMs);
    undo.push(async () => void (await endWatch()));
    const keepGarbage = collectStartGarbage();
    undo.push(async () => keepGarbage());
    log.info(`Foyer is running at ${config.baseUrl}`);
    process.stdout.write(words);
    return { app, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function fail(thrown: unknown): never {
  const error = databaseStartFailure(thrown);
  process.stderr.write(
    error instanceof StartError
      ? `${error.message}\n`
      : `Foyer could not start: ${String(error instanceof Error ? error.stack : error)}\n`,
  );
  process.exit(1);
}

/** How often to check that the shell still exists. */
const SHELL_LOOK_MS = 1_000;

/** A signal to npm ends the shell that runs this process, without a signal to this process. */
function onShellEnded(shell: number, end: () => void): void {
  const timer = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(timer);
    end();
  }, SHELL_LOOK_MS).unref();
}

/** Runs the server until a signal ends it. */
export async function main(optionsOf: () => StartOptions = () => ({ config: readConfig() })): Promise<void> {
  // Read before the start: the shell may end meanwhile.
  const shell = process.ppid;
  const begin = async (): Promise<Running> => start(optionsOf());
  const { app, stop } = await begin().catch(fail);
  const hurry = new AbortController();
  let isEnding = false;
  const end = (signal: NodeJS.Signals): void => {
    if (isEnding) {
      hurry.abort();
      return;
    }
    isEnding = true;
    process.stdout.write(`\n  ${signal}: finishing what is in flight …\n`);
    void app.drain(hurry.signal).then(() => {
      // One more signal ends it at once.
      for (const name of SIGNALS) process.off(name, end);
      setTimeout(() => process.exit(1), STOP_MS).unref();
      void stop().then(() => process.exit(0));
    });
  };
  for (const name of SIGNALS) process.on(name, end);
  if (isRunByNpm()) onShellEnded(shell, () => end('SIGTERM'));
}
