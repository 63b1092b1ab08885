import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** An answer that is the same for everybody as long as the process lives. */
export interface MadeOnce {
  type: string;
  body: Buffer;
  gzip: Buffer;
  /** A strong one of each encoding, as each is other bytes. */
  etags: { body: string; gzip: string };
}

export function madeOnce(type: string, text: string): MadeOnce {
  const body = Buffer.from(text);
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 22);
  return { type, body, gzip: gzipSync(body), etags: { body: `"${hash}"`, gzip: `"${hash}-gzip"` } };
}

const accepts = (header: string | undefined): boolean =>
  /(^|[\s,])gzip\s*(;\s*q=(?!0(\.0*)?\s*(,|$))[\d.]+\s*)?(,|$)/i.test(header ?? '');

/**
 * From memory, compressed for who takes it; 304 for who has it already.
 * @param keep `immutable` where the address changes with what it shows.
 */
export function sendMadeOnce(
  request: FastifyRequest,
  reply: FastifyReply,
  made: MadeOnce,
  keep: 'revalidate' | 'immutable' = 'revalidate',
): FastifyReply {
  const zipped = accepts(request.headers['accept-encoding']);
  const etag = zipped ? made.etags.gzip : made.etags.body;
  const cache = keep === 'immutable' ? 'public, max-age=31536000, immutable' : 'public, no-cache';
  void reply.headers({ etag, vary: 'Accept-Encoding', 'cache-control': cache });
  const known = (request.headers['if-none-match'] ?? '')
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''));
  if (known.includes(etag)) return reply.code(304).send();
  if (zipped) void reply.header('content-encoding', 'gzip');
  return reply.type(made.type).send(zipped ? made.gzip : made.body);
}
