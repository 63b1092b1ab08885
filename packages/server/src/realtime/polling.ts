import { randomBytes } from 'node:crypto';
import { POLL_HOLD_MS, pollRequest, SOCKET_FRAME_MAX_BYTES } from '@foyer/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, invalidInput, issuesOf } from '../base/errors.ts';
import { PollLine } from './poll-line.ts';
import { serveVisitor, type VisitorOptions } from './visitor.ts';

/** Lines per process, and per address, which an office shares; the second times FOYER_LIMIT_FACTOR. */
const LINES_MAX = 5_000;
const LINES_OF_ADDRESS_MAX = 200;
const BODY_MAX_BYTES = SOCKET_FRAME_MAX_BYTES * 2;

interface PollingOptions extends VisitorOptions {
  /** @throws AppError 403 for a request from another page */
  checkOrigin(request: FastifyRequest): void;
  addressKey(address: string): string;
  limitFactor: number;
}

interface OpenLine {
  line: PollLine;
  publicKey: string;
}

/**
 * The alternative for networks that block WebSockets: `POST /widget/poll?site=PUBLIC_KEY` sends frames, another request
 * fetches them and is held until there are some. Frames, handshake and everything after them are the socket's. A line
 * lives in the process that opened it: any other process answers that it doesn't know the line, having accepted
 * nothing. The client retries a few times, because a balancer may send each request to another process, then starts
 * over.
 */
export function registerPolling(server: FastifyInstance, options: PollingOptions): void {
  const lines = new Map<string, OpenLine>();
  const ofAddress = new Map<string, number>();

  const open = (request: FastifyRequest, publicKey: string): { id: string; line: PollLine } => {
    const address = options.addressKey(request.ip);
    const count = ofAddress.get(address) ?? 0;
    if (lines.size >= LINES_MAX || count >= LINES_OF_ADDRESS_MAX * options.limitFactor)
      throw new AppError('unavailable', 'Too many connections. Try again in a moment.', {
        headers: { 'retry-after': '10' },
      });
    const id = randomBytes(16).toString('base64url');
    const line = new PollLine(() => {
      if (!lines.delete(id)) return;
      const left = (ofAddress.get(address) ?? 1) - 1;
      if (left > 0) ofAddress.set(address, left);
      else ofAddress.delete(address);
    });
    lines.set(id, { line, publicKey });
    ofAddress.set(address, count + 1);
    const userAgent = request.headers['user-agent'];
    serveVisitor(line.transport, { publicKey, log: request.log, userAgent, caller: address }, options);
    return { id, line };
  };

  const known = (id: string, publicKey: string): PollLine => {
    const found = lines.get(id);
    if (found?.publicKey !== publicKey)
      throw new AppError('not_found', 'This connection is unknown or closed. Start again with hello.');
    return found.line;
  };

  server.post('/widget/poll', { bodyLimit: BODY_MAX_BYTES }, async (request, reply) => {
    void reply.header('cache-control', 'no-store');
    options.checkOrigin(request);
    const parsed = pollRequest.safeParse(request.body);
    if (!parsed.success) throw invalidInput(issuesOf(parsed.error));
    const { poll, frames, wait } = parsed.data;
    const publicKey = new URL(request.url, 'http://localhost').searchParams.get('site') ?? '';
    const { id, line } =
      poll === null ? open(request, publicKey) : { id: poll, line: known(poll, publicKey) };
    line.take(frames);
    const gone = aborted(reply);
    const picked = wait ? await line.pick(POLL_HOLD_MS, gone) : { frames: [], closed: null };
    // Its client doesn't know the line's id. Left open, its hello would be answered before those of others who wait.
    if (poll === null && gone.aborted) line.end();
    return reply.send({ poll: id, ...picked });
  });
  server.addHook('preClose', async () => {
    for (const { line } of lines.values()) line.end();
  });
}

/** Aborts when the client no longer waits for the response. */
function aborted(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => controller.abort());
  return controller.signal;
}
