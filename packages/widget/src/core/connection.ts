import type { ClientFrame, ErrorBody, HelloFrame, ServerFrame } from '@foyer/protocol';
import { CLOSE_UNAUTHORIZED, SOCKET_PING_MS } from '@foyer/protocol/values/socket-line';

/** After waking up, or coming back to the tab, a line that does not answer within this is dead. */
const CHECK_MS = 5_000;
/** From opening to the welcome: a proxy may let a socket through and swallow what it brings. */
const WELCOME_MS = 6_000;
/** The line is alive, and still a call has no answer: it was lost on the way. */
const ANSWER_MS = 30_000;
const RETRY_FIRST_MS = 500;
const RETRY_MAX_MS = 30_000;
/** Sockets in a row that were not welcomed, before the same is tried over requests. */
const SOCKETS_TRIED = 2;
/** Over requests: how soon a socket is tried again, and how seldom at last. */
const SOCKET_AGAIN_MS = 5 * 60_000;
const SOCKET_AGAIN_MAX_MS = 60 * 60_000;
const CLOSE_BROKEN = 1006;

/** `offline`: the browser has no network. `reconnecting`: it has, but the server can't be reached. */
export type Line = 'idle' | 'connecting' | 'online' | 'reconnecting' | 'offline';

/** What of WebSocket is used. */
export interface SocketLike {
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
}

interface ConnectionParts {
  open: () => SocketLike;
  /** The same frames over requests, for networks that let no socket through. */
  openPoll: () => Promise<SocketLike>;
  hello: () => HelloFrame;
  onFrame: (frame: ServerFrame) => void;
  onLine: (line: Line) => void;
  /** The server did not know the token; it must not be sent again. */
  onRefused: () => void;
  /** Whether the browser says that it has no network. */
  isOffline?: () => boolean;
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
  /** Until when an answer is waited for. */
  until: number;
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
  /** The page goes to sleep: no line is held for it. `check` wakes it. */
  rest(): void;
  /** The tab or the network came back: try now, and find out soon whether an open line is alive. */
  check(): void;
}

/** One line that comes back by itself; it is `online` from `welcome` on. */
export const createConnection = (parts: ConnectionParts): Connection => {
  const { random = Math.random, isOffline = () => false } = parts;
  const calls = new Map<number, Call>();
  let socket: SocketLike | null = null;
  /** A socket that is tried while the line goes over requests. */
  let probe: SocketLike | null = null;
  let isWanted = false;
  let isOnline = false;
  let isOverRequests = false;
  let failures = 0;
  let unwelcomed = 0;
  let attempt = 0;
  let nextId = 1;
  let isAlive = true;
  let socketAgainMs = SOCKET_AGAIN_MS;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  let pingTimer: ReturnType<typeof setTimeout> | undefined;
  let probeTimer: ReturnType<typeof setTimeout> | undefined;

  const connect = () => {
    clearTimeout(retryTimer);
    if (!isWanted || socket) return;
    if (failures === 0) parts.onLine('connecting');
    const mine = ++attempt;
    isOverRequests = unwelcomed >= SOCKETS_TRIED;
    if (isOverRequests) {
      // If these fail too, the server may be away: a socket is tried next.
      unwelcomed = SOCKETS_TRIED - 1;
      parts.openPoll().then(
        (opened) => {
          if (mine === attempt && isWanted) attach(opened);
          else opened.close();
        },
        () => mine === attempt && retryLater(),
      );
      return;
    }
    unwelcomed++;
    try {
      attach(parts.open());
    } catch {
      retryLater();
    }
  };

  const attach = (opened: SocketLike) => {
    socket = opened;
    isAlive = false;
    beat(WELCOME_MS);
    opened.onopen = () => {
      // It opens and is not welcomed in time: something on the way swallows what sockets bring, and will again.
      if (!isOverRequests) unwelcomed = SOCKETS_TRIED;
      opened.send(JSON.stringify(parts.hello()));
    };
    opened.onmessage = (event) => {
      if (socket === opened) receive(event.data);
    };
    opened.onclose = (event) => {
      if (socket !== opened) return;
      if (event.code === CLOSE_UNAUTHORIZED) parts.onRefused();
      // Whoever closes it is there.
      else if (!isOverRequests && event.code !== CLOSE_BROKEN) unwelcomed = 0;
      drop();
      retryLater();
    };
  };

  /** Looks after `ms` whether anything came since the last look. */
  const beat = (ms: number) => {
    clearTimeout(pingTimer);
    pingTimer = setTimeout(() => {
      const isLate = [...calls.values()].some(({ until }) => until <= Date.now());
      if (isAlive && !isLate) {
        isAlive = false;
        send({ type: 'ping' });
        beat(SOCKET_PING_MS);
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
      const greeted = socket;
      failures = 0;
      // A line that breaks comes back the way it went.
      unwelcomed = isOverRequests ? SOCKETS_TRIED : 0;
      isOnline = true;
      if (isOverRequests) probeLater();
      else socketAgainMs = SOCKET_AGAIN_MS;
      parts.onFrame(frame);
      // Whoever heard the welcome may have wanted another line.
      if (socket === greeted) parts.onLine('online');
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
    attempt++;
    clearTimeout(pingTimer);
    endProbe();
    quietly(dropped);
    const broken = [...calls.values()];
    calls.clear();
    for (const call of broken) call.reject(new CallError('disconnected', 'the connection broke'));
  };

  const retryLater = () => {
    if (!isWanted) return;
    const wait = Math.min(RETRY_FIRST_MS * 2 ** failures, RETRY_MAX_MS) * (0.5 + random() / 2);
    // A single break, as when the server restarts, is over before anybody has read about it.
    parts.onLine(isOffline() ? 'offline' : failures === 0 ? 'connecting' : 'reconnecting');
    failures++;
    clearTimeout(retryTimer);
    retryTimer = setTimeout(connect, wait);
  };

  const endProbe = () => {
    clearTimeout(probeTimer);
    const ended = probe;
    probe = null;
    quietly(ended);
  };

  const probeLater = () => {
    endProbe();
    probeTimer = setTimeout(trySocket, socketAgainMs);
    socketAgainMs = Math.min(socketAgainMs * 2, SOCKET_AGAIN_MAX_MS);
  };

  /** Beside the line over requests, which stays until the socket is welcomed. */
  const trySocket = () => {
    let opened: SocketLike;
    try {
      opened = parts.open();
    } catch {
      probeLater();
      return;
    }
    probe = opened;
    probeTimer = setTimeout(probeLater, WELCOME_MS);
    opened.onopen = () => opened.send(JSON.stringify(parts.hello()));
    opened.onclose = () => probe === opened && probeLater();
    opened.onmessage = (event) => {
      if (probe !== opened) return;
      probe = null;
      drop();
      isOverRequests = false;
      attach(opened);
      beat(SOCKET_PING_MS);
      receive(event.data);
    };
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
        calls.set(id, { resolve, reject, until: Date.now() + ANSWER_MS });
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
    rest() {
      clearTimeout(retryTimer);
      drop();
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

const quietly = (socket: SocketLike | null) => {
  try {
    socket?.close();
  } catch {
    // It is closed already.
  }
};
