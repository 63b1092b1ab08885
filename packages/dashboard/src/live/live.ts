import type { ClientFrame, ErrorCode, ServerFrame } from '@foyer/protocol';
import { CLOSE_UNAUTHORIZED, SOCKET_PING_MS } from '@foyer/protocol/values/socket-line';
import type { MessageLog } from './message-log.ts';

/** What this module needs of a WebSocket. */
export interface Socket {
  send(data: string): void;
  close(): void;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
}

export type LiveState = 'connecting' | 'online' | 'offline' | 'signed_out';

interface LiveOptions {
  connect: () => Socket;
  log: MessageLog;
  onFrame: (frame: ServerFrame) => void;
  onState: (state: LiveState) => void;
  random?: () => number;
}

/** A chat whose messages could not be read is asked for again. */
const ASK_AGAIN_MS = 2000;
const FIRST_DELAY_MS = 400;
const LONGEST_DELAY_MS = 15_000;
/** A handshake that has no answer by then is given up. */
const HANDSHAKE_MS = 10_000;

type Viewing = Extract<ClientFrame, { type: 'viewing' }>;
const NOTHING_OPEN = { session_id: null, ticket_id: null, replying: false };

/** Doubles with each try, and is spread over its upper half so that clients don't come back all at once. */
export const delayBefore = (attempt: number, random: number): number => {
  const most = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt);
  return most / 2 + (most / 2) * random;
};

/**
 * The agents' socket: comes back by itself, notices a line that is dead without having closed, and
 * resumes each subscribed chat after its last message.
 */
export class Live {
  readonly #options: LiveOptions;
  readonly #wanted = new Map<string, number>();
  readonly #calls = new Map<number, string>();
  #socket: Socket | undefined;
  #state: LiveState = 'connecting';
  #attempt = 0;
  #nextCall = 1;
  #heard = true;
  #started = false;
  #idle = false;
  #viewing: Omit<Viewing, 'type'> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #ping: ReturnType<typeof setTimeout> | undefined;

  constructor(options: LiveOptions) {
    this.#options = options;
  }

  get state(): LiveState {
    return this.#state;
  }

  start(): void {
    if (this.#started) return;
    this.#started = true;
    this.#open();
  }

  stop(): void {
    this.#started = false;
    clearTimeout(this.#retry);
    this.#drop();
    this.#set('connecting');
  }

  /**
   * Tries now instead of when the delay is over, or makes sure that the line still lives. Where a ping is on its way the
   * answer has its time: a second sign of life within it is no proof that the line is dead.
   */
  wake(): void {
    if (!this.#started || this.#state === 'signed_out') return;
    if (this.#socket === undefined) {
      clearTimeout(this.#retry);
      this.#attempt = 0;
      this.#open();
    } else if (this.#state === 'online' && this.#heard) this.#beat();
  }

  /** Opens the line again after the server had said that nobody is signed in. */
  again(): void {
    if (this.#state !== 'signed_out') return;
    this.#set('connecting');
    this.#openLater();
  }

  /** The browser says that there is no network: don't wait for a ping to find out. */
  networkGone(): void {
    if (this.#socket) this.#lost(this.#socket);
  }

  /** Brings a chat's messages into the log, now and as they come, until the answer is called. */
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
        this.#send({ type: 'unsubscribe', session_id: sessionId });
      }
    };
  }

  /** Has the log take an open chat's messages from `seq` on once more: links to files end. */
  readAgain(sessionId: string, seq: number): void {
    this.#resume(sessionId, seq - 1);
  }

  typing(sessionId: string, typing: boolean): void {
    this.#send({ type: 'typing', session_id: sessionId, typing });
  }

  /** What is open on the screen, for colleagues to see; nothing: none. */
  viewing(viewing: Omit<Viewing, 'type'> | undefined): void {
    this.#viewing = viewing;
    this.#send({ type: 'viewing', ...(viewing ?? NOTHING_OPEN) });
  }

  /** Whether nobody has touched this page for a while. */
  idle(idle: boolean): void {
    this.#idle = idle;
    this.#send({ type: 'idle', idle });
  }

  #open(): void {
    const socket = this.#options.connect();
    this.#socket = socket;
    this.#heard = true;
    this.#ping = setTimeout(() => this.#lost(socket), HANDSHAKE_MS);
    socket.onmessage = (event) => {
      if (this.#socket === socket) this.#receive(event.data);
    };
    socket.onclose = (event) => {
      if (this.#socket !== socket) return;
      if (event.code === CLOSE_UNAUTHORIZED) {
        this.#drop();
        this.#set('signed_out');
      } else this.#lost(socket);
    };
  }

  #lost(socket: Socket): void {
    if (this.#socket !== socket) return;
    this.#drop();
    this.#set('offline');
    this.#openLater();
  }

  #openLater(): void {
    const delay = delayBefore(this.#attempt, (this.#options.random ?? Math.random)());
    this.#attempt += 1;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#open(), delay);
  }

  #drop(): void {
    clearTimeout(this.#ping);
    this.#calls.clear();
    const socket = this.#socket;
    this.#socket = undefined;
    if (!socket) return;
    socket.onmessage = null;
    socket.onclose = null;
    socket.close();
  }

  #receive(data: unknown): void {
    this.#heard = true;
    const frame = parse(data);
    if (!frame) return;
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
    this.#attempt = 0;
    this.#set('online');
    if (this.#idle) this.idle(true);
    if (this.#viewing) this.viewing(this.#viewing);
    for (const sessionId of this.#wanted.keys()) this.#resume(sessionId);
    clearTimeout(this.#ping);
    this.#ping = setTimeout(() => this.#beat(), SOCKET_PING_MS);
  }

  #beat(): void {
    const socket = this.#socket;
    if (!socket) return;
    clearTimeout(this.#ping);
    if (!this.#heard) {
      this.#lost(socket);
      return;
    }
    this.#heard = false;
    this.#send({ type: 'ping' });
    this.#ping = setTimeout(() => this.#beat(), SOCKET_PING_MS);
  }

  #resume(sessionId: string, after_seq = this.#options.log.lastSeq(sessionId)): void {
    if (this.#state !== 'online' || !this.#wanted.has(sessionId)) return;
    const id = this.#nextCall++;
    this.#calls.set(id, sessionId);
    this.#send({ type: 'subscribe', id, session_id: sessionId, after_seq });
  }

  /** A database that is away comes back; a chat that is not there does not. */
  #refused(id: number, code: ErrorCode): void {
    const sessionId = this.#calls.get(id);
    this.#calls.delete(id);
    if (sessionId === undefined || (code !== 'unavailable' && code !== 'internal')) return;
    setTimeout(() => this.#resume(sessionId), ASK_AGAIN_MS);
  }

  #send(frame: ClientFrame): void {
    if (this.#state === 'online') this.#socket?.send(JSON.stringify(frame));
  }

  #set(state: LiveState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#options.onState(state);
  }
}

function parse(data: unknown): ServerFrame | undefined {
  if (typeof data !== 'string') return undefined;
  try {
    const frame: ServerFrame = JSON.parse(data);
    return typeof frame?.type === 'string' ? frame : undefined;
  } catch {
    return undefined;
  }
}
