import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { ifMissing } from '../base/missing-file.ts';
import { type Config, readConfig } from '../config.ts';
import { ownAddresses } from '../db/addresses.ts';
import { clusterFolder } from '../db/embedded/cluster.ts';
import { type Answer, answers, describeFailure } from './answer.ts';
import { connect, openDatabaseDoor } from './database-door.ts';
import { checkBackups, checkBaseBackup } from './doctor/backup-check.ts';
import { type Check, ok, type State, wrong } from './doctor/check.ts';
import {
  checkClock,
  checkConnections,
  checkDatabase,
  checkMailboxes,
  checkMigrations,
  checkNotifyQueue,
  checkPooler,
  checkWalArchive,
  checkWebhooks,
} from './doctor/database-checks.ts';
import {
  checkBaseUrl,
  checkBuild,
  checkDataFolder,
  checkDisk,
  checkNode,
  checkOpenFiles,
} from './doctor/machine-checks.ts';
import { checkRedis } from './doctor/redis-check.ts';
import { checkReplica } from './doctor/replica-check.ts';
import { checkSecret } from './doctor/secret-check.ts';

const SIGNS: Record<State, string> = { ok: 'ok     ', warning: 'warning', wrong: 'WRONG  ' };

/** A database that was never created is no error, and the doctor must not create it. */
async function wasNeverStarted({ databaseUrl, dataDir }: Config): Promise<boolean> {
  if (databaseUrl !== undefined) return false;
  return (await stat(join(clusterFolder(dataDir), 'PG_VERSION')).catch(ifMissing(undefined))) === undefined;
}

async function checkInside(url: string, config: Config): Promise<Check[]> {
  const client = await connect(url);
  try {
    const migrations = await checkMigrations(client);
    const basics = [
      await checkDatabase(client),
      migrations,
      await checkClock(client),
      await checkConnections(client, config),
      await checkNotifyQueue(client),
      await checkWalArchive(client),
      ...(await checkReplica(client, config)),
    ];
    if (migrations.state !== 'ok') return basics;
    return [
      ...basics,
      await checkSecret(client, config),
      await checkWebhooks(client),
      await checkMailboxes(client),
    ];
  } finally {
    await client.end();
  }
}

/** Nothing without a pooler. */
async function checkPooled(config: Config): Promise<Check[]> {
  if (config.databaseDirectUrl === undefined) return [];
  const own = await ownAddresses(config);
  const client = await connect(own?.databaseUrl ?? '');
  return [await checkPooler(client).finally(() => client.end())];
}

async function checkStorage(config: Config): Promise<Check[]> {
  if (await wasNeverStarted(config)) return [ok('database', 'not created yet; the first start creates it')];
  try {
    const door = await openDatabaseDoor(config);
    const inside = await checkInside(door.url, config).finally(door.close);
    const pooled = checkPooled(config).catch((error) => [wrong('pooler', describeFailure(error))]);
    return [...inside, ...(await pooled)];
  } catch (error) {
    return [wrong('database', describeFailure(error))];
  }
}

async function examine(): Promise<Answer> {
  const config = readConfig();
  const checks = [
    checkNode(process.versions.node),
    checkBaseUrl(config),
    await checkDataFolder(config.dataDir),
    await checkDisk(config.dataDir),
    await checkBuild(),
    await checkOpenFiles(),
    ...(await checkStorage(config)),
    ...(await checkBackups(config)),
    ...(await checkBaseBackup(config)),
    ...(await checkRedis(config)),
  ];
  const failed = checks.some(({ state }) => state === 'wrong');
  const lines = checks.map(({ name, state, message }) => `${SIGNS[state]}  ${name.padEnd(11)}  ${message}`);
  const verdict = failed ? 'Foyer has problems.' : 'Foyer is ready to run.';
  return { data: { ok: !failed, checks }, words: [...lines, '', verdict].join('\n'), failed };
}

/** Adds `doctor`. Changes nothing, and exits with 1 if a check is `wrong`. Warnings don't count. */
export function addDoctorCommand(foyer: Command): void {
  answers(
    foyer.command('doctor').description('check the installation; exit code 1 if something is wrong'),
    examine,
  );
}
