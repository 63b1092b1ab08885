/** Somebody who is typing. */
export interface Typist {
  from: 'visitor' | 'agent' | 'bot';
  name: string | null;
  /** The end of the visitor's unsent text. */
  text?: string | undefined;
}

/** After this long without an update, somebody has stopped typing. */
const STOPPED_MS = 8000;

/** Who is typing in which chat; never stored. */
export class Typing {
  readonly #typists = new Map<string, Typist>();
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #listeners = new Set<() => void>();

  get(sessionId: string): Typist | undefined {
    return this.#typists.get(sessionId);
  }

  set(sessionId: string, typist: Typist, typing: boolean): void {
    if (!typing) {
      // A different typist stays shown.
      if (this.#typists.get(sessionId)?.from === typist.from) this.clear(sessionId);
      return;
    }
    clearTimeout(this.#timers.get(sessionId));
    this.#typists.set(sessionId, typist);
    this.#timers.set(
      sessionId,
      setTimeout(() => this.clear(sessionId), STOPPED_MS),
    );
    this.#tell();
  }

  clear(sessionId: string): void {
    clearTimeout(this.#timers.get(sessionId));
    this.#timers.delete(sessionId);
    if (this.#typists.delete(sessionId)) this.#tell();
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
