import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { StartError } from '../base/start-error.ts';
import { type Config, readConfig } from '../config.ts';
import { secretCheck } from '../core/vault.ts';
import { openDataFolder } from '../data-folder.ts';
import { migrateAt } from '../db/migrate.ts';
import { openQueue } from '../jobs/queue.ts';
import { findSecret, keepSecret, writeSecret } from '../server-secret.ts';
import { type Answer, answers } from './answer.ts';
import { BackupReader } from './backup/backup-reader.ts';
import { copyCluster } from './backup/base-backup.ts';
import { dump, type Secrets } from './backup/dump.ts';
import { load, migrationsUpTo } from './backup/load.ts';
import { type Manifest, summaryOf } from './backup/manifest.ts';
import { connect, type DatabaseDoor, enterAsOwner, openDatabaseDoor, ownDirectUrl } from './database-door.ts';
import { commandLog, withWorkplace } from './workplace.ts';

const BACKUP_HELP = `
The file contains everything: personal data, password hashes and, unless FOYER_SECRET is set, the secret that decrypts
stored secrets such as those of webhooks. Only this user can read it (mode 600); keep it private. If FOYER_SECRET is
set, the file doesn't contain it: keep it yourself, because a restore needs it. Emails, pushes and other jobs that wait
are included.`;

const RESTORE_HELP = `
The database must have no sites, and no server may be running on it. All or nothing. A backup of an older version is
migrated to this one. Jobs that waited, such as emails, run once the server starts. For a copy beside the original, use
--without-jobs: nothing that the original is yet to send is sent again.`;

const BASE_BACKUP_HELP = `
Needs FOYER_WAL_ARCHIVE, and the server may run. The folder is a whole data folder, with the secret: protect it like the
server itself. With your own PostgreSQL, use its own tools.`;

interface RestoreOptions {
  withoutJobs?: boolean;
}

/** Includes the secret in the backup, unless the operator keeps it elsewhere, in FOYER_SECRET. */
async function secretsOf(config: Config): Promise<Secrets> {
  const secret = await findSecret(config);
  if (secret === undefined)
    throw new StartError(
      `No secret in ${config.dataDir}. Set FOYER_SECRET or FOYER_DATA_DIR to the server's values.`,
    );
  return { secret: config.secret === undefined ? secret : null, secret_check: secretCheck(secret) };
}

const totalRows = ({ tables }: Manifest): number => tables.reduce((sum, { rows }) => sum + rows, 0);

async function backUp(file: string): Promise<Answer> {
  return withWorkplace(async ({ config, database }) => {
    // A backup of a folder that was never started has no secret yet, but the format requires one.
    if (config.databaseUrl === undefined) await keepSecret(config);
    const client = await connect(database.url);
    try {
      const manifest = await dump(client, file, await secretsOf(config));
      const { size: bytes } = await stat(file);
      const included = manifest.secret === null ? '' : ', including the installation secret,';
      return {
        data: { file, bytes, ...summaryOf(manifest) },
        words: `Backed up ${totalRows(manifest)} rows${included} to ${file} (${bytes} bytes). Protect this file like the server itself.`,
      };
    } finally {
      await client.end();
    }
  });
}

/** @returns the secret to store with the data, or undefined if FOYER_SECRET is the right one. */
async function secretToKeep(config: Config, manifest: Manifest): Promise<string | undefined> {
  const here = config.secret ?? manifest.secret ?? (await findSecret(config));
  if (here === undefined || secretCheck(here) !== manifest.secret_check)
    throw new StartError(
      config.secret === undefined
        ? 'This backup needs the FOYER_SECRET it was created with. Set it and try again. Nothing was changed.'
        : "FOYER_SECRET doesn't match this backup. Set the value it was created with, or unset it if there was none. Nothing was changed.",
    );
  return config.secret === undefined ? here : undefined;
}

