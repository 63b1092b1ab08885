import { Inbox, type Transport } from './transport.ts';

/** After this long without a request, the client is gone. */
const GONE_MS = 45_000;

/** The response to a held request. */
interface Picked {
  /** Text frames, as a socket would send them. */
  frames: string[];
  /** Set if the line has ended. The client must start a new one. */
  closed: { code: number; reason: string } | null;
}

/** A connection over requests: one request is held until there are frames, or until its time is up. */
export class PollLine {
  readonly transport: Transport;
  readonly #inbox = new Inbox();
  readonly #onGone: () => void;
  #frames: string[] = [];
  #bytes = 0;
  #closed: Picked['closed'] = null;
  #closeListeners: (() => void)[] = [];
  #flushed: (() => void)[] = [];
  #answer: (() => void) | undefined;
  #gone: NodeJS.Timeout;

  /** @param onGone the line has ended, and the client has been notified or stopped asking */
  constructor(onGone: () => void) {
    this.#onGone = onGone;
    this.#gone = setTimeout(() => this.end(), GONE_MS);
    const line = this;
    this.transport = {
      get isOpen() {
        return line.#closed === null;
      },
      get bufferedBytes() {
        return line.#bytes;
      },
      send: (frame) => this.#send(frame),
      flushed: (done) => {
        if (this.#frames.length === 0) done();
        else this.#flushed.push(done);
      },
      close: (code, reason) => this.#close(code, reason),
      onFrame: (listener) => this.#inbox.listen(listener),
      onClose: (listener) => void this.#closeListeners.push(listener),
      hold: () => {
        this.#inbox.hold();
        return () => this.#inbox.release();
      },
    };
  }

  /** Frames from the client, in order. */
  take(frames: readonly string[]): void {
    this.#isThere();
    for (const frame of frames) {
      if (!this.transport.isOpen) return;
      this.#inbox.take(Buffer.from(frame), true);
    }
  }

  /** The waiting frames, or those arriving within `holdMs`. A second request replaces the held one. */
  async pick(holdMs: number, signal: AbortSignal): Promise<Picked> {
    this.#isThere();
    this.#answer?.();
    if (this.#frames.length === 0 && this.#closed === null) await this.#news(holdMs, signal);
    // The client has disconnected: the frames wait for the next request.
    if (signal.aborted) return { frames: [], closed: null };
    const frames = this.#frames;
    this.#frames = [];
    this.#bytes = 0;
    for (const done of this.#flushed.splice(0)) done();
    const closed = this.#closed;
    if (closed) this.end();
    else this.#isThere();
    return { frames, closed };
  }

  /** Like a broken connection: the client isn't notified. */
  end(): void {
    clearTimeout(this.#gone);
    this.#close(1006, 'gone');
    for (const done of this.#flushed.splice(0)) done();
    this.#onGone();
  }

  #news(holdMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const answer = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', answer);
        if (this.#answer === answer) this.#answer = undefined;
        resolve();
      };
      const timer = setTimeout(answer, holdMs);
      signal.addEventListener('abort', answer);
      this.#answer = answer;
    });
  }

  #send(frame: string): void {
    if (this.#closed) return;
    this.#frames.push(frame);
    this.#bytes += Buffer.byteLength(frame);
    // Frames sent together are returned in one response.
    setImmediate(() => this.#answer?.());
  }

  #close(code: number, reason: string): void {
    if (this.#closed) return;
    this.#closed = { code, reason };
    for (const listener of this.#closeListeners) listener();
    setImmediate(() => this.#answer?.());
  }

  #isThere(): void {
    clearTimeout(this.#gone);
    this.#gone = setTimeout(() => this.end(), GONE_MS);
  }
}
