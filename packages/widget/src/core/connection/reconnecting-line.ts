import type { ServerFrame } from '@foyer/protocol';
import { createLine, type SocketLike } from '@foyer/protocol/browser/line';
import { CLOSE_UNAUTHORIZED } from '@foyer/protocol/values/socket-line';
import { createCalls } from './calls.ts';
import { createTransport, type Solve, type TransportParts } from './transport.ts';

const RETRY_FIRST_MS = 500;
const RETRY_MAX_MS = 30_000;

/** `offline`: the browser has no network. `reconnecting`: it has, but the server can't be reached. */
export type Line = 'idle' | 'connecting' | 'online' | 'reconnecting' | 'offline';

export interface ConnectionParts extends TransportParts {
  /** The only callback that may stop or restart the connection. */
  onFrame: (frame: ServerFrame) => void;
  onLine: (line: Line) => void;
  /** The server rejected the token, which must not be sent again. */
  onRefused: () => void;
  /** Without it, the server refuses what is over a limit. */
  solve?: Solve | undefined;
  /** Whether the browser says that it has no network. */
  isOffline: () => boolean;
}

/** Solves a challenge. Without a solution, another attempt gets another challenge. */
const answer = (
  { solve }: ConnectionParts,
  { id, challenge }: Extract<ServerFrame, { type: 'challenge' }>,
  from: SocketLike,
  onFailed: () => void,
) =>
  solve?.(challenge).then(
    (solution) => from.send(JSON.stringify({ type: 'solution', id, challenge, solution })),
    onFailed,
  );

/** A connection that reconnects after each loss, over whichever transport works, until it rests. */
export const createReconnectingLine = (parts: ConnectionParts) => {
  const drop = () => {
    line.drop();
    transport.drop();
    calls.fail();
  };
  const reconnect = () => {
    drop();
    // A single break, such as a server restart, ends before anybody could read about it.
    parts.onLine(parts.isOffline() ? 'offline' : line.failures ? 'reconnecting' : 'connecting');
    line.retry();
  };
  const connect = () => {
    if (!line.failures && !line.isOnline()) parts.onLine('connecting');
    transport.open(line.isOnline());
  };
  const onFrame = (frame: ServerFrame, from: SocketLike) => {
    if (calls.answer(frame)) return;
    if (frame.type === 'challenge') answer(parts, frame, from, reconnect);
    const isWelcome = frame.type === 'welcome';
    if (isWelcome) transport.welcomed(from);
    parts.onFrame(frame);
    // `onFrame` may have stopped or restarted the connection.
    if (isWelcome && line.isOnline()) parts.onLine('online');
  };
  const onLost = (code: number) => {
    transport.closed(code);
    if (code === CLOSE_UNAUTHORIZED) parts.onRefused();
    reconnect();
  };

  const line = createLine(
    { connect, onFrame, onLost, onReplaced: () => calls.fail() },
    RETRY_FIRST_MS,
    RETRY_MAX_MS,
  );
  const calls = createCalls(line.send, reconnect);
  const transport = createTransport(parts, line.attach, reconnect, (opened, data) => {
    line.attach(opened);
    line.hear(data, opened);
  });

  return {
    ...calls,
    send: line.send,
    rest: drop,
    check: line.check,
    lose() {
      line.failures ||= 1;
      reconnect();
    },
    /** Rests. The next attempt counts as the first. */
    reset() {
      drop();
      line.failures = 0;
    },
  };
};
