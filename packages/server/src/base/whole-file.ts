import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type { Duplex, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { reasonOf, StartError } from './start-error.ts';

/**
 * Writes a file completely or not at all, readable only by this user. Replaces an existing one.
 * @param through transforms for the bytes, such as gzip
 * @throws StartError if the file can't be written
 */
export async function writeWhole(file: string, source: Readable, ...through: Duplex[]): Promise<void> {
  const partial = `${file}.partial-${process.pid}`;
  try {
    // `flush`: written to disk before it is renamed.
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
