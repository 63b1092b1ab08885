import type { ClientFrame, ServerFrame } from '@foyer/protocol';
import { createLine } from '@foyer/protocol/browser/line';
import { CLOSE_UNAUTHORIZED } from '@foyer/protocol/values/socket-line';
import { createCalls } from './connection/calls.ts';
import { createTransport, type TransportParts } from './connection/transport.ts';

const WELCOME_MS = 6_000;
const RETRY_FIRST_MS = 500;
const RETRY_MAX_MS = 30_000;

/** `offline`: the browser has no network. `reconnecting`: it has, but the server can't be reached. */
export type Line = 'idle' | 'connecting' | 'online' | 'reconnecting' | 'offline';

interface ConnectionParts extends TransportParts {
  onFrame: (frame: ServerFrame) => void;
  onLine: (line: Line) => void;
  /** The server did not know the token; it must not be sent again. */
  onRefused: () => void;
  /** Whether the browser says that it has no network. */
  isOffline: () => boolean;
}

export interface Connection {
  start(): void;
  stop(): void;
  /** Drops the line and greets again: who the visitor is has changed. */
  restart(): void;
  /** False when there is no line; frames that are sent so are never kept. */
  send(frame: ClientFrame): boolean;
  /** Fails with `CallError`. */
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
  let isWanted = false;

  const retryLater = () => {
    if (!isWanted) return;
    // A single break, as when the server restarts, is over before anybody has read about it.
    parts.onLine(parts.isOffline() ? 'offline' : line.failures ? 'reconnecting' : 'connecting');
    line.retry();
  };
  const drop = () => {
    line.drop();
    transport.drop();
    calls.fail();
  };
  const again = () => {
    drop();
    retryLater();
  };
  const connect = () => {
    if (!isWanted) return;
    if (!line.failures) parts.onLine('connecting');
    transport.open();
  };
  const onFrame = (frame: ServerFrame) => {
    if (calls.answer(frame)) return;
    const isWelcome = frame.type === 'welcome';
    if (isWelcome) transport.welcomed();
    parts.onFrame(frame);
    // Whoever heard the welcome may have wanted another line.
    if (isWelcome && line.isOnline()) parts.onLine('online');
  };

  const onLost = (code: number) => {
    if (code === CLOSE_UNAUTHORIZED) parts.onRefused();
    else transport.closed(code);
    again();
  };

  const line = createLine({ connect, onFrame, onLost }, WELCOME_MS, RETRY_FIRST_MS, RETRY_MAX_MS);
  const calls = createCalls(line.send, again);
  const transport = createTransport(parts, line.attach, retryLater, (opened, data) => {
    drop();
    line.attach(opened);
    line.hear(data);
  });

  return {
    ...calls,
    send: line.send,
    check: line.check,
    start() {
      isWanted = true;
      line.check();
    },
    stop() {
      isWanted = false;
      drop();
      parts.onLine('idle');
    },
    restart() {
      drop();
      line.failures = 0;
      connect();
    },
    lose() {
      if (!isWanted) return;
      line.failures ||= 1;
      again();
    },
    rest: drop,
  };
};
