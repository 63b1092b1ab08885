import type { ClientFrame, ErrorCode, ServerFrame } from '@foyer/protocol';
import { CLOSE_BROKEN, createLine, type Line, type SocketLike } from '@foyer/protocol/browser/line';
import { CLOSE_UNAUTHORIZED } from '@foyer/protocol/values/socket-line';
import type { MessageLog } from './message-log.ts';

export type LiveState = 'connecting' | 'online' | 'offline' | 'signed_out';

interface LiveOptions {
  connect: () => SocketLike;
  log: MessageLog;
  onFrame: (frame: ServerFrame) => void;
  onState: (state: LiveState) => void;
}

/** Pause before a chat whose messages couldn't be loaded is requested again. */
const ASK_AGAIN_MS = 2000;
const RETRY_FIRST_MS = 400;
const RETRY_MAX_MS = 15_000;

type Viewing = Extract<ClientFrame, { type: 'viewing' }>;
const NOTHING_OPEN = { session_id: null, ticket_id: null, replying: false };

/** The agent's connection. After reconnecting, it resumes each subscribed chat after its last message. */
export class Live {
  readonly #options: LiveOptions;
  readonly #wanted = new Map<string, number>();
  readonly #calls = new Map<number, string>();
  readonly #line: Line;
  #state: LiveState = 'connecting';
  #nextCall = 1;
  #started = false;
  #idle = false;
  #viewing: Omit<Viewing, 'type'> | undefined;

  constructor(options: LiveOptions) {
    this.#options = options;
    const parts = {
      connect: () => this.#line.attach(options.connect()),
      onFrame: (frame: ServerFrame) => this.#receive(frame),
      onLost: (code: number) => this.#lost(code),
      // What changed meanwhile is loaded again, as after every pause.
      onReplaced: () => this.#lose('offline'),
    };
    this.#line = createLine(parts, RETRY_FIRST_MS, RETRY_MAX_MS);
  }

  get state(): LiveState {
    return this.#state;
  }

  start(): void {
    if (this.#started) return;
    this.#started = true;
    this.#line.check();
  }

  stop(): void {
    this.#started = false;
    this.#line.drop();
    this.#set('connecting');
  }

  /** Reconnects now instead of after the pause, or checks that the connection is alive. */
  wake(): void {
    if (!this.#started || this.#state === 'signed_out') return;
    this.#line.failures = 0;
    this.#line.check();
  }

  /** Reconnects after the server had reported that nobody is signed in. */
  again(): void {
    if (this.#state !== 'signed_out') return;
    this.#set('connecting');
    this.#line.retry();
  }

  /** The browser reports that there is no network: doesn't wait for a ping to notice. */
  networkGone(): void {
    if (this.#started && this.#state !== 'signed_out') this.#line.lose(CLOSE_BROKEN);
  }

  /** Adds a chat's messages to the log, now and as they arrive, until the returned function is called. */
  subscribe(sessionId: string): () => void {
    const users = this.#wanted.get(sessionId) ?? 0;
    this.#wanted.set(sessionId, users + 1);
    if (users === 0) this.#resume(sessionId);
    let done = false;
    return () => {
      if (done) return;
      done = true;
      const left = (this.#wanted.get(sessionId) ?? 1) - 1;
      if (left > 0) this.#wanted.set(sessionId, left);
      else {
        this.#wanted.delete(sessionId);
        this.#line.send({ type: 'unsubscribe', session_id: sessionId });
      }
    };
  }

  /** Reloads an open chat's messages from `seq` on, because links to files expire. */
  readAgain(sessionId: string, seq: number): void {
    this.#resume(sessionId, seq - 1);
  }

  typing(sessionId: string, typing: boolean): void {
    this.#line.send({ type: 'typing', session_id: sessionId, typing });
  }

  /** The open conversation, shown to colleagues; undefined: none. */
  viewing(viewing: Omit<Viewing, 'type'> | undefined): void {
    this.#viewing = viewing;
    this.#line.send({ type: 'viewing', ...(viewing ?? NOTHING_OPEN) });
  }

  /** Whether this page is idle. */
  idle(idle: boolean): void {
    this.#idle = idle;
    this.#line.send({ type: 'idle', idle });
  }

  #lose(state: LiveState): void {
    this.#calls.clear();
    this.#set(state);
  }

  #lost(code: number): void {
    this.#lose(code === CLOSE_UNAUTHORIZED ? 'signed_out' : 'offline');
    if (code !== CLOSE_UNAUTHORIZED) this.#line.retry();
  }

  #receive(frame: ServerFrame): void {
    if (frame.type === 'ready') this.#ready();
    if (frame.type === 'result') this.#calls.delete(frame.id);
    if (frame.type === 'error' && frame.id !== undefined) this.#refused(frame.id, frame.error.code);
    if (frame.type === 'message') {
      const received = this.#options.log.receive(frame.session_id, frame.message);
      if (received === 'gap') this.#resume(frame.session_id);
    }
    this.#options.onFrame(frame);
  }

  #ready(): void {
    this.#set('online');
    if (this.#idle) this.idle(true);
    if (this.#viewing) this.viewing(this.#viewing);
    for (const sessionId of this.#wanted.keys()) this.#resume(sessionId);
  }

  #resume(sessionId: string, after_seq = this.#options.log.lastSeq(sessionId)): void {
    if (this.#state !== 'online' || !this.#wanted.has(sessionId)) return;
    const id = this.#nextCall++;
    this.#calls.set(id, sessionId);
    this.#line.send({ type: 'subscribe', id, session_id: sessionId, after_seq });
  }

  /** A database that is down comes back; a chat that doesn't exist won't. */
  #refused(id: number, code: ErrorCode): void {
    const sessionId = this.#calls.get(id);
    this.#calls.delete(id);
    if (sessionId === undefined || (code !== 'unavailable' && code !== 'internal')) return;
    setTimeout(() => this.#resume(sessionId), ASK_AGAIN_MS);
  }

  #set(state: LiveState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#options.onState(state);
  }
}
