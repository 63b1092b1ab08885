import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ifMissing } from '../../base/missing-file.ts';
import { StartError } from '../../base/start-error.ts';
import type { Binaries } from './binaries.ts';
import { handOver, type Runner, spawnAs } from './runner.ts';

/** The superuser and the database of an embedded PostgreSQL. */
export const DATABASE = 'foyer';

const TEMPORARY = 'postgres.new-';

// The first object id that PostgreSQL assigns to a user's objects: a database with one may contain data.
const FIRST_USER_OID = 16384;

// Little memory, durable on disk. Written at every start, so each version has its own settings. ALTER SYSTEM overrides
// them permanently.
const SETTINGS = `# Written by Foyer at each start. To change a setting, use ALTER SYSTEM: it is kept.
listen_addresses = ''
unix_socket_permissions = 0700
max_connections = 60
shared_buffers = 64MB
huge_pages = off
fsync = on
synchronous_commit = on
full_page_writes = on
wal_buffers = 4MB
min_wal_size = 64MB
max_wal_size = 512MB
max_wal_senders = 2
max_replication_slots = 2
# No worker processes for what a small machine does not need
io_method = sync
max_worker_processes = 2
max_parallel_workers_per_gather = 0
max_parallel_maintenance_workers = 0
max_logical_replication_workers = 0
autovacuum_max_workers = 2
autovacuum_worker_slots = 2
jit = off
random_page_cost = 1.1
timezone = 'UTC'
log_timezone = 'UTC'
lc_messages = 'C'
# Statements that fail are Foyer's to report; what people wrote must not end up in this log
log_min_messages = log
log_min_error_statement = panic
log_checkpoints = off
log_line_prefix = '%m [%p] '
`;

const HOST_RULES = '# Written by Foyer at each start.\nlocal all all scram-sha-256\n';

/** The database server's folder inside a data folder. */
export function clusterFolder(dataDir: string): string {
  return join(dataDir, 'postgres');
}

/** The superuser's password, or undefined if there is no database yet. */
export async function findPassword(clusterDir: string): Promise<string | undefined> {
  const text = await readFile(join(clusterDir, 'foyer.password'), 'utf8').catch(() => undefined);
  return text?.trim();
}

/**
 * Whether there is a database that these programs can run.
 * @throws StartError for a damaged database, or one of another major version
 */
export async function clusterExists(clusterDir: string, binaries: Binaries): Promise<boolean> {
  const closed = await readdir(clusterDir).catch(
    (error) => error.code === 'EACCES' || ifMissing(false)(error),
  );
  if (closed === true) {
    throw new StartError(`The database in ${clusterDir} belongs to another user. Run Foyer as that user.`);
  }
  const version = (await readFile(join(clusterDir, 'PG_VERSION'), 'utf8').catch(ifMissing(''))).trim();
  if (version && version !== binaries.major) {
    throw new StartError(
      `The database in ${clusterDir} was created by PostgreSQL ${version}, but this Foyer includes PostgreSQL ${binaries.major}. Restore a backup into an empty data folder, or set DATABASE_URL.`,
    );
  }
  const complete = await Promise.all(
    ['PG_VERSION', 'global/pg_control', 'foyer.password'].map((name) => exists(join(clusterDir, name))),
  );
  if (complete.every(Boolean)) return true;
  if (await hasUserDatabase(clusterDir)) {
    throw new StartError(
      `The database in ${clusterDir} is damaged: files are missing. Restore a backup into an empty data folder.`,
    );
  }
  return false;
}

/** Creates a database completely or not at all: it is renamed into place once it is complete and on disk. */
export async function createCluster(
  clusterDir: string,
  binaries: Binaries,
  runner: Runner,
): Promise<string[]> {
  const dataDir = dirname(clusterDir);
  const leftOver = await setAside(clusterDir);
  const work = await mkdtemp(join(dataDir, TEMPORARY));
  try {
    const password = randomBytes(32).toString('base64url');
    await writeFile(join(work, 'password'), `${password}\n`, { mode: 0o600 });
    await handOver(work, runner);
    await runInitdb(binaries.initdb, join(work, 'data'), join(work, 'password'), runner);
    await rename(join(work, 'password'), join(work, 'data', 'foyer.password'));
    await rename(join(work, 'data'), clusterDir);
    await syncFolder(clusterDir);
    await syncFolder(dataDir);
  } finally {
    await removeTemporary(dataDir);
  }
  return leftOver;
}

/**
 * Each file is compressed, since most are cut short by the time limit and end in zeros. An existing one, as after a
 * crash, must be the same. Files are renamed into place once they are complete.
 */
const archiving = (folder: string): string => `
archive_mode = on
archive_timeout = 300
archive_command = 'if test -f ${folder}/%f.gz; then gunzip -c ${folder}/%f.gz | cmp -s - %p; else gzip -c %p > ${folder}/%f.part && mv ${folder}/%f.part ${folder}/%f.gz; fi'
`;

/** Writes this version's settings. */
export async function configureCluster(clusterDir: string, walArchive?: string): Promise<void> {
  const settings = walArchive === undefined ? SETTINGS : SETTINGS + archiving(walArchive);
  // Overwrites the existing files, which keeps their owner. The next start repairs a partial write.
  await writeFile(join(clusterDir, 'postgresql.conf'), settings);
  await writeFile(join(clusterDir, 'pg_hba.conf'), HOST_RULES);
}

async function runInitdb(
  initdb: string,
  target: string,
  passwordFile: string,
  runner: Runner,
): Promise<void> {
  const args = ['-D', target, '-U', DATABASE, '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  args.push('--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C');
  // Repeated hashing protects passwords that can be guessed, not 256 random bits; each connection would pay for it.
  args.push('--no-instructions', '--set=scram_iterations=1');
  const child = spawnAs(runner, initdb, args, ['ignore', 'ignore', 'pipe']);
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-4000);
  });
  const [code] = await once(child, 'close');
  if (code === 0) return;
  const reason = /(?:error|FATAL):\s+(.*)/.exec(errors)?.[1] ?? `exit code ${code}`;
  throw new StartError(
    `The database couldn't be created in ${dirname(dirname(target))} (initdb: ${reason}).`,
  );
}

// Moves aside the leftovers of an interrupted start or of somebody else. Never deletes them: they may be somebody's
// data.
async function setAside(clusterDir: string): Promise<string[]> {
  await removeTemporary(dirname(clusterDir));
  const entries = await readdir(clusterDir).catch(ifMissing([]));
  if (entries.length === 0) return [];
  const aside = `${clusterDir}.unusable-${Date.now()}`;
  await rename(clusterDir, aside);
  return [`${clusterDir} contained an incomplete database, moved to ${basename(aside)}`];
}

/** Removes the leftovers of an interrupted creation from the data folder. */
export async function removeTemporary(dataDir: string): Promise<void> {
  const entries = await readdir(dataDir);
  const stale = entries.filter((name) => name.startsWith(TEMPORARY));
  // An initdb of a killed start may still be writing. The next creation removes the rest.
  await Promise.all(
    stale.map((name) => rm(join(dataDir, name), { recursive: true, force: true }).catch(() => {})),
  );
}

async function hasUserDatabase(clusterDir: string): Promise<boolean> {
  const entries = await readdir(join(clusterDir, 'base')).catch(ifMissing([]));
  return entries.some((name) => Number(name) >= FIRST_USER_OID);
}

async function syncFolder(dir: string): Promise<void> {
  const handle = await open(dir, 'r');
  await handle.sync().finally(() => handle.close());
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(ifMissing(undefined))) !== undefined;
}
