import type { ClientFrame } from '@foyer/protocol';
import { type ConnectionParts, createReconnectingLine } from './connection/reconnecting-line.ts';

export type { Line } from './connection/reconnecting-line.ts';

export interface Connection {
  start(): void;
  stop(): void;
  /** Drops the connection and says hello again, because the visitor's identity has changed. */
  restart(): void;
  /** False without a connection. Such frames are dropped. */
  send(frame: ClientFrame): boolean;
  /** Fails with `CallError`. */
  call(op: string, input: unknown): Promise<unknown>;
  subscribe(sessionId: string, afterSeq: number): void;
  /** The browser reports that there is no network: running calls will be sent again. */
  lose(): void;
  /** The page goes to sleep and holds no connection. `check` wakes it. */
  rest(): void;
  /** The tab or the network came back: tries now, and checks soon whether an open connection is alive. */
  check(): void;
}

/** One connection, open while it is needed: from `start` to `stop`. It is `online` once the welcome arrives. */
export const createConnection = (parts: ConnectionParts): Connection => {
  let isWanted = false;
  const line = createReconnectingLine(parts);
  const check = () => {
    if (isWanted) line.check();
  };
  return {
    ...line,
    check,
    start() {
      isWanted = true;
      check();
    },
    stop() {
      isWanted = false;
      line.rest();
      parts.onLine('idle');
    },
    restart() {
      line.reset();
      check();
    },
    lose() {
      if (isWanted) line.lose();
    },
  };
};
