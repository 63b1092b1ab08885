/** JSON values that survive a reload, under one site's name. */
export interface Storage {
  read(name: string): unknown;
  /** `undefined` removes. */
  write(name: string, value: unknown): void;
  /** The names that begin so. */
  names(beginning: string): string[];
  /** Whether it would be gone with this page: storage is blocked or full. */
  isFleeting(name: string): boolean;
  /** Takes what an earlier page kept for us, if storage is blocked. */
  restore(kept: unknown): void;
}

/**
 * Falls back to memory where storage is blocked (third-party frames in some browsers) or full.
 * @param open gives the browser's storage; may throw.
 * @param keep is given all that is in memory only, whenever it changes.
 */
export const createStorage = (
  prefix: string,
  open: () => globalThis.Storage,
  keep: (kept: Record<string, string>) => void = () => {},
): Storage => {
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
      const wasKept = memory.delete(name);
      try {
        if (json === undefined) open().removeItem(prefix + name);
        else open().setItem(prefix + name, json);
      } catch {
        if (json !== undefined) memory.set(name, json);
      }
      if (wasKept || memory.has(name)) keep(Object.fromEntries(memory));
    },
    names(beginning) {
      const found = new Set([...memory.keys()].filter((name) => name.startsWith(beginning)));
      try {
        for (const name of Object.keys(open()))
          if (name.startsWith(prefix + beginning)) found.add(name.slice(prefix.length));
      } catch {
        // Blocked: there is only what is in memory.
      }
      return [...found];
    },
    isFleeting: (name) => memory.has(name),
    restore(kept) {
      if (typeof kept !== 'object' || kept === null) return;
      for (const [name, json] of Object.entries(kept)) {
        if (typeof json === 'string' && !memory.has(name)) memory.set(name, json);
      }
    },
  };
};
