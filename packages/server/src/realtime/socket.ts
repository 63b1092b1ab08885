import websocket from '@fastify/websocket';
import {
  type Availability,
  CLOSE_IDLE,
  CLOSE_UNAUTHORIZED,
  type HelloFrame,
  type ServerFrame,
  SOCKET_FRAME_MAX_BYTES,
} from '@foyer/protocol';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import type { Actor, Site, SiteContext } from '../context.ts';
import { AppError, toAppError } from '../errors.ts';
import { serveConnection } from './connection.ts';
import { readFrame } from './frames.ts';
import type { Hub } from './hub.ts';
import type { TypingFrame } from './notices.ts';
import { createPeer, type Peer } from './peer.ts';
import type { PresenceBoard } from './presence.ts';

/** A visitor's socket that says nothing is closed after this long. */
const HELLO_TIMEOUT_MS = 10_000;
/** First frames that are none; each is answered, and nobody may have read the answers. */
const HELLOS_MAX = 10;

type Visitor = Extract<Actor, { kind: 'visitor' }>;
type Agent = Extract<Actor, { kind: 'agent' }>;
export type Welcome = Omit<Extract<ServerFrame, { type: 'welcome' }>, 'type' | keyof Availability>;

export interface SocketOptions {
  hub: Hub;
  presence: PresenceBoard;
  availabilityOf(siteId: number): Promise<Availability>;
  contextFor(site: Site, actor: Actor, requestId: string): SiteContext;
  newRequestId(): string;
  lastSeqOf(ctx: SiteContext, sessionId: string): Promise<number | undefined>;
  passTyping(siteId: number, frame: TypingFrame): void;
  /** The site of a public key, and a visitor's proof of who they are. */
  findSite(publicKey: string): Promise<Site | undefined>;
  welcome(site: Site, hello: HelloFrame): Promise<{ actor: Visitor; welcome: Welcome }>;
  /** The agent of a dashboard's cookie, if its origin is ours. */
  agentOf(request: FastifyRequest): Promise<{ site: Site; actor: Agent; userId: string } | undefined>;
  /** Keeps an agent's socket findable by its account, to end it with its sessions. */
  track(userId: string, peer: Peer): () => void;
}

/** Both sockets of `protocol/socket.ts`. What each may do is fixed at the handshake. */
export async function registerSockets(server: FastifyInstance, options: SocketOptions): Promise<void> {
  await server.register(websocket, {
    options: { maxPayload: SOCKET_FRAME_MAX_BYTES * 2, perMessageDeflate: false },
    errorHandler: (error, socket) => {
      server.log.warn({ err: error }, 'a socket failed');
      socket.terminate();
    },
  });
  server.get('/widget/socket', { websocket: true }, (socket, request) =>
    serveVisitor(socket, request, options),
  );
  server.get(
    '/app/socket',
    { websocket: true },
    (socket, request) => void serveAgent(socket, request, options),
  );
}

function perCall({ contextFor, newRequestId }: SocketOptions) {
  return (peer: Peer) => {
    const requestId = newRequestId();
    return { ctx: contextFor(peer.site, peer.actor, requestId), requestId };
  };
}

/** What arrives before the handshake is done waits for it. */
function holdMessages(socket: WebSocket): () => void {
  socket.pause();
  return () => socket.resume();
}

function serveVisitor(socket: WebSocket, request: FastifyRequest, options: SocketOptions): void {
  const { hub, availabilityOf, lastSeqOf, passTyping, newRequestId } = options;
  let attempts = 0;
  const timeout = setTimeout(() => socket.close(CLOSE_IDLE, 'no hello'), HELLO_TIMEOUT_MS);
  const refuse = (thrown: unknown, code: number): void => {
    const error = toAppError(thrown);
    if (error.status >= 500) request.log.error({ err: error.cause ?? error }, 'hello failed');
    socket.send(JSON.stringify({ type: 'error', error: error.body(newRequestId()) } satisfies ServerFrame));
    socket.close(code, error.code);
  };

  const greet = async (hello: HelloFrame): Promise<void> => {
    const key = new URL(request.url, 'http://localhost').searchParams.get('site') ?? '';
    const site = await options.findSite(key);
    if (!site) return refuse(new AppError('not_found', 'There is no such site.'), CLOSE_UNAUTHORIZED);
    const { actor, welcome } = await options.welcome(site, hello);
    const availability = await availabilityOf(site.id);
    if (socket.readyState !== socket.OPEN) return;
    const peer = createPeer(socket, site, actor);
    peer.send({ type: 'welcome', ...welcome, ...availability });
    const contextFor = perCall(options);
    serveConnection({ socket, peer, hub, lastSeqOf, passTyping, contextFor, closed: () => undefined });
  };

  socket.on('close', () => clearTimeout(timeout));
  socket.on('error', (error) => request.log.debug({ err: error }, 'a visitor socket failed'));
  const onFirst = (data: Parameters<typeof readFrame>[0], isBinary: boolean): void => {
    try {
      const frame = readFrame(data, isBinary);
      if (frame.type !== 'hello') throw new AppError('unauthorized', 'The first frame must be hello.');
      clearTimeout(timeout);
      socket.off('message', onFirst);
      const go = holdMessages(socket);
      greet(frame)
        .catch((thrown) => refuse(thrown, 1011))
        .finally(go);
    } catch (thrown) {
      const error = toAppError(thrown);
      socket.send(JSON.stringify({ type: 'error', error: error.body(newRequestId()) } satisfies ServerFrame));
      if (++attempts >= HELLOS_MAX) socket.close(CLOSE_IDLE, 'no hello');
    }
  };
  socket.on('message', onFirst);
}

async function serveAgent(socket: WebSocket, request: FastifyRequest, options: SocketOptions): Promise<void> {
  const { hub, presence, lastSeqOf, passTyping, agentOf, track } = options;
  socket.on('error', (error) => request.log.debug({ err: error }, 'an agent socket failed'));
  const go = holdMessages(socket);
  try {
    const agent = await agentOf(request);
    if (!agent) return socket.close(CLOSE_UNAUTHORIZED, 'unauthorized');
    if (socket.readyState !== socket.OPEN) return;
    const { site, actor, userId } = agent;
    const peer = createPeer(socket, site, actor);
    const untrack = track(userId, peer);
    const closed = (): void => {
      untrack();
      presence.closed(site.id, actor.agentId);
    };
    serveConnection({ socket, peer, hub, lastSeqOf, passTyping, contextFor: perCall(options), closed });
    presence.opened(site.id, actor.agentId);
    peer.send({ type: 'ready', agent_id: actor.agentId, online_agent_ids: presence.onlineAgents(site.id) });
  } catch (error) {
    request.log.error({ err: error }, 'the handshake of an agent failed');
    socket.close(1011, 'try again');
  } finally {
    go();
  }
}
