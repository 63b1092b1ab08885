/** What this app needs of `localStorage` and `sessionStorage`. */
export interface Store {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
  keys(): string[];
}

/** Keeps things for this page only, where the browser refuses storage. */
export function memoryStore(): Store {
  const items = new Map<string, string>();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
    keys: () => [...items.keys()],
  };
}

/** The browser's storage; in memory where it is blocked, and no error when it is full. `of` may throw. */
function browserStore(of: () => Storage): Store {
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
        () => of().getItem(key),
        () => null,
      ),
    setItem: (key, value) =>
      attempt(
        () => {
          of().setItem(key, value);
          fallback.removeItem(key);
        },
        () => fallback.setItem(key, value),
      ),
    removeItem: (key) => {
      fallback.removeItem(key);
      attempt(
        () => of().removeItem(key),
        () => undefined,
      );
    },
    keys: () => [
      ...fallback.keys(),
      ...attempt(
        () => Object.keys(of()),
        () => [],
      ),
    ],
  };
}

/** Of this browser. */
export const store = browserStore(() => localStorage);

/** Of this tab; it survives a reload. */
export const tabStore = browserStore(() => sessionStorage);

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
