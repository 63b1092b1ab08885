import type { Message } from '@foyer/protocol';

/** `gap`: messages are missing before this one, so it was not taken. */
type Received = 'added' | 'known' | 'gap';

const NONE: readonly Message[] = [];
const KEPT_CHATS = 60;
/** News within one frame of the screen are told together: a long chat comes as a burst. */
const TOGETHER_MS = 16;

/**
 * The messages of the chats that were opened, each once and in the order of `seq`.
 * It decides what to ask for after a lost connection: all after `lastSeq`.
 */
export class MessageLog {
  readonly #chats = new Map<string, readonly Message[]>();
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #untold = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  get(sessionId: string): readonly Message[] {
    return this.#chats.get(sessionId) ?? NONE;
  }

  lastSeq(sessionId: string): number {
    return this.get(sessionId).at(-1)?.seq ?? 0;
  }

  receive(sessionId: string, message: Message): Received {
    const last = this.lastSeq(sessionId);
    if (message.seq > last + 1) return 'gap';
    const isKnown = message.seq <= last;
    // What was said stays as it is; the links to its files end.
    if (isKnown && message.attachments.length === 0) return 'known';
    const messages = isKnown
      ? this.get(sessionId).map((one) => (one.seq === message.seq ? message : one))
      : [...this.get(sessionId), message];
    this.#chats.delete(sessionId);
    this.#chats.set(sessionId, messages);
    this.#forgetOldest();
    this.#tellSoon(sessionId);
    return isKnown ? 'known' : 'added';
  }

  subscribe(sessionId: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(sessionId) ?? new Set();
    listeners.add(listener);
    this.#listeners.set(sessionId, listeners);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(sessionId);
    };
  }

  #forgetOldest(): void {
    for (const id of this.#chats.keys()) {
      if (this.#chats.size <= KEPT_CHATS) return;
      if (!this.#listeners.has(id)) this.#chats.delete(id);
    }
  }

  /** The first news is told at once; those that follow in the same moment wait for its end. */
  #tellSoon(sessionId: string): void {
    this.#untold.add(sessionId);
    if (this.#timer !== undefined) return;
    this.#tell();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      const [again] = this.#untold;
      if (again !== undefined) this.#tellSoon(again);
    }, TOGETHER_MS);
  }

  #tell(): void {
    const ids = [...this.#untold];
    this.#untold.clear();
    for (const id of ids) for (const listener of this.#listeners.get(id) ?? []) listener();
  }
}
