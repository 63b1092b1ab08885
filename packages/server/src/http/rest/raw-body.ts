import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';

/** A larger body isn't read to its end: the connection is closed with the response. */
export const tooLarge = (maxBytes: number): AppError =>
  new AppError('payload_too_large', `The file is larger than ${Math.floor(maxBytes / 1024)} KiB.`, {
    reason: 'upload_large',
    values: { megabytes: Math.round((maxBytes / 1024 / 1024) * 10) / 10 },
    headers: { connection: 'close' },
  });

/** The body of a route of `takeRaw`; empty where a request has none. @throws AppError 413 */
export async function readBody({ body }: FastifyRequest, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Bodies of these routes are streams, whatever their content type. Excess data is dropped, not buffered. */
export function takeRaw(door: FastifyInstance, maxBytes: number): void {
  door.removeAllContentTypeParsers();
  door.addContentTypeParser('*', { bodyLimit: maxBytes + 1 }, (_request, body, done) => done(null, body));
}
