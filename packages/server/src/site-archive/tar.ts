import { pack } from 'tar-stream';

/** What a tar file ends with. */
export const TAR_END = Buffer.alloc(1024);

/** All bytes of a stream. */
export async function bytesOf(stream: AsyncIterable<unknown>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream) if (Buffer.isBuffer(part)) parts.push(part);
  return Buffer.concat(parts);
}

/** One entry as the bytes of a tar file: header, content, padding. Entries behind one another are a tar file. */
export async function tarEntry(name: string, content: Buffer): Promise<Buffer> {
  const tar = pack();
  tar.entry({ name, mode: 0o600, mtime: new Date(0) }, content);
  tar.finalize();
  const whole = await bytesOf(tar);
  return whole.subarray(0, whole.length - TAR_END.length);
}
