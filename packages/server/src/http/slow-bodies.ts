import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * A body must arrive at 16 KiB per half minute, or end. That is a twentieth of the slowest mobile connection, and a
 * hundred times what is needed just to hold a connection. A large file may take its time (`requestTimeout`); a
 * smaller body must be complete within the half minute.
 */
const WINDOW_MS = 30_000;
const WINDOW_MIN_BYTES = 16 * 1024;
const LINGER_MS = 1_000;

export interface SlowBodyOptions {
  windowMs?: number;
  windowMinBytes?: number;
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const ANSWER = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

/** Closes connections whose request body trickles. Responses may take any time: polls are held. */
export function closeSlowBodies(server: FastifyInstance, options: SlowBodyOptions = {}): void {
  const { windowMs = WINDOW_MS, windowMinBytes = WINDOW_MIN_BYTES } = options;
  server.addHook('onRequest', (request, _reply, done) => {
    if (hasBody(request.raw)) watch(request.raw, windowMs, windowMinBytes);
    done();
  });
}

function watch(request: IncomingMessage, windowMs: number, windowMinBytes: number): void {
  const { socket } = request;
  // A request injected into the server has no connection.
  if (!(socket instanceof Socket)) return;
  let before = socket.bytesRead;
  const timer = setInterval(() => {
    if (request.complete || socket.destroyed) return clearInterval(timer);
    const came = socket.bytesRead - before;
    before = socket.bytesRead;
    // Unread data means that the delay is our own.
    if (came >= windowMinBytes || request.readableLength > 0) return;
    clearInterval(timer);
    socket.end(ANSWER);
    // Closing with unread bytes would send the client a reset instead of the response.
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  }, windowMs);
  timer.unref();
  const stop = (): void => clearInterval(timer);
  request.once('end', stop);
  request.once('close', stop);
}
