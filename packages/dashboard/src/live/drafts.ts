import { readJson, type Store } from '../storage.ts';

export type Tab = 'reply' | 'note';

export interface Draft {
  reply: string;
  note: string;
  tab: Tab;
}

const EMPTY: Draft = { reply: '', note: '', tab: 'reply' };

const isDraft = (value: unknown): value is Draft =>
  typeof value === 'object' &&
  value !== null &&
  'reply' in value &&
  'note' in value &&
  'tab' in value &&
  typeof value.reply === 'string' &&
  typeof value.note === 'string' &&
  (value.tab === 'reply' || value.tab === 'note');

/** What an agent has begun to write in each chat and ticket; kept over reloads, lost by nothing but sending. */
export class Drafts {
  readonly #store: Store;
  readonly #prefix: string;
  readonly #known = new Map<string, Draft>();
  readonly #listeners = new Map<string, Set<() => void>>();

  constructor(store: Store, agentId: number) {
    this.#store = store;
    this.#prefix = `foyer.${agentId}.draft.`;
  }

  get(place: string): Draft {
    const known = this.#known.get(place);
    if (known) return known;
    const draft = readJson(this.#store, this.#prefix + place, isDraft) ?? EMPTY;
    this.#known.set(place, draft);
    return draft;
  }

  change(place: string, part: Partial<Draft>): void {
    const draft = { ...this.get(place), ...part };
    this.#known.set(place, draft);
    const empty = draft.reply.trim() === '' && draft.note.trim() === '';
    if (empty) this.#store.removeItem(this.#prefix + place);
    else this.#store.setItem(this.#prefix + place, JSON.stringify(draft));
    for (const listener of this.#listeners.get(place) ?? []) listener();
  }

  subscribe(place: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(place) ?? new Set();
    this.#listeners.set(place, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(place) === listeners) this.#listeners.delete(place);
    };
  }
}