/** Opens the database exclusively: a running server makes this fail, and no server can start meanwhile. */
async function enterAlone(config: Config): Promise<DatabaseDoor> {
  const url = await ownDirectUrl(config);
  if (url === undefined) return enterAsOwner(config);
  const folder = await openDataFolder(config.dataDir);
  return { url, close: () => folder.release() };
}

interface Filling {
  config: Config;
  reader: BackupReader;
  manifest: Manifest;
  withoutJobs: boolean;
}

async function fill(url: string, { config, reader, manifest, withoutJobs }: Filling): Promise<void> {
  const secret = await secretToKeep(config, manifest);
  // Loaded here: only a restore needs to know all jobs.
  const { jobs: kinds } = await import('../registry.ts');
  const client = await connect(url);
  try {
    // Rows without the secret that decrypts them would be lost; a secret without rows does no harm.
    const beforeCommit = async (): Promise<void> => {
      if (secret !== undefined) await writeSecret(config.dataDir, secret);
    };
    await load(client, {
      reader,
      manifest,
      withoutJobs,
      openQueue: () => openQueue({ url }, kinds, commandLog()),
      beforeCommit,
    });
  } finally {
    await client.end();
  }
  await migrateAt(url);
}

async function restore(file: string, withoutJobs: boolean): Promise<Answer> {
  const config = readConfig();
  const reader = new BackupReader(file);
  try {
    const manifest = await reader.manifest();
    await migrationsUpTo(manifest.migration);
    await secretToKeep(config, manifest);
    const door = await enterAlone(config);
    await fill(door.url, { config, reader, manifest, withoutJobs }).finally(door.close);
    const jobs = withoutJobs ? 'without jobs' : `and ${manifest.jobs ?? 0} waiting jobs`;
    return {
      data: { file, ...summaryOf(manifest), ...(withoutJobs ? { jobs: 0 } : {}) },
      words: `Restored ${totalRows(manifest)} rows from ${manifest.created_utc}, ${jobs}. You can start the server now.`,
    };
  } finally {
    await reader.close();
  }
}

async function baseBackup(folder: string): Promise<Answer> {
  const config = readConfig();
  if (config.databaseUrl !== undefined)
    throw new StartError("DATABASE_URL is set: use your PostgreSQL's own tools, such as pg_basebackup.");
  if (config.walArchive === undefined)
    throw new StartError(
      'Set FOYER_WAL_ARCHIVE for the server and this command: without the log, a copy is useless.',
    );
  await keepSecret(config);
  const door = await openDatabaseDoor(config);
  const { lsn, bytes } = await copyCluster(door.url, config.dataDir, folder).finally(door.close);
  return {
    data: { folder, bytes, lsn },
    words: `Copied the database to ${folder} (${bytes} bytes). With the log in ${config.walArchive}, it can be recovered to any moment from now on.`,
  };
}

/** Adds `backup` and `restore`. Restore requires an empty database that no server uses. */
export function addBackupCommands(foyer: Command): void {
  answers(
    foyer
      .command('backup')
      .description('back up all data to one file, even while the server runs')
      .argument('<file>', 'the backup to write; an existing file is replaced')
      .addHelpText('after', BACKUP_HELP),
    (_options, file = '') => backUp(resolve(file)),
  );
  answers(
    foyer
      .command('base-backup')
      .description('copy the included PostgreSQL, to recover it to any later moment')
      .argument('<folder>', 'the folder to create')
      .addHelpText('after', BASE_BACKUP_HELP),
    (_options, folder = '') => baseBackup(resolve(folder)),
  );
  answers<RestoreOptions>(
    foyer
      .command('restore')
      .description('restore a backup into an empty installation')
      .argument('<file>', 'a file written by "foyer backup"')
      .option('--without-jobs', 'leave out what waits: emails, pushes, webhooks and other jobs')
      .addHelpText('after', RESTORE_HELP),
    ({ withoutJobs = false }, file = '') => restore(resolve(file), withoutJobs),
  );
}
