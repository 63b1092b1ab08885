import { hash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ifMissing } from '../base/missing-file.ts';

// Only public content is compressed: scripts, styles, the API description, help pages. Responses that combine
// secrets or customers' data with text chosen by a stranger (REST, the desk's API, the portal's pages with the
// link's token) aren't: their compressed length would reveal to an eavesdropper how much of a guess is correct
// (BREACH).

type Encoding = 'br' | 'gzip' | 'identity';

/** The server's preference if the client has none. */
const ENCODINGS: Encoding[] = ['br', 'gzip', 'identity'];
const COMPRESSIBLE = /^(text\/|image\/svg|application\/(json|xml|manifest\+json))/;
/**
 * Level 11 takes ten times as long as 9 for 3 % less, so it is only for files: a page is compressed while its
 * reader waits.
 */
const BROTLI_QUALITY = { page: 9, file: 11 };

async function compress(body: Buffer, encoding: Encoding, quality: number): Promise<Buffer> {
  if (encoding === 'identity') return body;
  if (encoding === 'gzip') return promisify(gzip)(body, { level: zlib.Z_BEST_COMPRESSION });
  return promisify(brotliCompress)(body, { params: { [zlib.BROTLI_PARAM_QUALITY]: quality } });
}

/** A constant body, in the encodings requested so far. */
export interface StaticResponse {
  readonly type: string;
  /** Changes with the body. */
  readonly tag: string;
  /** The size of the body before compression. */
  readonly bytes: number;
  encoded(encoding: Encoding): Promise<Buffer>;
}

const shortHash = (content: string | Buffer): string => hash('sha256', content, 'base64url').slice(0, 22);

/** @param options `tag`: the source of the ETag, if it isn't the content */
export function createStaticResponse(
  type: string,
  content: string | Buffer,
  options: { tag?: string; quality?: number } = {},
): StaticResponse {
  const { tag, quality = BROTLI_QUALITY.page } = options;
  const body = Buffer.from(content);
  const made = new Map<Encoding, Promise<Buffer>>();
  return {
    type,
    tag: tag ?? shortHash(body),
    bytes: body.length,
    encoded(encoding) {
      const known = made.get(encoding) ?? compress(body, encoding, quality);
      made.set(encoding, known);
      return known;
    },
  };
}

const encodingFor = (request: FastifyRequest, type: string): Encoding =>
  COMPRESSIBLE.test(type)
    ? ((negotiate(String(request.headers['accept-encoding'] ?? '').toLowerCase(), ENCODINGS) as Encoding) ??
      'identity')
    : 'identity';

/**
 * Sets `ETag` and `Vary`. The tag is strong, so each encoding has its own. It covers the content security policy
 * too: Chromium keeps the stored policy when a 304 brings another, so a page whose policy changed must be sent
 * again.
 * @returns true if the client has this version already
 */
export function isKnown(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, tag }: Pick<StaticResponse, 'type' | 'tag'>,
): boolean {
  const policy = reply.getHeader('content-security-policy');
  const encoding = encodingFor(request, type);
  const etag = `"${policy === undefined ? tag : shortHash(tag + policy)}${encoding === 'identity' ? '' : `-${encoding}`}"`;
  void reply.header('etag', etag);
  if (COMPRESSIBLE.test(type)) void reply.header('vary', 'Accept-Encoding');
  // A proxy that compresses or decompresses makes our tag a weak one.
  const known = (request.headers['if-none-match'] ?? '')
    .split(',')
    .map((given) => given.trim().replace(/^W\//, ''));
  return known.includes(etag) || known.includes('*');
}

export const IMMUTABLE = 'public, max-age=31536000, immutable';
export const REVALIDATE = 'public, no-cache';

/** Sends the body in the client's best encoding, or a 304. Set the headers with the policy before calling it. */
export async function sendStatic(
  request: FastifyRequest,
  reply: FastifyReply,
  response: StaticResponse,
  cacheControl: string,
): Promise<FastifyReply> {
  void reply.header('cache-control', cacheControl);
  if (isKnown(request, reply, response)) return reply.code(304).send();
  const encoding = encodingFor(request, response.type);
  if (encoding !== 'identity') void reply.header('content-encoding', encoding);
  return reply.type(response.type).send(await response.encoded(encoding));
}

/**
 * Files whose address stays the same while their content changes. Their ETag is made from the content: modification
 * times prove nothing, because npm and reproducible images give all files the same one.
 */
export function createStaticFiles(): (path: string, type: string) => Promise<StaticResponse | undefined> {
  const known = new Map<string, { version: string; response: StaticResponse }>();
  return async (path, type) => {
    const file = await stat(path).catch(ifMissing(undefined));
    if (!file?.isFile()) return undefined;
    const version = `${file.mtimeMs} ${file.size}`;
    const before = known.get(path);
    if (before?.version === version) return before.response;
    const response = createStaticResponse(type, await readFile(path), { quality: BROTLI_QUALITY.file });
    known.set(path, { version, response });
    return response;
  };
}
