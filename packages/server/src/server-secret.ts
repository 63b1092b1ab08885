import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { reasonOf, StartError } from './base/start-error.ts';
import type { Config } from './config.ts';

const SECRET_MIN = 32;
const COMMAND_MAX_MS = 30_000;

/** The newest first. */
export type Secrets = readonly [string, ...string[]];

/** 256 random bits. */
export const newServerSecret = (): string => randomBytes(32).toString('base64url');

const secretFile = (dataDir: string): string => join(dataDir, 'secret');

/** @throws StartError if there is none, or one is too short */
function readLines(text: string, where: string): Secrets {
  const [newest, ...older] = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  if (newest === undefined || [newest, ...older].some(({ length }) => length < SECRET_MIN))
    throw new StartError(`${where} contains no secret of at least ${SECRET_MIN} characters.`);
  return [newest, ...older];
}

/**
 * The output of the command, such as one that asks a key management service. It is never in an error, because it is
 * secret.
 */
async function askCommand(command: string): Promise<Secrets> {
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', command], { timeout: COMMAND_MAX_MS }).catch(
    (error: { code?: unknown; stderr?: string }) => {
      const last = error.stderr?.trim().split('\n').at(-1) ?? '';
      throw new StartError(`FOYER_SECRET_COMMAND failed (${String(error.code)}). ${last}`.trim());
    },
  );
  return readLines(stdout, 'The output of FOYER_SECRET_COMMAND');
}

/** The secrets stored beside the data, one a line. @throws StartError if the file can't be read or contains none */
async function readSecretFile(dataDir: string): Promise<Secrets | undefined> {
  const file = secretFile(dataDir);
  const kept = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    // An unreadable secret must not count as missing: it would be replaced.
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw new StartError(`${file} can't be read (${reasonOf(error)}).`);
  });
  return kept === undefined ? undefined : readLines(kept, file);
}

/** Whether the secrets are stored beside the data, and not given by the operator. */
export const isSecretStored = ({
  secret,
  secretCommand,
}: Pick<Config, 'secret' | 'secretCommand'>): boolean => secret === undefined && secretCommand === undefined;

/**
 * This installation's secrets, the newest first: FOYER_SECRET and FOYER_SECRET_OLD, what FOYER_SECRET_COMMAND prints, or
 * those stored beside the data. Undefined before the first start, and if the data folder is on another machine.
 * @throws StartError if the file can't be read or contains none, or the command fails
 */
export async function findSecrets({
  secret,
  olderSecrets,
  secretCommand,
  dataDir,
}: Config): Promise<Secrets | undefined> {
  if (secret) return [secret, ...olderSecrets];
  return secretCommand ? askCommand(secretCommand) : readSecretFile(dataDir);
}

/**
 * Returns the secrets, creating one on the first start. The caller holds the data folder, so no other process creates
 * one.
 */
export async function keepSecrets(config: Config): Promise<Secrets> {
  const known = await findSecrets(config);
  if (known !== undefined) return known;
  const secret = newServerSecret();
  await writeSecrets(config.dataDir, [secret]);
  return [secret];
}

/** Replaces the stored secrets, completely or not at all: without them, encrypted values are lost. */
export async function writeSecrets(dataDir: string, secrets: readonly string[]): Promise<void> {
  const file = secretFile(dataDir);
  const handle = await open(`${file}.new`, 'w', 0o600);
  try {
    await handle.writeFile(`${secrets.join('\n')}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${file}.new`, file);
}
