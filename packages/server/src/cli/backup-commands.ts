import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import type pg from 'pg';
import type { BackupReader } from '../backup/backup-reader.ts';
import { dump, type Secrets, secretsFor } from '../backup/dump.ts';
import { encrypted } from '../backup/encryption.ts';
import { compareCounts, load, migrationsUpTo } from '../backup/load.ts';
import { type Manifest, summaryOf } from '../backup/manifest.ts';
import { storeBackup } from '../backup/store.ts';
import { StartError } from '../base/start-error.ts';
import { writeWhole } from '../base/whole-file.ts';
import { type Config, readConfig } from '../config.ts';
import { Keyring, secretCheck } from '../core/keyring.ts';
import { openDataFolder } from '../data-folder.ts';
import type { Db } from '../db/database.ts';
import { startEmbeddedPostgres } from '../db/embedded/embedded.ts';
import { migrateAt } from '../db/migrate.ts';
import { openQueue } from '../jobs/queue.ts';
import { readAdopted } from '../secrets/installation.ts';
import { findSecrets, isSecretStored, keepSecrets, writeSecrets } from '../server-secret.ts';
import { type Answer, answers, table } from './answer.ts';
import { configuredPlace, openBackup } from './backup-files.ts';
import { copyCluster } from './base-backup.ts';
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

interface VerifyOptions {
  identity?: string;
}

interface RestoreOptions extends VerifyOptions {
  withoutJobs?: boolean;
}

async function secretsOf(config: Config, db: Db): Promise<Secrets> {
  const secrets = await findSecrets(config);
  if (secrets === undefined)
    throw new StartError(
      `No secret in ${config.dataDir}. Set FOYER_SECRET or FOYER_DATA_DIR to the server's values.`,
    );
  const keys = new Keyring(secrets);
  await readAdopted(db, keys);
  return secretsFor(keys, config);
}

const totalRows = ({ tables }: Manifest): number => tables.reduce((sum, { rows }) => sum + rows, 0);

const rowsIn = (manifest: Manifest): string =>
  `${totalRows(manifest)} rows${manifest.secret === null ? '' : ', including the installation secret,'}`;

/** Works on a connection of its own, without the pool's time limits. */
async function withConnection<T>(
  work: (client: pg.Client, config: Config, secrets: Secrets) => Promise<T>,
): Promise<T> {
  return withWorkplace(async ({ config, database }) => {
    // A backup of a folder that was never started has no secret yet, but the format requires one.
    if (config.databaseUrl === undefined) await keepSecrets(config);
    const secrets = await secretsOf(config, database.db);
    const client = await connect(database.url);
    return work(client, config, secrets).finally(() => client.end());
  });
}

const backUpTo = (file: string): Promise<Answer> =>
  withConnection(async (client, config, secrets) => {
    const { backupRecipients: recipients } = config;
    const manifest = await dump(client, secrets, async (source) =>
      writeWhole(file, await encrypted(source, recipients)),
    );
    const { size: bytes } = await stat(file);
    const protect = recipients.length > 0 ? 'It is encrypted.' : 'Protect this file like the server itself.';
    return {
      data: { file, bytes, is_encrypted: recipients.length > 0, ...summaryOf(manifest) },
      words: `Backed up ${rowsIn(manifest)} to ${file} (${bytes} bytes). ${protect}`,
    };
  });

const backUpNow = (): Promise<Answer> =>
  withConnection(async (client, config, secrets) => {
    const place = configuredPlace(config);
    const { name, manifest, deleted } = await storeBackup(client, {
      place,
      recipients: config.backupRecipients,
      secrets,
      keep: config.backups?.keep ?? Number.POSITIVE_INFINITY,
      now: new Date(),
    });
    const file = `${place.words}/${name}`;
    return {
      data: { file, deleted, is_encrypted: config.backupRecipients.length > 0, ...summaryOf(manifest) },
      words: `Backed up ${rowsIn(manifest)} to ${file}.`,
    };
  });

async function listBackups(): Promise<Answer> {
  const place = configuredPlace(readConfig());
  const backups = await place.list();
  const rows = backups.map(({ name, bytes }) => [name, String(bytes)]);
  return {
    data: {
      place: place.words,
      backups: backups.map(({ name, at, bytes }) => ({ name, created_utc: at.toISOString(), bytes })),
    },
    words: rows.length > 0 ? table(['BACKUP', 'BYTES'], rows) : `No backups in ${place.words} yet.`,
  };
}

