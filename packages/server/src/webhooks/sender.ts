import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { type GuardOptions, guardedLookup, urlProblem } from './address-guard.ts';
import { codeOf, statusProblem, wordsFor } from './exchange-error.ts';

/** For the whole exchange, from the resolver to the end of the answer (decisions 5). */
export const EXCHANGE_TIMEOUT_MS = 10_000;
/** Of an answer no more is kept, and reading stops there (decisions 5). */
export const EXCERPT_BYTES = 4096;
/** Longer than a burst pauses, short of what most servers keep an idle connection. */
const IDLE_SOCKET_MS = 4_000;
const IDLE_SOCKETS_PER_HOST = 4;

export interface OutgoingRequest {
  url: string;
  headers: Record<string, string>;
  body: Buffer;
}

/** What came of one exchange: `error` is null if, and only if, it was a success. */
export interface Exchange {
  /** Null when no answer began. */
  statusCode: number | null;
  /** In words. */
  error: string | null;
  durationMs: number;
  /** The beginning of the answer's body as text; null when it has none. */
  excerpt: string | null;
}

export interface SenderOptions extends GuardOptions {
  timeoutMs?: number;
}

export interface Sender {
  /** One POST. Whatever the receiver does is data: this never throws. `signal` breaks it off. */
  send(request: OutgoingRequest, signal?: AbortSignal): Promise<Exchange>;
  /** Closes idle connections. */
  close(): void;
}

interface Agents {
  http: http.Agent;
  https: https.Agent;
}

function post(
  request: OutgoingRequest,
  agent: http.Agent | false,
  lookup: LookupFunction,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { url, body } = request;
  const headers = { ...request.headers, accept: '*/*', 'content-length': String(body.length) };
  return new Promise((resolve, reject) => {
    const start = url.startsWith('https:') ? https.request : http.request;
    const outgoing = start(url, { method: 'POST', headers, agent, lookup, signal });
    outgoing.once('response', resolve);
    outgoing.once('upgrade', (_response, socket) => {
      socket.destroy();
      reject(new PostError(new Error('Nobody asked for another protocol'), false));
    });
    outgoing.on('error', (error) => reject(new PostError(error, outgoing.reusedSocket)));
    outgoing.end(body);
  });
}

class PostError extends Error {
  readonly code: string;
  /** The receiver closed an idle connection in the moment in which it was used again. */
  readonly stale: boolean;

  constructor(cause: Error, reusedSocket: boolean) {
    super(cause.message, { cause });
    this.code = codeOf(cause);
    this.stale = reusedSocket && (this.code === 'ECONNRESET' || this.code === 'EPIPE');
  }
}

async function postOnLiveSocket(
  request: OutgoingRequest,
  agents: Agents,
  lookup: LookupFunction,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  try {
    const agent = request.url.startsWith('https:') ? agents.https : agents.http;
    return await post(request, agent, lookup, signal);
  } catch (error) {
    if (!(error instanceof PostError) || !error.stale) throw error;
    return post(request, false, lookup, signal);
  }
}

/** Collects into `chunks`, so that what came before a failure is kept too; leaving the loop closes the socket. */
async function readInto(chunks: Buffer[], response: IncomingMessage): Promise<void> {
  let size = 0;
  for await (const chunk of response) {
    if (!Buffer.isBuffer(chunk)) continue;
    chunks.push(chunk.subarray(0, EXCERPT_BYTES - size));
    size += chunk.length;
    if (size > EXCERPT_BYTES) return;
  }
}

/** As text that a database takes: no NUL, no half characters, at most EXCERPT_BYTES of UTF-8. */
function excerptOf(chunks: Buffer[]): string | null {
  const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes, { stream: true });
  const text = decode(Buffer.concat(chunks)).replaceAll('\0', '\u{fffd}');
  return decode(Buffer.from(text).subarray(0, EXCERPT_BYTES)) || null;
}

interface Answer {
  statusCode: number | null;
  chunks: Buffer[];
}

export function createSender({ timeoutMs = EXCHANGE_TIMEOUT_MS, ...guard }: SenderOptions): Sender {
  const options = { keepAlive: true, timeout: IDLE_SOCKET_MS, maxFreeSockets: IDLE_SOCKETS_PER_HOST };
  const agents = { http: new http.Agent(options), https: new https.Agent(options) };
  const lookup = guardedLookup(guard);

  async function exchange(
    request: OutgoingRequest,
    answer: Answer,
    signal: AbortSignal,
  ): Promise<string | null> {
    // Node connects to a literal address without a lookup.
    const refused = urlProblem(request.url, guard);
    if (refused !== null) return `The address ${refused}.`;
    const response = await postOnLiveSocket(request, agents, lookup, signal);
    answer.statusCode = response.statusCode ?? null;
    await readInto(answer.chunks, response);
    return statusProblem(response.statusCode ?? 0);
  }

  return {
    async send(request, signal) {
      const started = performance.now();
      const answer: Answer = { statusCode: null, chunks: [] };
      const timeout = new AbortController();
      const timer = setTimeout(() => timeout.abort(), timeoutMs);
      const both = signal ? AbortSignal.any([timeout.signal, signal]) : timeout.signal;
      let error: string | null;
      try {
        error = await exchange(request, answer, both);
      } catch (failure) {
        error = timeout.signal.aborted
          ? `There was no whole answer within ${timeoutMs / 1000} s.`
          : wordsFor(failure);
      } finally {
        clearTimeout(timer);
      }
      const durationMs = Math.round(performance.now() - started);
      return { statusCode: answer.statusCode, error, durationMs, excerpt: excerptOf(answer.chunks) };
    },
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}
