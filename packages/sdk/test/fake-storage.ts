import { createStore, type Store } from '../src/store.ts';

export interface FakeStorage extends Storage {
  /** From now on every write fails, as when it is full. */
  isFull: boolean;
}

/** A `localStorage` that several stores can share, as tabs do. */
export const fakeStorage = (): FakeStorage => {
  const values = new Map<string, string>();
  return {
    isFull: false,
    get length() {
      return values.size;
    },
    key: (index) => [...values.keys()][index] ?? null,
    clear: () => values.clear(),
    getItem: (name) => values.get(name) ?? null,
    setItem(name, value) {
      if (this.isFull) throw new Error('QuotaExceededError');
      values.set(name, value);
    },
    removeItem: (name) => void values.delete(name),
  };
};

export const blockedStore = (): Store =>
  createStore(() => {
    throw new Error('SecurityError');
  });
