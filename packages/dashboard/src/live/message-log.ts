import type { Message } from '@foyer/protocol';

/** `gap`: earlier messages are missing, so it wasn't added. */
type Received = 'added' | 'known' | 'gap';

const NONE: readonly Message[] = [];
const KEPT_CHATS = 60;
/** Changes within one frame are reported together: a long chat arrives in a burst. */
const TOGETHER_MS = 16;

/**
 * The messages of the opened chats, each once and ordered by `seq`. After a lost connection, all messages after
 * `lastSeq` are requested.
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
    if (isKnown && !this.#isNews(sessionId, message)) return 'known';
    const messages = isKnown
      ? this.get(sessionId).map((one) => (one.seq === message.seq ? message : one))
      : [...this.get(sessionId), message];
    this.#chats.delete(sessionId);
    this.#chats.set(sessionId, messages);
    this.#forgetOldest();
    this.#tellSoon(sessionId);
    return isKnown ? 'known' : 'added';
  }

  /** Messages only change by redaction, but the links to their files expire. */
  #isNews(sessionId: string, { seq, text, attachments }: Message): boolean {
    const known = this.get(sessionId).find((one) => one.seq === seq);
    return attachments.length > 0 || known?.text !== text || known.attachments.length > 0;
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

  /** The first change is reported immediately; those in the same moment follow together. */
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
