import { isObject } from './guard.ts';

/**
 * Correct JSON even on pages whose old libraries add `toJSON` to `Array.prototype` and `Date.prototype`, which
 * turns lists into strings and quotes dates twice: only primitives are left to `JSON.stringify`.
 * @throws RangeError for circular values
 */
export const toJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map((part) => toJson(part ?? null)).join()}]`;
  if (value instanceof Date) return JSON.stringify(value.toISOString());
  if (!isObject(value)) return JSON.stringify(value) ?? 'null';
  const fields: string[] = [];
  for (const [name, field] of Object.entries(value)) {
    if (field !== undefined && typeof field !== 'function')
      fields.push(`${JSON.stringify(name)}:${toJson(field)}`);
  }
  return `{${fields.join()}}`;
};

/** The size of a value in bytes, as it is sent and counted. */
export const bytesOf = (value: unknown): number => new Blob([toJson(value)]).size;
