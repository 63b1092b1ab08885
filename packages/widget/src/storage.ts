/** JSON values that survive a reload, under one site's name. */
export interface Storage {
  read(name: string): unknown;
  /** `undefined` removes. */
  write(name: string, value: unknown): void;
}

interface WebStorage {
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
  removeItem(name: string): void;
}

/**
 * Falls back to memory where storage is blocked (third-party frames in some browsers) or full.
 * @param open gives the browser's storage; may throw.
 */
export const createStorage = (prefix: string, open: () => WebStorage): Storage => {
  const memory = new Map<string, string>();
  return {
    read(name) {
      try {
        return JSON.parse(memory.get(name) ?? open().getItem(prefix + name) ?? 'null');
      } catch {
        return null;
      }
    },
    write(name, value) {
      const json = JSON.stringify(value);
      memory.delete(name);
      try {
        if (json === undefined) open().removeItem(prefix + name);
        else open().setItem(prefix + name, json);
      } catch {
        if (json !== undefined) memory.set(name, json);
      }
    },
  };
};
