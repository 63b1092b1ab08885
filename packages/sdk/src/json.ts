import { isObject } from './guard.ts';

/**
 * JSON as it ought to be: old libraries give `Array.prototype` and `Date.prototype` a `toJSON` that turns lists into
 * strings and puts dates into quotes twice, so only primitives are left to `JSON.stringify`.
 * @throws RangeError for what holds itself
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

/** Bytes of a value as it is sent and counted. */
export const bytesOf = (value: unknown): number => new Blob([toJson(value)]).size;
