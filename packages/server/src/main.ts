import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { type App, createApp, newServerSecret } from './app.ts';
import { type Config, readConfig } from './config.ts';
import { openDataFolder } from './data-folder.ts';
import { startEmbeddedPostgres } from './db/embedded.ts';
import { ensureSetupLink } from './sites/setup.ts';
import { StartError } from './start-error.ts';

/** A stop that takes longer is cut off (decisions 1: exit within 10 s). */
const STOP_MS = 9_500;

/** The secret of this installation: the one that is set, else one that is made once and kept beside the data. */
async function keepSecret(config: Config): Promise<string> {
  if (config.secret) return config.secret;
  const file = join(config.dataDir, 'secret');
  const kept = await readFile(file, 'utf8').catch(() => undefined);
  if (kept !== undefined && kept.trim().length >= 32) return kept.trim();
  if (kept !== undefined) throw new StartError(`${file} does not hold a secret of at least 32 characters.`);
  const secret = newServerSecret();
  await writeFile(file, `${secret}\n`, { mode: 0o600, flag: 'wx' });
  return secret;
}

function whyNotListening(error: unknown, { host, port }: Config): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return new StartError(`Port ${port} on ${host} is in use by another program: set PORT to a free one.`);
  if (code === 'EACCES')
    return new StartError(`Port ${port} may not be opened by this user: set PORT to 1024 or more.`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new StartError(`HOST=${host} is not an address of this machine.`);
  return error;
}

interface Running {
  app: App;
  stop(): Promise<void>;
}

/** Environment → data folder → PostgreSQL → app → listening. What was begun is undone when a later step fails. */
async function start(config: Config): Promise<Running> {
  const log = pino({ level: config.logLevel });
  const undo: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse())
      await step().catch((error) => log.error({ err: error }, 'did not stop cleanly'));
  };
  try {
    const folder = await openDataFolder(config.dataDir);
    undo.push(async () => folder.release());
    let databaseUrl = config.databaseUrl;
    if (databaseUrl === undefined) {
      const postgres = await startEmbeddedPostgres({
        dataDir: config.dataDir,
        log: (line) => log.info(line),
      });
      undo.push(() => postgres.stop());
      databaseUrl = postgres.url;
    }
    const app = await createApp({ config, databaseUrl, secret: await keepSecret(config), log });
    undo.push(() => app.close());
    await app.listen().catch((error) => {
      throw whyNotListening(error, config);
    });
    log.info(`Foyer is at ${config.baseUrl}`);
    const link =
      config.role === 'worker' ? undefined : await ensureSetupLink(app.database.db, config.baseUrl);
    if (link)
      process.stdout.write(
        `\n  Welcome to Foyer. Set up your site here (this link works once):\n\n    ${link}\n\n`,
      );
    return { app, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function fail(error: unknown): never {
  process.stderr.write(
    error instanceof StartError
      ? `${error.message}\n`
      : `Foyer could not start: ${String(error instanceof Error ? error.stack : error)}\n`,
  );
  process.exit(1);
}

/** Runs the server until it is told to stop. */
export async function main(): Promise<void> {
  const { stop } = await start(readConfig()).catch(fail);
  const end = (signal: NodeJS.Signals): void => {
    process.stdout.write(`\n  ${signal}: finishing what is in flight …\n`);
    setTimeout(() => process.exit(1), STOP_MS).unref();
    void stop().then(() => process.exit(0));
  };
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
}

if (import.meta.main) await main();
