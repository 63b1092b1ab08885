import { createReadStream } from 'node:fs';
import { reasonOf, StartError } from '../base/start-error.ts';

/**
 * Reads a file, or stdin for `-`, as UTF-8 without a byte order mark.
 * @param maxBytes nothing beyond this is read, so an endless input is refused too
 * @throws StartError
 */
export async function readText(file: string, maxBytes: number): Promise<string> {
  const name = file === '-' ? 'stdin' : file;
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of file === '-' ? process.stdin : createReadStream(file)) {
      const bytes = Buffer.from(chunk);
      size += bytes.length;
      if (size > maxBytes) break;
      chunks.push(bytes);
    }
  } catch (error) {
    throw new StartError(`${name} can't be read (${reasonOf(error)}).`);
  }
  if (size > maxBytes) throw new StartError(`${name} is over ${maxBytes} bytes.`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new StartError(`${name} isn't UTF-8 text.`);
  }
}
