import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type { Duplex, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { reasonOf, StartError } from '../base/start-error.ts';

/**
 * Writes a file whole or not at all, for this user alone; one that is there is replaced.
 * @param through what changes the bytes on their way, such as gzip
 * @throws StartError when the file cannot be made
 */
export async function writeWhole(file: string, source: Readable, ...through: Duplex[]): Promise<void> {
  const partial = `${file}.partial-${process.pid}`;
  try {
    // `flush`: on the disk before it gets its name.
    const target = createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true });
    await once(target, 'open').catch((error) => {
      throw new StartError(`${file} can't be written (${reasonOf(error)}).`);
    });
    await pipeline([source, ...through, target]);
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}
