/** What the SDK keeps between pages: JSON values under `svc.*`. */
export interface Store {
  read(name: string): unknown;
  /** `undefined` removes. */
  write(name: string, value: unknown): void;
}

/**
 * `localStorage` as JSON, falling back to memory, name by name, when it is blocked, full or holds nonsense.
 * @param open gives the storage; may throw, as reading `window.localStorage` does where it is blocked.
 */
export const createStore = (open: () => Storage): Store => {
  const memory = new Map<string, string>();
  return {
    read(name) {
      let value: unknown = memory.get(name);
      try {
        value ??= open().getItem(name);
        // Twice where an old library gave Array.prototype a toJSON that turns lists into strings.
        for (let i = 0; i < 2 && typeof value === 'string'; i++) value = JSON.parse(value);
        return value;
      } catch {
        return null;
      }
    },
    write(name, value) {
      const json = JSON.stringify(value);
      memory.delete(name);
      try {
        if (json) open().setItem(name, json);
        else open().removeItem(name);
      } catch {
        if (json) memory.set(name, json);
      }
    },
  };
};
