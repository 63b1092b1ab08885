import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY_MS, HOUR_MS } from '@foyer/protocol/values/durations';
import { openPlace } from '../../backup/open-place.ts';
import { reasonOf } from '../../base/start-error.ts';
import type { Config } from '../../config.ts';
import { type Check, ok, warning } from './check.ts';

/** What PostgreSQL archives of each base backup when it ends. */
const HISTORY = /^[0-9A-F]{24}\.[0-9A-F]{8}\.backup\.gz$/;
/** Weekly, and a day late. */
const OLD_DAYS = 8;

/** The age of the newest base backup that the archive knows of. Nothing without an archive of the included PostgreSQL. */
export async function checkBaseBackup(
  { walArchive }: Pick<Config, 'walArchive'>,
  now = Date.now,
): Promise<Check[]> {
  if (walArchive === undefined) return [];
  try {
    const names = (await readdir(walArchive)).filter((name) => HISTORY.test(name));
    const times = await Promise.all(names.map(async (name) => (await stat(join(walArchive, name))).mtimeMs));
    if (times.length === 0)
      return [warning('base_backup', 'none yet, so the archive is of no use: run "foyer base-backup"')];
    const ageMs = now() - Math.max(...times);
    const message = `the newest is ${Math.floor(ageMs / HOUR_MS)} hours old`;
    return [ageMs > OLD_DAYS * DAY_MS ? warning('base_backup', message) : ok('base_backup', message)];
  } catch (error) {
    return [warning('base_backup', `${walArchive} can't be read: ${reasonOf(error)}`)];
  }
}

/** Daily, and two hours late. */
const LATE_HOURS = 26;

/** The age of the newest automatic backup. Nothing without FOYER_BACKUP_TO. */
export async function checkBackups(
  { backups, s3 }: Pick<Config, 'backups' | 's3'>,
  now = Date.now,
): Promise<Check[]> {
  if (backups === undefined) return [];
  try {
    const place = openPlace(backups.to, s3);
    const [newest] = await place.list();
    if (!newest)
      return [warning('backup', `none in ${place.words} yet: the server makes one when it starts`)];
    const hours = Math.floor((now() - newest.at.getTime()) / HOUR_MS);
    const message = `the newest in ${place.words} is ${hours} hours old`;
    return [hours >= LATE_HOURS ? warning('backup', message) : ok('backup', message)];
  } catch (error) {
    return [warning('backup', reasonOf(error))];
  }
}
