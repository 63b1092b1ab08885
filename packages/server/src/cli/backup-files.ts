import { parse, resolve } from 'node:path';
import { BackupReader } from '../backup/backup-reader.ts';
import { decrypted, readIdentities } from '../backup/encryption.ts';
import { openPlace } from '../backup/open-place.ts';
import type { BackupPlace } from '../backup/place.ts';
import { readS3Address } from '../backup/settings.ts';
import { StartError } from '../base/start-error.ts';
import type { Config } from '../config.ts';

/** How a command names the newest backup in FOYER_BACKUP_TO. */
const LATEST = 'latest';

/** @throws StartError without FOYER_BACKUP_TO */
export function configuredPlace({ backups, s3 }: Config): BackupPlace {
  if (backups === undefined)
    throw new StartError('Set FOYER_BACKUP_TO to the place of your backups, or name a file.');
  return openPlace(backups.to, s3);
}

interface Opened {
  /** The folder, or `s3://bucket/prefix`, for people to read. */
  name: string;
  reader: BackupReader;
}

/**
 * Opens a backup to be read once: a file, `s3://bucket/path`, or `latest`.
 * @param identityFile with the private keys for an encrypted one
 * @throws StartError if there is none, or no key fits
 */
export async function openBackup(given: string, config: Config, identityFile?: string): Promise<Opened> {
  const identities = identityFile === undefined ? [] : await readIdentities(resolve(identityFile));
  const { place, file } = await findBackup(given, config);
  const name = `${place.words}/${file}`;
  return { name, reader: new BackupReader(name, await decrypted(await place.read(file), identities)) };
}

async function findBackup(given: string, config: Config): Promise<{ place: BackupPlace; file: string }> {
  if (given === LATEST) {
    const place = configuredPlace(config);
    const [newest] = await place.list();
    if (newest === undefined) throw new StartError(`There is no backup in ${place.words}.`);
    return { place, file: newest.name };
  }
  const s3 = readS3Address(given);
  const { dir, base: file } = parse(s3 ? s3.prefix : resolve(given));
  const address = s3 ? { ...s3, prefix: dir } : { kind: 'folder' as const, folder: dir };
  return { place: openPlace(address, config.s3), file };
}
