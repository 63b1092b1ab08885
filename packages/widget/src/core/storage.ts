/** JSON values that survive a reload, under one site's name. */
export interface Storage {
  read(name: string): unknown;
  /** `undefined` removes it. */
  write(name: string, value: unknown): void;
  /** The names with this prefix. */
  names(beginning: string): string[];
  /** Whether values would be lost with this page, because storage is blocked or full. */
  isFleeting(name: string): boolean;
  /** Takes what an earlier page stored for us, if storage is blocked. */
  restore(kept: unknown): void;
}

/**
 * Falls back to memory if storage is blocked (third-party frames in some browsers) or full.
 * @param open returns the browser's storage; may throw
 * @param keep called with everything that is only in memory, whenever it changes
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
        // Blocked: everything is in memory.
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
