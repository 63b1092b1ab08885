import { CLOSE_IDLE, type ClientFrame, type ErrorBody, SOCKET_IDLE_MS } from '@foyer/protocol';
import type { SiteContext } from '../context.ts';
import { AppError, toAppError } from '../errors.ts';
import { findOperation, mayRun, runOperation } from '../registry.ts';
import { callIdOf, readFrame } from './frames.ts';
import type { Hub } from './hub.ts';
import type { TypingFrame } from './notices.ts';
import type { Peer } from './peer.ts';
import type { Wire } from './wire.ts';

/** Calls under way for one socket; a client that sends more waits its turn in its own outbox. */
const CALLS_MAX = 64;
/** Frames a second that one socket may send, with room for a burst; typing and pings included. */
const FRAMES_PER_SECOND = 200;
/** Of one socket, to the other processes. */
const TYPING_PASSED_PER_SECOND = 4;

export interface ConnectionOptions {
  wire: Wire;
  peer: Peer;
  hub: Hub;
  /** A context and request id of its own for each call. */
  contextFor(peer: Peer): { ctx: SiteContext; requestId: string };
  /** The number of a chat's last message; undefined for a chat that this peer may not read. */
  lastSeqOf(ctx: SiteContext, sessionId: string): Promise<number | undefined>;
  /** Tells the other processes who types. */
  passTyping(siteId: number, frame: TypingFrame): void;
  /** Agents may see what this visitor has not sent yet. */
  previews?: boolean;
  /** An agent's desk is idle, or is not any more; visitors have none. */
  idle?(idle: boolean): void;
  /** The visitor's page is another one now; an agent's desk has none. */
  page?(page: Extract<ClientFrame, { type: 'page' }>): void;
  /** An agent's desk has another chat or ticket open; visitors have none. */
  viewing?(frame: ViewingFrame): void;
  /** The visitor's `hello` is the handshake; here it is one too many. */
  closed(): void;
}

type Call = Extract<ClientFrame, { type: 'call' }>;
type Subscribe = Extract<ClientFrame, { type: 'subscribe' }>;

export type ViewingFrame = Extract<ClientFrame, { type: 'viewing' }>;
type Typing = Omit<Extract<ClientFrame, { type: 'typing' }>, 'type'>;

function typingFrame({ actor }: Peer, { session_id, typing, text }: Typing, previews: boolean): TypingFrame {
  if (actor.kind === 'agent') return { type: 'typing', session_id, from: 'agent', name: actor.name, typing };
  const shown = typing && previews && text ? { text } : {};
  return { type: 'typing', session_id, from: 'visitor', name: null, typing, ...shown };
}

/** Serves one line after its handshake: each frame is an operation, a subscription or something that is only passed on. */
export function serveConnection(options: ConnectionOptions): void {
  const { wire, peer, hub, contextFor, lastSeqOf, passTyping, previews = false, closed } = options;
  let calls = 0;
  let frames = 0;
  let typed = 0;
  /** The chat in which this peer was last heard to write. */
  let writesIn: string | undefined;
  let idle: NodeJS.Timeout;
  const window = setInterval(() => {
    [frames, typed] = [0, 0];
  }, 1_000);
  const stayAwake = (): void => {
    clearTimeout(idle);
    idle = setTimeout(() => peer.close(CLOSE_IDLE, 'idle'), SOCKET_IDLE_MS);
  };

  const fail = (thrown: unknown, id: number | undefined, requestId: string, ctx?: SiteContext): void => {
    const error = toAppError(thrown);
    if (error.status >= 500) ctx?.log.error({ err: error.cause ?? error }, 'call failed');
    const body: ErrorBody = error.body(requestId);
    peer.send(id === undefined ? { type: 'error', error: body } : { type: 'error', id, error: body });
  };

  const call = async ({ id, op, input }: Call): Promise<void> => {
    const { ctx, requestId } = contextFor(peer);
    if (calls >= CALLS_MAX)
      return fail(new AppError('rate_limited', 'Too many calls are under way.'), id, requestId);
    calls++;
    try {
      const operation = findOperation(op);
      if (!operation || !mayRun(operation, peer.actor))
        throw new AppError('not_found', 'There is no such operation.');
      peer.send({ type: 'result', id, data: await runOperation(operation, ctx, input) });
    } catch (thrown) {
      fail(thrown, id, requestId, ctx);
    } finally {
      calls--;
    }
  };

  const subscribe = async ({ id, session_id, after_seq }: Subscribe): Promise<void> => {
    const { ctx, requestId } = contextFor(peer);
    try {
      const lastSeq = await lastSeqOf(ctx, session_id);
      if (lastSeq === undefined) throw new AppError('not_found', 'There is no such chat.');
      peer.send({ type: 'result', id, data: { done: true } });
      // Who claims to have more than there is, as after a restored backup, still gets what comes.
      hub.subscribe(peer, session_id, Math.min(after_seq, lastSeq));
    } catch (thrown) {
      fail(thrown, id, requestId, ctx);
    }
  };

  const passTyped = (typing: Typing): void => {
    // Only where the peer already reads; nothing is asked of the database for a key stroke.
    if (!hub.isSubscribed(peer, typing.session_id)) return;
    writesIn = typing.typing ? typing.session_id : undefined;
    const frame = typingFrame(peer, typing, previews);
    hub.passTyping(peer.site.id, frame, peer);
    if (++typed <= TYPING_PASSED_PER_SECOND) passTyping(peer.site.id, frame);
  };

  const handle = (frame: ClientFrame): void => {
    switch (frame.type) {
      case 'call':
        void call(frame);
        return;
      case 'subscribe':
        void subscribe(frame);
        return;
      case 'unsubscribe':
        hub.unsubscribe(peer, frame.session_id);
        return;
      case 'typing':
        passTyped(frame);
        return;
      case 'idle':
        options.idle?.(frame.idle);
        return;
      case 'page':
        options.page?.(frame);
        return;
      case 'viewing':
        options.viewing?.(frame);
        return;
      case 'ping':
        peer.send({ type: 'pong' });
        return;
      case 'hello':
        fail(
          new AppError('invalid_input', 'hello comes once, as the first frame.'),
          undefined,
          contextFor(peer).requestId,
        );
    }
  };

  hub.add(peer);
  stayAwake();
  wire.onFrame((data, isText) => {
    stayAwake();
    if (++frames > FRAMES_PER_SECOND) {
      const error = new AppError('rate_limited', 'Too many frames a second.');
      return fail(error, callIdOf(data), contextFor(peer).requestId);
    }
    try {
      handle(readFrame(data, isText));
    } catch (thrown) {
      fail(thrown, callIdOf(data), contextFor(peer).requestId);
    }
  });
  wire.onClose(() => {
    clearTimeout(idle);
    clearInterval(window);
    if (writesIn !== undefined) passTyped({ session_id: writesIn, typing: false });
    hub.remove(peer);
    closed();
  });
}
