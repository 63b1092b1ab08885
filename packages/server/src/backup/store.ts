import { addAbortSignal } from 'node:stream';
import type pg from 'pg';
import { dump, type Secrets } from './dump.ts';
import { encrypted } from './encryption.ts';
import type { Manifest } from './manifest.ts';
import { type BackupPlace, backupName, type StoredBackup } from './place.ts';

interface StoreOptions {
  place: BackupPlace;
  /** age public keys; none: not encrypted. */
  recipients: readonly string[];
  secrets: Secrets;
  /** How many backups are kept, this one among them. */
  keep: number;
  now: Date;
  stopped?: AbortSignal;
}

/** Stores a backup in its place, and deletes those beyond the number to keep once it is complete. */
export async function storeBackup(
  client: pg.Client,
  { place, recipients, secrets, keep, now, stopped }: StoreOptions,
): Promise<{ name: string; manifest: Manifest; deleted: string[] }> {
  const name = backupName(now, recipients.length > 0);
  const manifest = await dump(client, secrets, async (file) => {
    if (stopped) addAbortSignal(stopped, file);
    await place.write(name, await encrypted(file, recipients));
  });
  const deleted = await prune(place, keep);
  return { name, manifest, deleted };
}

async function prune(place: BackupPlace, keep: number): Promise<string[]> {
  const old: StoredBackup[] = (await place.list()).slice(keep);
  for (const { name } of old) await place.remove(name);
  return old.map(({ name }) => name);
}
