import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * A body must keep coming: 16 KiB each half minute, or its end. That is a twentieth of what the slowest mobile line
 * manages, and a hundred times what somebody needs who only wants to hold the connection. A large file may take its time
 * (`requestTimeout`); a body that fits into less must be there within the half minute.
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

/** Closes connections whose request's body trickles. Answers may take as long as they like: polls are held. */
export function closeSlowBodies(server: FastifyInstance, options: SlowBodyOptions = {}): void {
  const { windowMs = WINDOW_MS, windowMinBytes = WINDOW_MIN_BYTES } = options;
  server.addHook('onRequest', (request, _reply, done) => {
    if (hasBody(request.raw)) watch(request.raw, windowMs, windowMinBytes);
    done();
  });
}

function watch(request: IncomingMessage, windowMs: number, windowMinBytes: number): void {
  const { socket } = request;
  // A request that is injected into the server holds no connection.
  if (!(socket instanceof Socket)) return;
  let before = socket.bytesRead;
  const timer = setInterval(() => {
    if (request.complete || socket.destroyed) return clearInterval(timer);
    const came = socket.bytesRead - before;
    before = socket.bytesRead;
    // What lies here unread is our own delay.
    if (came >= windowMinBytes || request.readableLength > 0) return;
    clearInterval(timer);
    socket.end(ANSWER);
    // Closed at once, with bytes that nobody read, the client would get a reset in place of the answer.
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  }, windowMs);
  timer.unref();
  const stop = (): void => clearInterval(timer);
  request.once('end', stop);
  request.once('close', stop);
}
