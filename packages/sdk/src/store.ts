import { toJson } from './json.ts';

/** Values that aren't in `localStorage`: it may be blocked, full, or off limits. */
const memory: Record<string, string> = {};
/** Names that must not stay on the device, though their values are still to be sent. */
const hidden = new Set<string>();

/** A JSON value; null if there is none, or an invalid one. */
export const read = (name: string): unknown => {
  try {
    return JSON.parse(memory[name] ?? localStorage[name]);
  } catch {
    return null;
  }
};

/**
 * Without a value, removes it.
 * @param hide from now on only in memory
 */
export const write = (name: string, value?: unknown, hide?: boolean): void => {
  const json = value ? toJson(value) : '';
  delete memory[name];
  if (hide) hidden.add(name);
  try {
    if (json && !hidden.has(name)) {
      localStorage.setItem(name, json);
      return;
    }
    localStorage.removeItem(name);
  } catch {
    // The newer value is in memory then, which is read first.
  }
  if (json) memory[name] = json;
};

/** All names that we have stored, in order. */
export const names = (): string[] => {
  const all = Object.keys(memory);
  try {
    all.push(...Object.keys(localStorage));
  } catch {
    // Storage is blocked: everything is in memory.
  }
  return [...new Set(all)].filter((name) => name.startsWith('svc.')).sort();
};
