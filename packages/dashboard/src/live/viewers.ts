import type { Viewer } from '@foyer/protocol';

const NOBODY: readonly Viewer[] = [];

/** Who else of the team has a chat or ticket open, and who of them replies; only ever what is so now. */
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

  /** Without a line nothing is known of anybody, and what was known of a place that is left is not kept up. */
  forget(): void {
    this.#viewers.clear();
    for (const listener of this.#listeners) listener();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}
