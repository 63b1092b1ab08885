import type { ClientFrame, ServerFrame } from '../chat/socket.ts';
import { SOCKET_PING_MS } from '../values/socket-line.ts';
import { backoffMs } from './backoff.ts';

/** After waking up or returning to the tab, a connection that doesn't answer within this time is dead. */
const CHECK_MS = 5_000;

/** The code of a socket that broke without closing. */
export const CLOSE_BROKEN = 1006;

/** TypeScript compares a method's parameters loosely, so a `WebSocket` is a `SocketLike`. */
type Listener<Parameters extends unknown[]> = { on(...event: Parameters): void }['on'] | null;

/** The part of WebSocket that is used. */
export interface SocketLike {
  send(text: string): void;
  close(): void;
  onopen: Listener<[event?: unknown]>;
  onmessage: Listener<[{ data: unknown }]>;
  onclose: Listener<[{ code: number }]>;
}

export interface LineParts {
  /** Opens a socket and attaches it. */
  connect: () => void;
  onFrame: (frame: ServerFrame) => void;
  /** The socket was closed with this code, or stopped answering. `retry` tries again. */
  onLost: (code: number) => void;
}

const parse = (data: unknown): ServerFrame | undefined => {
  try {
    const frame: ServerFrame = JSON.parse(String(data));
    return typeof frame?.type === 'string' ? frame : undefined;
  } catch {
    return undefined;
  }
};

export type Line = ReturnType<typeof createLine>;

/**
 * Maintains one socket: notices when it is dead without having closed, and reconnects after growing pauses.
 * @param welcomeMs time limit from opening to the welcome: a proxy may accept a socket and swallow its data
 */
export const createLine = (parts: LineParts, welcomeMs: number, retryFirstMs: number, retryMaxMs: number) => {
  let socket: SocketLike | undefined;
  let isOnline = false;
  let isAlive = false;
  /** For the next check of the socket; without a socket, for the next attempt. */
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Checks after `ms` whether anything has arrived since. */
  const ping = (ms: number) => {
    isAlive = false;
    line.send({ type: 'ping' });
    clearTimeout(timer);
    timer = setTimeout(() => (isAlive ? ping(SOCKET_PING_MS) : line.lose(CLOSE_BROKEN)), ms);
  };

  const line = {
    /** Attempts since the last welcome. */
    failures: 0,
    isOnline: () => isOnline,
    attach(opened: SocketLike) {
      socket = opened;
      ping(welcomeMs);
      opened.onmessage = ({ data }) => socket === opened && line.hear(data);
      opened.onclose = ({ code }) => socket === opened && line.lose(code);
    },
    hear(data: unknown) {
      isAlive = true;
      const frame = parse(data);
      isOnline ||= frame?.type === 'welcome' || frame?.type === 'ready';
      if (isOnline) line.failures = 0;
      if (frame) parts.onFrame(frame);
    },
    /** False before the welcome. */
    send(frame: ClientFrame): boolean {
      if (isOnline) socket?.send(JSON.stringify(frame));
      return isOnline;
    },
    lose(code: number) {
      line.drop();
      parts.onLost(code);
    },
    drop() {
      clearTimeout(timer);
      isOnline = false;
      socket?.close();
      socket = undefined;
    },
    retry() {
      timer = setTimeout(parts.connect, backoffMs(line.failures++, retryFirstMs, retryMaxMs));
    },
    /** The page woke up: reconnects now, or checks soon whether the open connection is alive. */
    check() {
      if (isOnline) ping(CHECK_MS);
      if (socket) return;
      clearTimeout(timer);
      parts.connect();
    },
  };
  return line;
};
