import { randomBytes } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { reasonOf, StartError } from './base/start-error.ts';
import type { Config } from './config.ts';

/** For the data folder's `secret` file: 256 random bits. */
const newServerSecret = (): string => randomBytes(32).toString('base64url');

const secretFile = (dataDir: string): string => join(dataDir, 'secret');

/**
 * This installation's secret: FOYER_SECRET, or the one stored beside the data. Undefined before the first start,
 * and if the data folder is on another machine.
 * @throws StartError if the file can't be read or contains none
 */
export async function findSecret({ secret, dataDir }: Config): Promise<string | undefined> {
  if (secret) return secret;
  const file = secretFile(dataDir);
  const kept = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    // An unreadable secret must not count as missing: it would be replaced.
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw new StartError(`${file} can't be read (${reasonOf(error)}).`);
  });
  if (kept === undefined) return undefined;
  if (kept.trim().length >= 32) return kept.trim();
  throw new StartError(`${file} contains no secret of at least 32 characters.`);
}

/**
 * Returns the secret, creating it on the first start. The caller holds the data folder, so no other process creates
 * one.
 */
export async function keepSecret(config: Config): Promise<string> {
  const known = await findSecret(config);
  if (known !== undefined) return known;
  const secret = newServerSecret();
  await writeSecret(config.dataDir, secret);
  return secret;
}

/** Replaces the stored secret, completely or not at all: without it, encrypted values are lost. */
export async function writeSecret(dataDir: string, secret: string): Promise<void> {
  const file = secretFile(dataDir);
  const handle = await open(`${file}.new`, 'w', 0o600);
  try {
    await handle.writeFile(`${secret}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${file}.new`, file);
}
