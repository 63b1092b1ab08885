import { CLOSE_TOO_SLOW, type ServerFrame } from '@foyer/protocol';
import type { Actor, Site } from '../context.ts';
import type { Wire } from './wire.ts';

/** What may lie unsent for one client; one that reads slower than this is dropped and catches up when it returns. */
const BUFFER_MAX_BYTES = 1024 * 1024;
/** A client that takes longer for what lies unsent for it does not read at all. */
const DRAIN_MAX_MS = 30_000;

/** One open line and who it belongs to, fixed at the handshake. */
export interface Peer {
  readonly site: Site;
  readonly actor: Extract<Actor, { kind: 'visitor' | 'agent' }>;
  send(frame: ServerFrame): void;
  /** A frame that was serialised once for many. */
  sendRaw(frame: string): void;
  /** Resolves once all that was sent has left this process, or never will. */
  drained(): Promise<void>;
  readonly isOpen: boolean;
  close(code: number, reason: string): void;
}

export function createPeer(wire: Wire, site: Site, actor: Peer['actor']): Peer {
  const sendRaw = (frame: string): void => {
    if (!wire.isOpen) return;
    if (wire.bufferedBytes > BUFFER_MAX_BYTES) {
      wire.close(CLOSE_TOO_SLOW, 'too slow');
      return;
    }
    wire.send(frame);
  };
  return {
    site,
    actor,
    sendRaw,
    send: (frame) => sendRaw(JSON.stringify(frame)),
    drained: () =>
      new Promise((resolve) => {
        const late = setTimeout(() => wire.close(CLOSE_TOO_SLOW, 'too slow'), DRAIN_MAX_MS);
        wire.flushed(() => {
          clearTimeout(late);
          resolve();
        });
      }),
    get isOpen() {
      return wire.isOpen;
    },
    close: (code, reason) => wire.close(code, reason),
  };
}
