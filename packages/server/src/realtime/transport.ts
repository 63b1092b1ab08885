import type { WebSocket } from 'ws';

/** How frames of text reach one client and come from it: a socket, or requests that are held. */
export interface Transport {
  readonly isOpen: boolean;
  /** Bytes that were sent and have not left this process. */
  readonly bufferedBytes: number;
  send(frame: string): void;
  /** Calls back once all that was sent before has left this process. */
  flushed(done: () => void): void;
  close(code: number, reason: string): void;
  /** One listener at a time: of the handshake, then of the connection. */
  onFrame(listener: (data: Buffer, isText: boolean) => void): void;
  onClose(listener: () => void): void;
  /** Holds back what arrives until the function that it returns is called. */
  hold(): () => void;
}

type Listener = (data: Buffer, isText: boolean) => void;

/** Frames on their way to whoever listens just now, in order, some of them held back. */
export class Inbox {
  #listener: Listener | undefined;
  #held: [Buffer, boolean][] | undefined;

  listen(listener: Listener): void {
    this.#listener = listener;
  }

  hold(): void {
    this.#held ??= [];
  }

  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const [data, isText] of held) this.take(data, isText);
  }

  take(data: Buffer, isText: boolean): void {
    if (this.#held) this.#held.push([data, isText]);
    else this.#listener?.(data, isText);
  }
}

export function socketTransport(socket: WebSocket): Transport {
  const inbox = new Inbox();
  socket.on('message', (data, isBinary) =>
    // `ws` gives whole messages as buffers unless it is told otherwise.
    inbox.take(Buffer.isBuffer(data) ? data : Buffer.alloc(0), !isBinary),
  );
  return {
    get isOpen() {
      return socket.readyState === socket.OPEN;
    },
    get bufferedBytes() {
      return socket.bufferedAmount;
    },
    send: (frame) => socket.send(frame),
    // A ping goes out after all that was sent before it.
    flushed: (done) => socket.ping(undefined, undefined, done),
    close: (code, reason) => socket.close(code, reason),
    onFrame: (listener) => inbox.listen(listener),
    onClose: (listener) => void socket.on('close', listener),
    hold() {
      // What was read already comes all the same, and waits in the inbox.
      socket.pause();
      inbox.hold();
      return () => {
        socket.resume();
        inbox.release();
      };
    },
  };
}
