import {
  CLOSE_IDLE,
  type ClientFrame,
  type ErrorBody,
  type ServerFrame,
  SOCKET_BEAT_MS,
  SOCKET_IDLE_MS,
} from '@foyer/protocol';
import { createCounter } from '../base/counters.ts';
import { AppError, toAppError } from '../base/errors.ts';
import { workFor } from '../base/loop/loop-time.ts';
import { inSpan, type Span } from '../base/spans.ts';
import type { Proof, SiteContext } from '../core/context.ts';
import { findOperation, mayRun, runOperation } from '../registry.ts';
import { callIdOf, readFrame } from './frames.ts';
import type { Hub } from './hub.ts';
import type { TypingFrame } from './notices.ts';
import type { Peer } from './peer.ts';
import { isSolvable, type SolutionFrame, type Solving } from './solving.ts';
import type { Transport } from './transport.ts';

const refusals = createCounter(
  'foyer_socket_errors_total',
  'Frames of sockets answered with an error, by code',
  ['code'],
);

/** Running calls per socket. A client with more keeps them in its outbox. */
const CALLS_MAX = 64;
/** Frames per socket, with room for a burst. Typing and pings count too. */
const FRAMES_PER_SECOND = 200;
/** Typing frames per socket that are sent to other processes. */
const TYPING_PASSED_PER_SECOND = 4;
const PONG = JSON.stringify({ type: 'pong' } satisfies ServerFrame);

interface ConnectionOptions {
  transport: Transport;
  peer: Peer;
  hub: Hub;
  /** Each call gets its own context and request id. */
  contextFor(peer: Peer, proof?: Proof): { ctx: SiteContext; requestId: string };
  /** The number of a chat's last message; undefined for a chat that this peer may not read. */
  lastSeqOf(ctx: SiteContext, sessionId: string): Promise<number | undefined>;
  /** Reports to the other processes who is typing. */
  passTyping(siteId: number, frame: TypingFrame): void;
  /** Calls that wait for a proof of work; undefined for agents, and clients that can't give one. */
  solving?: Solving | undefined;
  /** Whether agents see what this visitor is typing. */
  previews?: boolean;
  /** An agent's desk has become idle or active; undefined for visitors. */
  idle?(idle: boolean): void;
  /** The visitor has opened another page; undefined for agents. */
  page?(page: Extract<ClientFrame, { type: 'page' }>): void;
  /** An agent's desk has opened another chat or ticket; undefined for visitors. */
  viewing?(frame: ViewingFrame): void;
  /** The transport has closed. */
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

/** Serves a transport after its handshake until it closes. */
export function serveConnection(options: ConnectionOptions): void {
  new Connection(options).open();
}

/**
 * One transport after its handshake. Each frame is an operation, a subscription, or a passing state to forward.
 * Closed after SOCKET_IDLE_MS without a frame.
 */
class Connection {
  readonly #options: ConnectionOptions;
  #callsUnderWay = 0;
  #second = 0;
  /** Since the second began. */
  #frames = 0;
  #typingPassed = 0;
  /** The chat in which this peer was last reported as typing. */
  #typesIn: string | undefined;
  #idle: NodeJS.Timeout | undefined;
  #beats: NodeJS.Timeout | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  open(): void {
    const { transport, hub, peer } = this.#options;
    hub.add(peer);
    // A client that has something to read needs no sign that this process is alive.
    this.#beats = setInterval(() => transport.bufferedBytes === 0 && peer.sendRaw(PONG), SOCKET_BEAT_MS);
    this.#stayAwake();
    transport.onFrame((data, isText) => this.#receive(data, isText));
    transport.onClose(() => this.#close());
  }

  #receive(data: Buffer, isText: boolean): void {
    const { peer, contextFor } = this.#options;
    this.#stayAwake();
    this.#startSecond();
    if (++this.#frames > FRAMES_PER_SECOND) {
      const error = new AppError('rate_limited', 'Too many frames per second.');
      this.#fail(error, callIdOf(data), contextFor(peer).requestId);
      return;
    }
    try {
      this.#handle(readFrame(data, isText));
    } catch (thrown) {
      this.#fail(thrown, callIdOf(data), contextFor(peer).requestId);
    }
  }

  #startSecond(): void {
    const second = Math.floor(performance.now() / 1_000);
    if (second !== this.#second) [this.#second, this.#frames, this.#typingPassed] = [second, 0, 0];
  }

