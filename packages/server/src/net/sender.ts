import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { urlToHttpOptions } from 'node:url';
import { webhookSentence } from '@foyer/protocol/values/webhook-sentences';
import { createCounter } from '../base/counters.ts';
import { currentTracer, inSpan } from '../base/spans.ts';
import { type AddressProblem, addressProblem, type GuardOptions, guardedLookup } from './address-guard.ts';
import { codeOf, statusProblem, wordsFor } from './exchange-error.ts';

const exchanges = createCounter(
  'foyer_outgoing_requests_total',
  'Requests to webhook receivers, push services and the servers of actions, by result',
  ['purpose', 'result'],
);

/** For a whole exchange, from the DNS lookup to the end of the response. */
const EXCHANGE_TIMEOUT_MS = 10_000;
/** How many bytes of a response are read and stored. */
export const EXCERPT_BYTES = 4096;
/** Longer than the pauses within a burst, shorter than most servers keep an idle connection. */
const IDLE_SOCKET_MS = 4_000;
/** Several subscriptions may have the same host. */
const IDLE_SOCKETS_PER_HOST = 64;
const KNOWN_TARGETS_MAX = 1_000;

export interface OutgoingRequest {
  url: string;
  headers: Record<string, string>;
  body: Buffer;
  /** Default: POST. */
  method?: string;
  /** On a connection of its own: an idle one may turn out closed, and then a request is sent once more. */
  once?: true;
  /** How much of the response is read; default: EXCERPT_BYTES. */
  maxBytes?: number;
  /** Default: the sender's. */
  timeoutMs?: number;
  /** The W3C `traceparent` that its span continues. Default: the span that is running. */
  parent?: string;
}

/** The result of one exchange: `error` is null if, and only if, it succeeded. */
export interface Exchange {
  /** Null without a response. */
  statusCode: number | null;
  /** The failure in words. */
  error: string | null;
  durationMs: number;
  /** The beginning of the response's body as text; null without a body. */
  excerpt: string | null;
  /** The body has more than was read. */
  isCut?: true;
}

export interface SenderOptions extends GuardOptions {
  /** The purpose of its requests, for the metrics. */
  purpose: 'webhook' | 'push' | 'action';
  timeoutMs?: number;
}

export interface Sender {
  /** Sends one request. Never throws: every failure of the receiver is a result. */
  send(request: OutgoingRequest): Promise<Exchange>;
  /** Aborts all running exchanges; they fail. */
  breakOff(): void;
  /** Closes idle connections. */
  close(): void;
}

interface Target {
  /** Why the address must not be called; null if it may be. */
  refused: AddressProblem | null;
  secure: boolean;
  options: RequestOptions;
}

/** The received part of a response, even if it fails later. */
interface Answer {
  statusCode: number | null;
  chunks: Buffer[];
  maxBytes: number;
  isCut: boolean;
}

/** A running exchange, as seen by the code that may abort it. */
interface UnderWay {
  request: ClientRequest | undefined;
  timedOut: boolean;
  /** Its index in the list of all. */
  place: number;
}

/**
 * All running exchanges. Not a Set: V8 keeps the old tables of a growing Set, and each holds deleted entries until
 * a full collection. Every minor collection then copied all exchanges since, for 10 ms.
 */
function createUnderWay() {
  const all: UnderWay[] = [];
  return {
    enter(): UnderWay {
      const one = { request: undefined, timedOut: false, place: all.length };
      all.push(one);
      return one;
    },
    leave(one: UnderWay): void {
      const last = all.pop();
      if (!last || last === one) return;
      all[one.place] = last;
      last.place = one.place;
    },
    destroyAll(): void {
      for (const { request } of [...all]) request?.destroy(new Error('broken off'));
    },
  };
}

class PostError extends Error {
  readonly code: string;
  /** Whether the receiver closed an idle connection just as it was reused. */
  readonly stale: boolean;

  constructor(cause: Error, reusedSocket: boolean) {
    super(cause.message, { cause });
    this.code = codeOf(cause);
    this.stale = reusedSocket && (this.code === 'ECONNRESET' || this.code === 'EPIPE');
  }
}

/** Collects the response so that its beginning is kept if it fails. Stops reading after `maxBytes`. */
function readInto(
  answer: Answer,
  response: IncomingMessage,
  done: () => void,
  fail: (error: Error) => void,
): void {
  let size = 0;
  response.on('data', (chunk: Buffer) => {
    answer.chunks.push(chunk.subarray(0, answer.maxBytes - size));
    size += chunk.length;
    if (size <= answer.maxBytes) return;
    answer.isCut = true;
    done();
    response.destroy();
  });
  response.once('end', done);
  response.once('error', fail);
}

