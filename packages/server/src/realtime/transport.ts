import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';

/** Transfers text frames from and to one client: over a socket or held requests. */
export interface Transport {
  readonly isOpen: boolean;
  /** Bytes sent that haven't left this process. */
  readonly bufferedBytes: number;
  send(frame: string): void;
  /** Calls back once everything sent before has left this process. */
  flushed(done: () => void): void;
  close(code: number, reason: string): void;
  /** One listener at a time: first the handshake's, then the connection's. */
  onFrame(listener: (data: Buffer, isText: boolean) => void): void;
  onClose(listener: () => void): void;
  /** Holds incoming frames until the returned function is called; a close is still seen, unless too many wait. */
  hold(): () => void;
}

type Listener = (data: Buffer, isText: boolean) => void;

/** Queues frames for the current listener, in order, and holds them on request. */
export class Inbox {
  #listener: Listener | undefined;
  #held: [Buffer, boolean][] | undefined;
  #heldBytes = 0;

  /** The frames that wait until `release`. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  listen(listener: Listener): void {
    this.#listener = listener;
  }

  hold(): void {
    this.#held ??= [];
  }

  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    this.#heldBytes = 0;
    for (const [data, isText] of held) this.take(data, isText);
  }

  take(data: Buffer, isText: boolean): void {
    if (this.#held) {
      this.#held.push([data, isText]);
      this.#heldBytes += data.length;
    } else this.#listener?.(data, isText);
  }
}

/** How much of the frames sent in one turn of the event loop is written together. */
const GATHERED_BYTES = 64 * 1024;

/**
 * Connections whose frames are written at the end of this turn of the event loop. Each write is a system call, the
 * largest part of a message's cost; and a message makes several frames, and several come at once under load.
 */
const gathering = new Set<Socket>();

function gather(connection: Socket): void {
  if (gathering.has(connection)) return;
  if (gathering.size === 0) setImmediate(releaseAll);
  gathering.add(connection);
  connection.cork();
}

function release(connection: Socket): void {
  if (gathering.delete(connection)) connection.uncork();
}

function releaseAll(): void {
  for (const connection of gathering) release(connection);
}

/**
 * A held connection is read up to this limit, which suffices for pings: an unread connection can't report that its
 * client has closed it, but must not fill memory either.
 */
const HELD_BYTES = 4 * 1024;

/** A WebSocket as a transport. */
export function socketTransport(socket: WebSocket, connection: Socket): Transport {
  const inbox = new Inbox();
  socket.on('message', (data, isBinary) => {
    // By default `ws` gives whole messages as buffers.
    inbox.take(Buffer.isBuffer(data) ? data : Buffer.alloc(0), !isBinary);
    if (inbox.heldBytes > HELD_BYTES) socket.pause();
  });
  return {
    get isOpen() {
      return socket.readyState === socket.OPEN;
    },
    get bufferedBytes() {
      return socket.bufferedAmount;
    },
    send(frame) {
      gather(connection);
      socket.send(frame);
      if (socket.bufferedAmount > GATHERED_BYTES) release(connection);
    },
    // A ping is sent after everything before it.
    flushed: (done) => socket.ping(undefined, undefined, done),
    close: (code, reason) => socket.close(code, reason),
    onFrame: (listener) => inbox.listen(listener),
    onClose: (listener) => void socket.on('close', listener),
    hold() {
      inbox.hold();
      return () => {
        socket.resume();
        inbox.release();
      };
    },
  };
}
