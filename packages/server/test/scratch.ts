import { access, constants, mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeWithThisProcess } from './left-behind.ts';

/** Linux's file system in memory. Containers often get 64 MB of it. */
const MEMORY = '/dev/shm';
/** For several PostgreSQLs at once, each with up to a hundred databases of a thousand files. */
const ROOM_BYTES = 4 * 1024 ** 3;

async function hasRoom(folder: string): Promise<boolean> {
  try {
    await access(folder, constants.W_OK);
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize >= ROOM_BYTES;
  } catch {
    return false;
  }
}

/**
 * The parent of data folders that tests create: in memory if there is enough, or else the system's temporary folder. A
 * run creates and deletes hundreds of thousands of database files, on which ext4 spent a sixth of the run's CPU time.
 */
export const scratchParent: string = (await hasRoom(MEMORY)) ? MEMORY : tmpdir();

/** A new folder there, named after `prefix`. With this process, its running programs are ended and it is deleted. */
export async function scratchFolder(prefix: string): Promise<string> {
  const folder = await mkdtemp(join(scratchParent, prefix));
  removeWithThisProcess(folder);
  return folder;
}
