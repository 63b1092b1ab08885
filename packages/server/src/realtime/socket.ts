import websocket from '@fastify/websocket';
import { type ChosenPresence, CLOSE_UNAUTHORIZED, SOCKET_FRAME_MAX_BYTES } from '@foyer/protocol';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import type { Actor } from '../core/actor.ts';
import type { Site } from '../core/context.ts';
import type { Arrival } from './agent-sockets.ts';
import { serveConnection, type ViewingFrame } from './connection.ts';
import { createPeer } from './peer.ts';
import { socketTransport } from './transport.ts';
import type { ViewingBoard } from './viewing.ts';
import { perCall, serveVisitor, type VisitorOptions } from './visitor.ts';

type Agent = Extract<Actor, { kind: 'agent' }>;
/** The agent behind a desk's cookie, and their chosen presence. */
interface AgentAtDoor {
  site: Site;
  actor: Agent;
  userId: string;
  presence: ChosenPresence;
}

interface SocketOptions extends VisitorOptions {
  /** The agent behind a desk's cookie, if the request comes from our own origin. */
  agentOf(request: FastifyRequest): Promise<AgentAtDoor | undefined>;
  /** @throws AppError 403 for a page that the site with this public key doesn't allow */
  checkPage(publicKey: string, request: FastifyRequest): Promise<void>;
  addressKey(address: string): string;
  viewing: ViewingBoard;
  /** An agent's handshake begins. Its socket is registered under its account, so that it is closed with its sessions. */
  arrive(): Arrival;
}

/** Both sockets of `protocol/socket.ts`. Rights are fixed at the handshake. */
export async function registerSockets(server: FastifyInstance, options: SocketOptions): Promise<void> {
  await server.register(websocket, {
    options: { maxPayload: SOCKET_FRAME_MAX_BYTES * 2, perMessageDeflate: false },
    errorHandler: (error, socket) => {
      server.log.warn({ err: error }, 'a socket failed');
      // `ws` closes a connection after a protocol error, and reads on so that the close code arrives: a connection that
      // ends with unread bytes is reset, and the client may see only that.
      if (socket.readyState === socket.OPEN) socket.terminate();
    },
  });
  const publicKeyOf = (request: FastifyRequest): string =>
    new URL(request.url, 'http://localhost').searchParams.get('site') ?? '';
  const preValidation = (request: FastifyRequest) => options.checkPage(publicKeyOf(request), request);
  server.get('/widget/socket', { websocket: true, preValidation }, (socket, request) => {
    socket.on('error', (error) => request.log.debug({ err: error }, 'a visitor socket failed'));
    const publicKey = publicKeyOf(request);
    const userAgent = request.headers['user-agent'];
    const caller = options.addressKey(request.ip);
    serveVisitor(
      socketTransport(socket, request.socket),
      { publicKey, log: request.log, userAgent, caller },
      options,
    );
  });
  server.get(
    '/app/socket',
    { websocket: true },
    (socket, request) => void serveAgent(socket, request, options),
  );
}

async function serveAgent(socket: WebSocket, request: FastifyRequest, options: SocketOptions): Promise<void> {
  const { hub, presence, viewing: board, lastSeqOf, passTyping, agentOf } = options;
  socket.on('error', (error) => request.log.debug({ err: error }, 'an agent socket failed'));
  const transport = socketTransport(socket, request.socket);
  const go = transport.hold();
  const arrival = options.arrive();
  try {
    const agent = await agentOf(request);
    if (!agent) return socket.close(CLOSE_UNAUTHORIZED, 'unauthorized');
    if (!transport.isOpen) return;
    const { site, actor, userId } = agent;
    await presence.whenKnown(site.id);
    if (!transport.isOpen) return;
    const seat = { siteId: site.id, agentId: actor.agentId };
    const peer = createPeer(transport, site, actor);
    const untrack = arrival.track(userId, peer);
    const idle = (isIdle: boolean): void => presence.idle(seat, socket, isIdle);
    const viewing = ({ replying, ...viewed }: ViewingFrame): void => board.view(peer, viewed, replying);
    const closed = (): void => {
      untrack();
      board.left(peer);
      presence.closed(seat, socket);
    };
    serveConnection({
      transport,
      peer,
      hub,
      lastSeqOf,
      passTyping,
      contextFor: perCall(options),
      idle,
      viewing,
      closed,
    });
    presence.opened(seat, socket, agent.presence);
    const { online, away } = presence.present(site.id);
    peer.send({
      type: 'ready',
      agent_id: actor.agentId,
      online_agent_ids: online,
      away_agent_ids: away,
    });
  } catch (error) {
    request.log.error({ err: error }, 'an agent’s handshake failed');
    socket.close(1011, 'try again');
  } finally {
    arrival.end();
    go();
  }
}
