import { randomFillSync } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Logger } from 'pino';
import { AppError, toAppError } from '../base/errors.ts';
import { sendError } from './answer.ts';
import { measureLoop } from './metrics/measure-loop.ts';
import { closeSlowBodies, type SlowBodyOptions } from './slow-bodies.ts';
import { traceRequests } from './trace-requests.ts';
import { closeUnusedConnections } from './unused-connections.ts';

/** The limit of REST bodies; one message of SOCKET_FRAME_MAX_BYTES fits too. */
export const BODY_MAX_BYTES = 1024 * 1024;

/** Headers are small: a slower client holds the connection on purpose. */
const HEADERS_TIMEOUT_MS = 20_000;
/** How often Node checks connections against their time limits. */
const CHECK_CONNECTIONS_MS = 5_000;

const REQUEST_ID_BYTES = 12;
/** Random bytes for many ids at once: requesting a few costs more than the rest of an id. */
const drawn = Buffer.alloc(REQUEST_ID_BYTES * 256);
let used = drawn.length;

/** `req_` and 96 random bits, also in logs and errors, so that one can be found by the other. */
export function newRequestId(): string {
  if (used === drawn.length) {
    randomFillSync(drawn);
    used = 0;
  }
  used += REQUEST_ID_BYTES;
  return `req_${drawn.toString('base64url', used - REQUEST_ID_BYTES, used)}`;
}

/** Removes the token from a portal path; `%70ortal` is the same path. */
function redactPath(path: string): string {
  let decoded = path;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    // An undecodable path is checked as it is.
  }
  const isPortal = /\bportal(?![\w-])/i.test(decoded) && !decoded.startsWith('/assets/portal/');
  // A mistyped portal link still contains its token.
  if (!isPortal) return path.replace(/[\w-]{43,}/g, '…');
  const file = /\/attachments\/\d+$/.exec(decoded)?.[0] ?? '';
  return `/portal/…${file}`;
}

/** Keeps `?token=`, portal tokens and file signatures out of the log. */
function redactUrl(url: string): string {
  const mark = url.indexOf('?');
  return mark < 0 ? redactPath(url) : redactPath(url.slice(0, mark)) + redactQuery(url.slice(mark));
}

const redactQuery = (query: string): string =>
  query.replace(/([?&])([^=&?]*)=[^&?]*/g, (part, mark, name) =>
    isSecret(name) ? `${mark}${name}=…` : part,
  );

/** Decodes the name like the entry points do: `%74oken` is a token too. */
const isSecret = (name: string): boolean =>
  [...new URLSearchParams(`${name}=`).keys()].some((decoded) =>
    /token|secret|password|signature/i.test(decoded),
  );

/** Paths under `/v1/` that are no resource. */
const OWN_PATHS = new Set(['api.ashx', 'openapi.json', 'stream']);

/** Rewrites `/v1/NAME` to `/v1/api.ashx?resource=NAME` before anything else, so the two can never differ. */
function rewriteUrl(url: string): string {
  const match = /^\/v1\/([^/?#]{1,200})\/?(?:\?(.*))?$/s.exec(url);
  const name = match?.[1];
  if (name === undefined || OWN_PATHS.has(name)) return url;
  // Escapes characters that have a meaning in a query but none in a path.
  const resource = name.replace(/[&=+]/g, encodeURIComponent);
  return `/v1/api.ashx?resource=${resource}${match?.[2] ? `&${match[2]}` : ''}`;
}

/** Converts Fastify's own errors. */
function fromFastify(error: FastifyError): AppError | undefined {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new AppError('payload_too_large', 'The body is larger than 1 MiB.');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new AppError('unsupported_media_type', 'The body must be application/json.');
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new AppError('invalid_json', 'The body isn’t valid JSON.');
    default:
      if (error.statusCode === undefined || error.statusCode >= 500) return undefined;
      if (error.statusCode === 404) return new AppError('not_found', 'Not found.');
      return new AppError('invalid_input', 'The request is malformed.');
  }
}

/** Converts any thrown value into what the caller may see, and logs our own errors under the request's id. */
export function refusalOf(thrown: FastifyError, request: FastifyRequest): AppError {
  const error = (thrown instanceof AppError ? undefined : fromFastify(thrown)) ?? toAppError(thrown);
  if (error.status >= 500)
    request.log.error({ err: error.cause ?? error, code: error.code }, 'request failed');
  return error;
}

/** Answers malformed requests and oversized headers with the usual envelope. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const requestId = newRequestId();
  const tooLong = error.code === 'HPE_HEADER_OVERFLOW';
  const message = tooLong ? 'The address or the headers are too long.' : 'The request is malformed.';
  const refusal = new AppError('invalid_input', message);
  const body = JSON.stringify({ ok: false, error: refusal.body(requestId) });
  const head = [
    'HTTP/1.1 400 Bad Request',
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Service-Request-Id: ${requestId}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

interface ServerOptions {
  log: Logger;
  trustProxy: string | undefined;
  slowBodies?: SlowBodyOptions;
}

/**
 * The server without routes: request ids, one log line per request, and the only place where an error becomes a
 * response.
 */
export function createServer({ log, trustProxy, slowBodies }: ServerOptions): FastifyInstance {
  const server = fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    // An incoming X-Request-Id is not trusted.
    requestIdHeader: false,
    genReqId: newRequestId,
    rewriteUrl: (request: IncomingMessage) => rewriteUrl(request.url ?? '/'),
    bodyLimit: BODY_MAX_BYTES,
    trustProxy: trustProxy ?? false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // Entry points parse the query themselves, repeated parameters included.
    routerOptions: { maxParamLength: 300, querystringParser: () => ({}) },
    // Enough for a file over a slow connection. A trickling one is closed sooner.
    requestTimeout: 300_000,
    http: { headersTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: CHECK_CONNECTIONS_MS },
    clientErrorHandler: refuseUnreadable,
    frameworkErrors: (error, request, reply) => {
      void reply.header('x-service-request-id', request.id);
      void sendError(reply, new AppError('invalid_input', `The address is malformed (${error.code}).`));
    },
  });

  measureLoop(server);
  traceRequests(server);
  closeSlowBodies(server, slowBodies);
  closeUnusedConnections(server);
  server.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-service-request-id', request.id);
    void reply.header('x-content-type-options', 'nosniff');
    void reply.header('referrer-policy', 'no-referrer');
    done();
  });

  server.addHook('onResponse', (request, reply, done) => {
    // Pages and health checks are frequent and of little interest.
    const level =
      reply.statusCode < 400 && (request.method === 'GET' || request.method === 'OPTIONS') ? 'debug' : 'info';
    if (!log.isLevelEnabled(level)) return done();
    const line = {
      method: request.method,
      url: redactUrl(request.originalUrl),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
    };
    request.log[level](line, 'request');
    done();
  });

  server.setErrorHandler<FastifyError>((thrown, request, reply) =>
    sendError(reply, refusalOf(thrown, request)),
  );

  server.setNotFoundHandler((_request, reply) => sendError(reply, new AppError('not_found', 'Not found.')));

  return server;
}