/** Resolves once the response is complete, or once the maximum has been read. */
function post(
  { secure, options }: Target,
  { headers, body, method = 'POST', once }: OutgoingRequest,
  answer: Answer,
  underWay: UnderWay,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const start = secure ? https.request : http.request;
    const outgoing = start({
      ...options,
      method,
      ...(once ? { agent: false } : {}),
      headers: { accept: '*/*', ...headers, 'content-length': String(body.length) },
    });
    underWay.request = outgoing;
    let received: IncomingMessage | undefined;
    outgoing.once('response', (response) => {
      received = response;
      answer.statusCode = response.statusCode ?? null;
      readInto(answer, response, resolve, (error) => reject(new PostError(error, false)));
    });
    outgoing.once('upgrade', (_response, socket) => {
      socket.destroy();
      reject(new PostError(new Error('Nobody asked for another protocol'), false));
    });
    outgoing.on('error', (error) => {
      // Stray bytes after a whole response, which is unaffected. Some servers send a body after a 204.
      if (received?.complete) return;
      reject(new PostError(error, outgoing.reusedSocket && answer.statusCode === null));
    });
    outgoing.end(body);
  });
}

/** Text that PostgreSQL accepts: no NUL, no broken surrogates, at most `maxBytes` of UTF-8. */
function excerptOf({ chunks, maxBytes }: Answer): string | null {
  if (chunks.length === 0) return null;
  const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes, { stream: true });
  const text = decode(Buffer.concat(chunks)).replaceAll('\0', '\u{fffd}');
  return decode(Buffer.from(text).subarray(0, maxBytes)) || null;
}

/** Resolves an address once for all requests to it. */
function createTargets(guard: GuardOptions, agents: { http: http.Agent; https: https.Agent }) {
  const lookup: LookupFunction = guardedLookup(guard);
  const known = new Map<string, Target>();
  return (url: string): Target => {
    const found = known.get(url);
    if (found) return found;
    const refused = addressProblem(url, guard);
    const secure = url.startsWith('https:');
    const to = refused === null ? urlToHttpOptions(new URL(url)) : {};
    const agent = secure ? agents.https : agents.http;
    const target = { refused, secure, options: { ...to, agent, lookup } };
    if (known.size >= KNOWN_TARGETS_MAX) known.clear();
    known.set(url, target);
    return target;
  };
}

/** Each request as a span. Only webhooks may carry its id, if the operator wants that. */
function tracedAs(purpose: SenderOptions['purpose'], send: Sender['send']): Sender['send'] {
  return ({ parent, ...request }) =>
    inSpan(`send ${purpose}`, { kind: 'client', ...(parent && { parent }) }, async (span) => {
      const tracer = currentTracer();
      const traceparent = purpose === 'webhook' && tracer?.sendsToReceivers ? tracer.running() : undefined;
      const headers = traceparent === undefined ? request.headers : { ...request.headers, traceparent };
      const result = await send({ ...request, headers });
      span?.set({ 'http.response.status_code': result.statusCode ?? undefined });
      if (result.error !== null) span?.fail();
      return result;
    });
}

/** `timeoutMs` (default 10 s) covers a whole exchange, including its one retry on a stale connection. */
export function createSender({
  timeoutMs: usualTimeoutMs = EXCHANGE_TIMEOUT_MS,
  purpose,
  ...guard
}: SenderOptions): Sender {
  const options = { keepAlive: true, timeout: IDLE_SOCKET_MS, maxFreeSockets: IDLE_SOCKETS_PER_HOST };
  const agents = { http: new http.Agent(options), https: new https.Agent(options) };
  const targetOf = createTargets(guard, agents);
  const { enter, leave, destroyAll } = createUnderWay();

  async function exchange(
    request: OutgoingRequest,
    answer: Answer,
    underWay: UnderWay,
  ): Promise<string | null> {
    const target = targetOf(request.url);
    // Checked here, because Node connects to IP literals without a lookup.
    if (target.refused !== null) return webhookSentence(`address_${target.refused}`);
    try {
      await post(target, request, answer, underWay);
    } catch (error) {
      if (!(error instanceof PostError) || !error.stale || underWay.timedOut) throw error;
      await post({ ...target, options: { ...target.options, agent: false } }, request, answer, underWay);
    }
    return statusProblem(answer.statusCode ?? 0);
  }

  const send = async (request: OutgoingRequest): Promise<Exchange> => {
    const started = performance.now();
    const { maxBytes = EXCERPT_BYTES, timeoutMs = usualTimeoutMs } = request;
    const answer: Answer = { statusCode: null, chunks: [], maxBytes, isCut: false };
    const underWay = enter();
    const timer = setTimeout(() => {
      underWay.timedOut = true;
      underWay.request?.destroy(new Error('too late'));
    }, timeoutMs);
    let error: string | null;
    try {
      error = await exchange(request, answer, underWay);
    } catch (failure) {
      error = underWay.timedOut ? webhookSentence('too_late', timeoutMs / 1000) : wordsFor(failure);
    } finally {
      clearTimeout(timer);
      leave(underWay);
    }
    exchanges.add(1, purpose, error === null ? 'ok' : 'failed');
    const durationMs = Math.round(performance.now() - started);
    const { statusCode, isCut } = answer;
    return { statusCode, error, durationMs, excerpt: excerptOf(answer), ...(isCut && { isCut }) };
  };

  return {
    send: tracedAs(purpose, send),
    breakOff: destroyAll,
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}
