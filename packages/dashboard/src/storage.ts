/** What this app needs of `localStorage`. */
export interface Store {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** Keeps things for this page only, where the browser refuses storage. */
export function memoryStore(): Store {
  const items = new Map<string, string>();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  };
}

/** The browser's storage; in memory where it is blocked, and no error when it is full. */
function browserStore(): Store {
  const fallback = memoryStore();
  const attempt = <T>(act: () => T, otherwise: () => T): T => {
    try {
      return act();
    } catch {
      return otherwise();
    }
  };
  return {
    getItem: (key) =>
      fallback.getItem(key) ??
      attempt(
        () => localStorage.getItem(key),
        () => null,
      ),
    setItem: (key, value) =>
      attempt(
        () => {
          localStorage.setItem(key, value);
          fallback.removeItem(key);
        },
        () => fallback.setItem(key, value),
      ),
    removeItem: (key) => {
      fallback.removeItem(key);
      attempt(
        () => localStorage.removeItem(key),
        () => undefined,
      );
    },
  };
}

export const store = browserStore();

/** Reads JSON that `accept` recognises; anything else counts as absent. */
export function readJson<T>(from: Store, key: string, accept: (value: unknown) => value is T): T | undefined {
  const text = from.getItem(key);
  if (text === null) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return accept(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
