import type { ClientFrame, ServerFrame } from '../chat/socket.ts';
import { SOCKET_BEAT_MS, SOCKET_PING_MS } from '../values/socket-line.ts';
import { backoffMs } from './backoff.ts';

/** A connection that brings nothing for this long may be dead. A quarter longer for a while if it wasn't. */
const SILENT_MS = SOCKET_BEAT_MS + 1_500;
const SILENT_MAX_MS = 16_000;
/**
 * Pauses before another connection is opened beside silent ones. Shortened at random: a balancer that takes turns could
 * give each attempt of visitors who keep in step to the process that hangs. At first they are doubled by each, because a
 * handshake over a slow mobile network takes 8 s. A client that was online is back within 8 s of the process hanging, even
 * if the balancer gives it to that process several times.
 */
const NEXT_MS = 2_000;
const OPEN_MAX = 4;
const OPEN_MAX_WHEN_ONLINE = 8;
/** A quarter of the first pause, as often as it takes. */
const DOUBLED_WHEN_ONLINE = -2;

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
  onFrame: (frame: ServerFrame, from: SocketLike) => void;
  /** The socket was closed with this code, or nothing answered. `retry` tries again. */
  onLost: (code: number) => void;
  /** Another socket answers instead of the one that was online: responses to earlier calls won't come. */
  onReplaced: () => void;
}

const parse = (data: unknown): ServerFrame | undefined => {
  try {
    const frame: ServerFrame = JSON.parse(data as string);
    return typeof frame?.type === 'string' ? frame : undefined;
  } catch {
    return undefined;
  }
};

export type Line = ReturnType<typeof createLine>;

/** When the next attempt is made, and how long a connection may be silent before. */
const createPace = (attempt: () => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let silentMs = SILENT_MS;
  const next = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(attempt, ms);
  };
  return {
    next,
    stop: () => clearTimeout(timer),
    /** @param wasDoubted another connection was opened beside the one that answered after all */
    heard(wasDoubted: boolean) {
      if (wasDoubted) silentMs = Math.min(silentMs * 1.25, SILENT_MAX_MS);
      silentMs = Math.max(silentMs * 0.98, SILENT_MS);
      next(silentMs);
    },
  };
};

/** Connections that are open in parallel until one answers. */
const createRace = () => {
  let open: SocketLike[] = [];
  const race = {
    heard: undefined as SocketLike | undefined,
    count: () => open.length,
    /** @param onLost it closed; one that only broke leaves it to those beside it */
    add(
      opened: SocketLike,
      onData: (data: unknown, from: SocketLike) => void,
      onLost: (code: number) => void,
    ) {
      open.push(opened);
      opened.onmessage = ({ data }) => open.includes(opened) && onData(data, opened);
      opened.onclose = ({ code }) => {
        if (!open.includes(opened)) return;
        open = open.filter((other) => other !== opened);
        if (code !== CLOSE_BROKEN || open.length === 0) onLost(code);
      };
    },
    /** Closes all others. */
    keep(kept?: SocketLike) {
      for (const other of open) if (other !== kept) other.close();
      open = kept ? [kept] : [];
      race.heard = kept;
    },
  };
  return race;
};

/**
 * Maintains one connection. If it falls silent, or doesn't answer at first, others are opened beside it: a balancer may
 * give them to a server that doesn't hang, and over a slow network the first is still the first to answer. The one that
 * is heard is kept, the others are closed. If none is heard, it starts again after a growing pause.
 */
export const createLine = (parts: LineParts, retryFirstMs: number, retryMaxMs: number) => {
  const race = createRace();
  let isOnline = false;
  let pingedAt = 0;

  const ping = () => {
    pingedAt = Date.now();
    line.send({ type: 'ping' });
  };
  const attempt = () => {
    ping();
    if (race.count() < (isOnline ? OPEN_MAX_WHEN_ONLINE : OPEN_MAX)) parts.connect();
    else line.lose(CLOSE_BROKEN);
  };
  const pace = createPace(attempt);

  const line = {
    /** Attempts since the last welcome. */
    failures: 0,
    isOnline: () => isOnline,
    attach(opened: SocketLike) {
      pace.next(backoffMs(isOnline ? DOUBLED_WHEN_ONLINE : race.count(), NEXT_MS, SILENT_MAX_MS));
      race.add(opened, line.hear, line.lose);
    },
    hear(data: unknown, from: SocketLike) {
      const isNew = from !== race.heard;
      if (isNew && race.heard) parts.onReplaced();
      if (isNew) isOnline = false;
      pace.heard(!isNew && race.count() > 1);
      race.keep(from);
      const frame = parse(data);
      isOnline ||= frame?.type === 'welcome' || frame?.type === 'ready';
      if (isOnline) line.failures = 0;
      // Not by a timer: browsers hold those of hidden pages back for longer than the server waits for a frame.
      if (Date.now() - pingedAt > SOCKET_PING_MS) ping();
      if (frame) parts.onFrame(frame, from);
    },
    /** False before the welcome. */
    send(frame: ClientFrame): boolean {
      if (isOnline) race.heard?.send(JSON.stringify(frame));
      return isOnline;
    },
    lose(code: number) {
      line.drop();
      parts.onLost(code);
    },
    drop() {
      pace.stop();
      isOnline = false;
      race.keep();
    },
    retry: () => pace.next(backoffMs(line.failures++, retryFirstMs, retryMaxMs)),
    /** The page woke up: reconnects now, or checks soon whether the open connection is alive. */
    check() {
      if (race.heard) pace.next(SILENT_MS);
      else if (race.count() === 0) attempt();
    },
  };
  return line;
};
