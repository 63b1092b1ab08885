/** A `localStorage` that several tabs can share: its entries are its own properties, as a browser's are. */
export class FakeStorage {
  [name: string]: unknown;

  getItem(name: string): string | null {
    return Object.hasOwn(this, name) ? String(this[name]) : null;
  }
  setItem(name: string, value: string): void {
    if (full.has(this)) throw new Error('QuotaExceededError');
    this[name] = value;
  }
  removeItem(name: string): void {
    delete this[name];
  }
}

const full = new WeakSet<FakeStorage>();

/** From now on every write fails, or no longer. */
export const fill = (storage: FakeStorage, isFull = true): void => {
  if (isFull) full.add(storage);
  else full.delete(storage);
};

/** Reading `window.localStorage` throws where it is blocked. */
export const blockStorage = (): void => {
  Object.defineProperty(globalThis, 'localStorage', {
    configurable: true,
    get() {
      throw new Error('SecurityError');
    },
  });
};

export const useStorage = (storage: FakeStorage): void => {
  Object.defineProperty(globalThis, 'localStorage', { configurable: true, value: storage });
};
