import type { ClientFrame } from '@foyer/protocol';
import { type ConnectionParts, createReconnectingLine } from './connection/reconnecting-line.ts';

export type { Line } from './connection/reconnecting-line.ts';

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

/** One line, open while it is wanted: from `start` to `stop`. It is `online` from `welcome` on. */
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
