import { CLOSE_TOO_SLOW, type ServerFrame } from '@foyer/protocol';
import { createCounter } from '../base/counters.ts';
import type { Actor } from '../core/actor.ts';
import type { Site } from '../core/context.ts';
import type { Transport } from './transport.ts';

/** How much may be unsent per client. A slower reader is disconnected and catches up when it returns. */
const BUFFER_MAX_BYTES = 1024 * 1024;
/** A client that takes longer than this isn't reading at all. */
const DRAIN_MAX_MS = 30_000;

const droppedSockets = createCounter(
  'foyer_sockets_dropped_total',
  'Connections closed because the client read too slowly, by kind',
  ['kind'],
);

/** One open connection and its owner, fixed at the handshake except for a guest who gets a record. */
export interface Peer {
  readonly site: Site;
  readonly actor: Extract<Actor, { kind: 'visitor' | 'agent' }>;
  /** The key that limits count the client by. */
  readonly caller: string | undefined;
  /** The guest of this connection becomes this visitor. */
  become(actor: Extract<Actor, { kind: 'visitor' }>): void;
  send(frame: ServerFrame): void;
  /** Sends a frame that was serialised once for many peers. */
  sendRaw(frame: string): void;
  /** Resolves once everything sent has left this process, or never will. */
  drained(): Promise<void>;
  readonly isOpen: boolean;
  close(code: number, reason: string): void;
}

/** Frames to a closed transport are dropped. Over 1 MiB unsent closes it with CLOSE_TOO_SLOW. */
export function createPeer(transport: Transport, site: Site, first: Peer['actor'], caller?: string): Peer {
  let actor = first;
  const drop = (): void => {
    droppedSockets.add(1, actor.kind);
    transport.close(CLOSE_TOO_SLOW, 'too slow');
  };
  const sendRaw = (frame: string): void => {
    if (!transport.isOpen) return;
    if (transport.bufferedBytes > BUFFER_MAX_BYTES) {
      drop();
      return;
    }
    transport.send(frame);
  };
  return {
    site,
    get actor() {
      return actor;
    },
    caller,
    become(known) {
      actor = known;
    },
    sendRaw,
    send: (frame) => sendRaw(JSON.stringify(frame)),
    drained: () =>
      new Promise((resolve) => {
        const late = setTimeout(drop, DRAIN_MAX_MS);
        transport.flushed(() => {
          clearTimeout(late);
          resolve();
        });
      }),
    get isOpen() {
      return transport.isOpen;
    },
    close: (code, reason) => transport.close(code, reason),
  };
}
