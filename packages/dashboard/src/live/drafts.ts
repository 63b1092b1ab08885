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

/** What an agent has begun to write in each chat; kept over reloads, lost by nothing but sending. */
export class Drafts {
  readonly #store: Store;
  readonly #prefix: string;

  constructor(store: Store, agentId: number) {
    this.#store = store;
    this.#prefix = `foyer.${agentId}.draft.`;
  }

  get(sessionId: string): Draft {
    return readJson(this.#store, this.#prefix + sessionId, isDraft) ?? EMPTY;
  }

  set(sessionId: string, draft: Draft): void {
    const empty = draft.reply.trim() === '' && draft.note.trim() === '';
    if (empty) this.#store.removeItem(this.#prefix + sessionId);
    else this.#store.setItem(this.#prefix + sessionId, JSON.stringify(draft));
  }
}
