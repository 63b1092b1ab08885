/** The part of `localStorage` and `sessionStorage` that this app needs. */
export interface Store {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
  keys(): string[];
}

/** Stores values for this page only, if the browser refuses storage. */
export function memoryStore(): Store {
  const items = new Map<string, string>();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
    keys: () => [...items.keys()],
  };
}

/** The browser's storage, or memory if it is blocked; ignores errors if it is full. `of` may throw. */
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

/** Shared by this browser. */
export const store = browserStore(() => localStorage);

/** Only for this tab; survives a reload. */
export const tabStore = browserStore(() => sessionStorage);

/** Reads JSON that `accept` recognises; anything else counts as missing. */
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
