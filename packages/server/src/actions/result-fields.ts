import { ACTION_VALUE_MAX } from '@foyer/protocol/values/bounds';

/** Fields of an answer that are read; the rest is ignored. */
const FIELDS_MAX = 200;
const DEPTH_MAX = 6;

/** Parses an answer; undefined if it isn't JSON. */
export function parsedJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/**
 * The texts, numbers and booleans of an answer by their path below `result`: `result.status`, `result.items.0.name`.
 * Bounded in number, depth and length, whatever the receiver sends.
 */
export function resultFields(answer: unknown): Record<string, string> {
  const fields = new Map<string, string>();
  const read = (value: unknown, path: string, depth: number): void => {
    if (fields.size >= FIELDS_MAX || path.length > 100) return;
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      const text = String(value).replaceAll('\0', '\u{fffd}').replace(/\s+/g, ' ').trim();
      fields.set(path, text.slice(0, ACTION_VALUE_MAX).toWellFormed());
      return;
    }
    if (typeof value !== 'object' || value === null || depth >= DEPTH_MAX) return;
    for (const [key, one] of Object.entries(value)) {
      if (fields.size >= FIELDS_MAX) return;
      read(one, `${path}.${key.replaceAll('\0', '')}`, depth + 1);
    }
  };
  read(answer, 'result', 0);
  return Object.fromEntries(fields);
}
