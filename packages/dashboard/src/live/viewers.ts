import type { Viewer } from '@foyer/protocol';

const NOBODY: readonly Viewer[] = [];

/** Which colleagues have a chat or ticket open, and which of them are replying. Only the current state. */
export class Viewers {
  readonly #ownId: number;
  readonly #viewers = new Map<string, readonly Viewer[]>();
  readonly #listeners = new Set<() => void>();

  constructor(ownId: number) {
    this.#ownId = ownId;
  }

  of(place: string): readonly Viewer[] {
    return this.#viewers.get(place) ?? NOBODY;
  }

  set(place: string, viewers: readonly Viewer[]): void {
    const others = viewers.filter(({ id }) => id !== this.#ownId);
    if (others.length > 0) this.#viewers.set(place, others);
    else this.#viewers.delete(place);
    for (const listener of this.#listeners) listener();
  }

  /** Without a connection nothing is known, and left places aren't updated. */
  forget(): void {
    this.#viewers.clear();
    for (const listener of this.#listeners) listener();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}