  #handle(frame: ClientFrame): void {
    const { hub, peer, contextFor } = this.#options;
    switch (frame.type) {
      case 'call':
        void this.#call(frame);
        return;
      case 'solution':
        void this.#solve(frame);
        return;
      case 'subscribe':
        void this.#subscribe(frame);
        return;
      case 'unsubscribe':
        hub.unsubscribe(peer, frame.session_id);
        return;
      case 'typing':
        this.#passTyping(frame);
        return;
      case 'idle':
        this.#options.idle?.(frame.idle);
        return;
      case 'page':
        this.#options.page?.(frame);
        return;
      case 'viewing':
        this.#options.viewing?.(frame);
        return;
      case 'ping':
        peer.sendRaw(PONG);
        return;
      case 'hello': {
        const error = new AppError('invalid_input', 'hello must be the first frame, and only once.');
        this.#fail(error, undefined, contextFor(peer).requestId);
      }
    }
  }

  /** A trace of its own: the request that opened the socket ended long ago. */
  #call(call: Call, proof?: Proof): Promise<void> {
    const attributes = { 'foyer.peer': this.#options.peer.actor.kind };
    return workFor('socket', () =>
      inSpan('socket call', { kind: 'server', parent: '', attributes }, (span) =>
        this.#run(call, proof ?? (this.#options.solving ? 'possible' : 'none'), span),
      ),
    );
  }

  async #run(call: Call, proof: Proof, span: Span | undefined): Promise<void> {
    const { id, op, input } = call;
    const { peer, contextFor, solving } = this.#options;
    const { ctx, requestId } = contextFor(peer, proof);
    if (this.#callsUnderWay >= CALLS_MAX) {
      this.#fail(new AppError('rate_limited', 'Too many calls at once.'), id, requestId);
      return;
    }
    this.#callsUnderWay++;
    try {
      const operation = findOperation(op);
      if (!operation || !mayRun(operation, peer.actor)) throw new AppError('not_found', 'No such operation.');
      peer.send({ type: 'result', id, data: await runOperation(operation, ctx, input) });
    } catch (thrown) {
      const fail = (): number => this.#fail(thrown, id, requestId, ctx);
      if (solving && isSolvable(thrown))
        await solving.ask(id, () => void this.#call(call, 'given'), fail).catch(fail);
      else if (fail() >= 500) span?.fail(thrown);
    } finally {
      this.#callsUnderWay--;
    }
  }

  async #solve(frame: SolutionFrame): Promise<void> {
    try {
      await this.#options.solving?.redeem(frame);
    } catch (thrown) {
      this.#fail(thrown, frame.id, this.#options.contextFor(this.#options.peer).requestId);
    }
  }

  async #subscribe({ id, session_id, after_seq }: Subscribe): Promise<void> {
    const { hub, peer, contextFor, lastSeqOf } = this.#options;
    const { ctx, requestId } = contextFor(peer);
    try {
      const lastSeq = await lastSeqOf(ctx, session_id);
      if (lastSeq === undefined) throw new AppError('not_found', 'No such chat.');
      peer.send({ type: 'result', id, data: { done: true } });
      // A client may claim to have more than exists, as after a restored backup. It still gets new messages.
      hub.subscribe(peer, session_id, Math.min(after_seq, lastSeq));
    } catch (thrown) {
      this.#fail(thrown, id, requestId, ctx);
    }
  }

  #passTyping(typing: Typing): void {
    const { hub, peer, passTyping, previews = false } = this.#options;
    // Only for chats that the peer already reads: a keystroke must not cost a query.
    if (!hub.isSubscribed(peer, typing.session_id)) return;
    this.#typesIn = typing.typing ? typing.session_id : undefined;
    const frame = typingFrame(peer, typing, previews);
    hub.passTyping(peer.site.id, frame, peer);
    if (++this.#typingPassed <= TYPING_PASSED_PER_SECOND) passTyping(peer.site.id, frame);
  }

  /** @returns the status that the error would have over HTTP */
  #fail(thrown: unknown, id: number | undefined, requestId: string, ctx?: SiteContext): number {
    const { peer } = this.#options;
    const error = toAppError(thrown);
    refusals.add(1, error.code);
    if (error.status >= 500) ctx?.log.error({ err: error.cause ?? error }, 'call failed');
    const body: ErrorBody = error.body(requestId);
    peer.send(id === undefined ? { type: 'error', error: body } : { type: 'error', id, error: body });
    return error.status;
  }

  #stayAwake(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#options.peer.close(CLOSE_IDLE, 'idle'), SOCKET_IDLE_MS);
  }

  #close(): void {
    const { hub, peer, closed } = this.#options;
    clearTimeout(this.#idle);
    clearInterval(this.#beats);
    if (this.#typesIn !== undefined) this.#passTyping({ session_id: this.#typesIn, typing: false });
    hub.remove(peer);
    closed();
  }
}
