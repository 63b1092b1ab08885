import { copyFile, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ifMissing } from '../base/missing-file.ts';
import { StartError } from '../base/start-error.ts';
import { clusterFolder } from '../db/embedded/cluster.ts';
import { connect } from './database-door.ts';

/** Of the running server, or created by the recovery: PostgreSQL's manual, "Making a Base Backup". */
const LEFT_OUT = new Set(['postmaster.pid', 'postmaster.opts']);
/** Their folders are needed, their content isn't. */
const EMPTIED = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
]);

/** Files are created, deleted and changed meanwhile: replaying the log makes up for it. @returns the bytes copied */
async function copyFolder(from: string, to: string, isTop: boolean): Promise<number> {
  await mkdir(to, { mode: 0o700 });
  let bytes = 0;
  for (const entry of await readdir(from, { withFileTypes: true }).catch(ifMissing([]))) {
    const { name } = entry;
    if ((isTop && LEFT_OUT.has(name)) || name.startsWith('pgsql_tmp')) continue;
    const [source, target] = [join(from, name), join(to, name)];
    if (entry.isDirectory() && isTop && EMPTIED.has(name)) await mkdir(target, { mode: 0o700 });
    else if (entry.isDirectory()) bytes += await copyFolder(source, target, false);
    else if (entry.isFile()) {
      await copyFile(source, target).catch(ifMissing(undefined));
      bytes += (await stat(target).catch(ifMissing(undefined)))?.size ?? 0;
    }
  }
  return bytes;
}

/**
 * Copies a running database, so that with the archived log it can be recovered to any moment after the copy.
 * @param target a folder to create: it becomes a data folder, with the secret
 * @throws StartError if the target exists, or if PostgreSQL doesn't archive its log
 */
export async function copyCluster(
  url: string,
  dataDir: string,
  target: string,
): Promise<{ lsn: string; bytes: number }> {
  const client = await connect(url);
  try {
    const { rows: modes } = await client.query<{ archive_mode: string }>('show archive_mode');
    if (modes[0]?.archive_mode !== 'on')
      throw new StartError(
        'PostgreSQL was started without FOYER_WAL_ARCHIVE. Set it, and restart the server.',
      );
    await mkdir(target, { mode: 0o700 }).catch((error) => {
      throw error.code === 'EEXIST' ? new StartError(`${target} exists. Name a folder to create.`) : error;
    });
    await client.query("select pg_backup_start('foyer', true)");
    const bytes = await copyFolder(clusterFolder(dataDir), clusterFolder(target), true);
    // Waits until everything that the copy needs is in the archive.
    const { rows } = await client.query<{ lsn: string; labelfile: string }>(
      'select lsn::text, labelfile from pg_backup_stop(true)',
    );
    const [end] = rows;
    if (!end) throw new Error('pg_backup_stop has no row');
    await writeFile(join(clusterFolder(target), 'backup_label'), end.labelfile, { mode: 0o600 });
    await copyFile(join(dataDir, 'secret'), join(target, 'secret')).catch(ifMissing(undefined));
    return { lsn: end.lsn, bytes };
  } finally {
    await client.end();
  }
}
