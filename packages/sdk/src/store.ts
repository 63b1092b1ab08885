import { toJson } from './json.ts';

/** What `localStorage` does not take: it may be blocked, full, or not to be touched any more. */
const memory: Record<string, string> = {};
/** Names that must not stay behind on the device, though they are still to be sent. */
const hidden = new Set<string>();

/** A JSON value; null when there is none or nonsense. */
export const read = (name: string): unknown => {
  try {
    return JSON.parse(memory[name] ?? localStorage[name]);
  } catch {
    return null;
  }
};

/**
 * Without a value it removes.
 * @param hide in memory alone from now on
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
    // The newer value is in memory then, and is read first.
  }
  if (json) memory[name] = json;
};

/** Of everything that we keep, in order. */
export const names = (): string[] => {
  const all = Object.keys(memory);
  try {
    all.push(...Object.keys(localStorage));
  } catch {
    // Blocked: all there is, is in memory.
  }
  return [...new Set(all)].filter((name) => name.startsWith('svc.')).sort();
};
