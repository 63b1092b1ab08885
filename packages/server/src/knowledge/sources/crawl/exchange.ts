import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import type { SourceProblem } from '@foyer/protocol';
import { AddressRefused } from '../../../net/address-guard.ts';

/** For one request, with its body. */
const TIMEOUT_MS = 20_000;

/** A server's response to one request, without following redirects. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly content: Buffer;
}

/** Thrown for an exchange without a usable answer. */
export class ExchangeFailed extends Error {
  readonly problem: SourceProblem;

  constructor(problem: SourceProblem) {
    super(problem);
    this.problem = problem;
  }
}

interface ExchangeOptions {
  readonly headers: Record<string, string>;
  /** The limit of the body, also decompressed. */
  readonly maxBytes: number;
}

const UNPACK = {
  gzip: promisify(gunzip),
  br: promisify(brotliDecompress),
  deflate: promisify(inflate),
} as const;

/** Sends one GET through the address guard. @throws ExchangeFailed */
export async function exchange(
  fetch: typeof globalThis.fetch,
  url: URL,
  { headers, maxBytes }: ExchangeOptions,
): Promise<Answer> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await fetch(url, {
      headers: { ...headers, 'accept-encoding': 'gzip, br' },
      signal,
    });
    const content = await bodyOf(response, maxBytes);
    return { status: response.status, headers: response.headers, content };
  } catch (error) {
    if (error instanceof ExchangeFailed) throw error;
    if (error instanceof AddressRefused) throw new ExchangeFailed('private_address');
    throw new ExchangeFailed(signal.aborted ? 'too_slow' : 'unreachable');
  }
}

async function bodyOf(response: Response, maxBytes: number): Promise<Buffer> {
  // The body of a redirect or an error isn't needed.
  if (!response.ok || response.body === null) {
    await response.body?.cancel();
    return Buffer.alloc(0);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    // Leaving the loop closes the connection.
    if (size > maxBytes) throw new ExchangeFailed('too_large');
    chunks.push(chunk);
  }
  return unpacked(Buffer.concat(chunks), response.headers.get('content-encoding'), maxBytes);
}

async function unpacked(content: Buffer, encoding: string | null, maxBytes: number): Promise<Buffer> {
  const name = encoding?.trim().toLowerCase().replace(/^x-/, '');
  if (name !== 'gzip' && name !== 'br' && name !== 'deflate') return content;
  return unpack(content, name, maxBytes);
}

const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';

/** Unpacks up to `maxBytes`. @throws ExchangeFailed */
export function unpack(content: Buffer, name: keyof typeof UNPACK, maxBytes: number): Promise<Buffer> {
  return UNPACK[name](content, { maxOutputLength: maxBytes }).catch((error: unknown) => {
    throw new ExchangeFailed(isTooLarge(error) ? 'too_large' : 'unreachable');
  });
}