/** Restores into a temporary PostgreSQL of its own: the only way to be sure that the backup can be restored. */
async function verify(given: string, identity?: string): Promise<Answer> {
  const began = performance.now();
  const { name, reader } = await openBackup(given, readConfig(), identity);
  try {
    const manifest = await reader.manifest();
    await migrationsUpTo(manifest.migration);
    const { jobs: kinds } = await import('../registry.ts');
    await inThrowAway(async (url) => {
      const openQueueThere = () => openQueue({ url }, kinds, commandLog());
      const client = await connect(url);
      try {
        await load(client, { reader, manifest, withoutJobs: false, openQueue: openQueueThere });
        await compareCounts(client, manifest);
      } finally {
        await client.end();
      }
      await migrateAt(url);
    });
    const seconds = Math.round((performance.now() - began) / 100) / 10;
    return {
      data: { file: name, seconds, ...summaryOf(manifest) },
      words: `${name} can be restored: ${rowsIn(manifest)} from ${manifest.created_utc} and ${manifest.jobs ?? 0} waiting jobs, in ${seconds} seconds.`,
    };
  } finally {
    await reader.close();
  }
}

async function inThrowAway(work: (url: string) => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'foyer-verify-'));
  try {
    const postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined });
    await work(postgres.url).finally(postgres.stop);
  } finally {
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** @returns the secrets to store with the data, or undefined if the operator keeps the right one. */
async function secretsToKeep(config: Config, manifest: Manifest): Promise<readonly string[] | undefined> {
  const isStored = isSecretStored(config);
  const inside = isStored ? manifest.secret?.split('\n') : undefined;
  const here = inside ?? (await findSecrets(config)) ?? [];
  if (!here.some((secret) => secretCheck(secret) === manifest.secret_check))
    throw new StartError(
      isStored
        ? 'This backup needs the FOYER_SECRET it was created with. Set it and try again. Nothing was changed.'
        : "FOYER_SECRET doesn't match this backup. Set the value it was created with, or unset it if there was none. Nothing was changed.",
    );
  return isStored ? here : undefined;
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
  const secrets = await secretsToKeep(config, manifest);
  // Loaded here: only a restore needs to know all jobs.
  const { jobs: kinds } = await import('../registry.ts');
  const client = await connect(url);
  try {
    // Rows without the secret that decrypts them would be lost; a secret without rows does no harm.
    const beforeCommit = async (): Promise<void> => {
      if (secrets !== undefined) await writeSecrets(config.dataDir, secrets);
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

async function restore(given: string, { withoutJobs = false, identity }: RestoreOptions): Promise<Answer> {
  const config = readConfig();
  const { name: file, reader } = await openBackup(given, config, identity);
  try {
    const manifest = await reader.manifest();
    await migrationsUpTo(manifest.migration);
    await secretsToKeep(config, manifest);
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
  await keepSecrets(config);
  const door = await openDatabaseDoor(config);
  const { lsn, bytes } = await copyCluster(door.url, config.dataDir, folder).finally(door.close);
  return {
    data: { folder, bytes, lsn },
    words: `Copied the database to ${folder} (${bytes} bytes). With the log in ${config.walArchive}, it can be recovered to any moment from now on.`,
  };
}

const BACKUP_ARGUMENT = 'a file, s3://bucket/path, or "latest" for the newest in FOYER_BACKUP_TO';
const addIdentity = (command: Command): Command =>
  command.option('--identity <file>', 'the private keys of age for an encrypted backup');

/** Adds `backup` with `list` and `verify`, `base-backup` and `restore`, which requires an empty database without a server. */
export function addBackupCommands(foyer: Command): void {
  const backup = foyer
    .command('backup')
    .description('back up all data, even while the server runs')
    .argument(
      '[file]',
      'the backup to write; an existing file is replaced. Default: a new one in FOYER_BACKUP_TO',
    )
    .addHelpText('after', BACKUP_HELP);
  answers(backup, (_options, file) => (file === undefined ? backUpNow() : backUpTo(resolve(file))));
  answers(backup.command('list').description('list the backups in FOYER_BACKUP_TO'), listBackups);
  answers<VerifyOptions>(
    addIdentity(
      backup
        .command('verify')
        .description('restore a backup into a PostgreSQL of its own, compare it, and delete that again')
        .argument('<file>', BACKUP_ARGUMENT),
    ),
    ({ identity }, file = '') => verify(file, identity),
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
    addIdentity(
      foyer
        .command('restore')
        .description('restore a backup into an empty installation')
        .argument('<file>', BACKUP_ARGUMENT)
        .option('--without-jobs', 'leave out what waits: emails, pushes, webhooks and other jobs'),
    ).addHelpText('after', RESTORE_HELP),
    (options, file = '') => restore(file, options),
  );
}
