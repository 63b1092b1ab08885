import type { ClientFrame, ErrorBody, HelloFrame, ServerFrame } from '@foyer/protocol';

/** How often `ping` goes out; no frame at all until the next one means that the line is dead. */
const PING_MS = 15_000;
/** After waking up, or coming back to the tab, a line that does not answer within this is dead. */
const CHECK_MS = 5_000;
const RETRY_FIRST_MS = 500;
const RETRY_MAX_MS = 30_000;
/** Socket frame codes of the protocol: a token that is not (any more) this browser's. */
const CLOSE_UNAUTHORIZED = 4001;

export type Line = 'idle' | 'connecting' | 'online' | 'offline';

/** What of WebSocket is used. */
export interface SocketLike {
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
}

export interface ConnectionParts {
  open: () => SocketLike;
  hello: () => HelloFrame;
  onFrame: (frame: ServerFrame) => void;
  onLine: (line: Line) => void;
  /** The server did not know the token; it must not be sent again. */
  onRefused: () => void;
  random?: () => number;
}

/** A call that got an error, or none because the line broke (`code` is then `disconnected`). */
export class CallError extends Error {
  readonly code: ErrorBody['code'] | 'disconnected';
  constructor(code: CallError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

interface Call {
  resolve: (data: unknown) => void;
  reject: (error: CallError) => void;
}

export interface Connection {
  start(): void;
  stop(): void;
  /** Drops the line and greets again: who the visitor is has changed. */
  restart(): void;
  /** False when there is no line; frames that are sent so are never kept. */
  send(frame: ClientFrame): boolean;
  call(op: string, input: unknown): Promise<unknown>;
  subscribe(sessionId: string, afterSeq: number): void;
  /** The browser says that there is no network: what is under way will be sent again. */
  lose(): void;
  /** The tab or the network came back: try now, and find out soon whether an open line is alive. */
  check(): void;
}

/** One socket that comes back by itself; it is `online` from `welcome` on. */
export const createConnection = (parts: ConnectionParts): Connection => {
  const random = parts.random ?? Math.random;
  const calls = new Map<number, Call>();
  let socket: SocketLike | null = null;
  let isWanted = false;
  let isOnline = false;
  let failures = 0;
  let nextId = 1;
  let isAlive = true;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  let pingTimer: ReturnType<typeof setTimeout> | undefined;

  const connect = () => {
    clearTimeout(retryTimer);
    if (!isWanted || socket) return;
    if (failures === 0) parts.onLine('connecting');
    let opened: SocketLike;
    try {
      opened = parts.open();
    } catch {
      retryLater();
      return;
    }
    socket = opened;
    isAlive = false;
    beat(PING_MS);
    opened.onopen = () => opened.send(JSON.stringify(parts.hello()));
    opened.onmessage = (event) => {
      if (socket === opened) receive(event.data);
    };
    opened.onclose = (event) => {
      if (socket !== opened) return;
      if (event.code === CLOSE_UNAUTHORIZED) parts.onRefused();
      drop();
      retryLater();
    };
  };

  /** Looks after `ms` whether anything came since the last look. */
  const beat = (ms: number) => {
    clearTimeout(pingTimer);
    pingTimer = setTimeout(() => {
      if (isAlive) {
        isAlive = false;
        send({ type: 'ping' });
        beat(PING_MS);
      } else {
        drop();
        retryLater();
      }
    }, ms);
  };

  const receive = (data: unknown) => {
    isAlive = true;
    let frame: ServerFrame;
    try {
      frame = JSON.parse(String(data));
    } catch {
      return;
    }
    if (frame.type === 'welcome') {
      failures = 0;
      isOnline = true;
      parts.onFrame(frame);
      parts.onLine('online');
      return;
    }
    const call = 'id' in frame && frame.id !== undefined ? calls.get(frame.id) : undefined;
    if (frame.type === 'result' && call) {
      calls.delete(frame.id);
      call.resolve(frame.data);
    } else if (frame.type === 'error' && call && frame.id !== undefined) {
      calls.delete(frame.id);
      call.reject(new CallError(frame.error.code, frame.error.message));
    } else parts.onFrame(frame);
  };

  const drop = () => {
    const dropped = socket;
    socket = null;
    isOnline = false;
    clearTimeout(pingTimer);
    try {
      dropped?.close();
    } catch {
      // It is closed already.
    }
    const broken = [...calls.values()];
    calls.clear();
    for (const call of broken) call.reject(new CallError('disconnected', 'the connection broke'));
  };

  const retryLater = () => {
    if (!isWanted) return;
    const wait = Math.min(RETRY_FIRST_MS * 2 ** failures, RETRY_MAX_MS) * (0.5 + random() / 2);
    // A single break, as when the server restarts, is over before anybody has read about it.
    parts.onLine(failures === 0 ? 'connecting' : 'offline');
    failures++;
    clearTimeout(retryTimer);
    retryTimer = setTimeout(connect, wait);
  };

  const send = (frame: ClientFrame): boolean => {
    if (!socket || !isOnline) return false;
    socket.send(JSON.stringify(frame));
    return true;
  };

  return {
    send,
    start() {
      isWanted = true;
      connect();
    },
    stop() {
      isWanted = false;
      clearTimeout(retryTimer);
      drop();
      parts.onLine('idle');
    },
    restart() {
      drop();
      failures = 0;
      connect();
    },
    call(op, input) {
      const id = nextId++;
      return new Promise((resolve, reject) => {
        calls.set(id, { resolve, reject });
        if (!send({ type: 'call', id, op, input })) {
          calls.delete(id);
          reject(new CallError('disconnected', 'there is no connection'));
        }
      });
    },
    subscribe(sessionId, afterSeq) {
      send({ type: 'subscribe', id: nextId++, session_id: sessionId, after_seq: afterSeq });
    },
    lose() {
      if (!isWanted) return;
      drop();
      failures = Math.max(failures, 1);
      retryLater();
    },
    check() {
      if (!isWanted) return;
      if (!socket) connect();
      else if (isOnline) {
        isAlive = false;
        send({ type: 'ping' });
        beat(CHECK_MS);
      }
    },
  };
};
