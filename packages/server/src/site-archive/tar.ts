import { pack } from 'tar-stream';

/** The end of every tar file. */
export const TAR_END = Buffer.alloc(1024);

/** All bytes of a stream. */
export async function bytesOf(stream: AsyncIterable<unknown>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream) if (Buffer.isBuffer(part)) parts.push(part);
  return Buffer.concat(parts);
}

/** One entry of a tar file: header, content, padding. Entries one after another form a tar file. */
export async function tarEntry(name: string, content: Buffer): Promise<Buffer> {
  const tar = pack();
  tar.entry({ name, mode: 0o600, mtime: new Date(0) }, content);
  tar.finalize();
  const whole = await bytesOf(tar);
  return whole.subarray(0, whole.length - TAR_END.length);
}
